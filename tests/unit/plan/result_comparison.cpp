#include "unit/plan/result_comparison.hpp"

#include <algorithm>
#include <cstdio>
#include <random>

#include "base/text.hpp"

namespace trustsql::testing_support {

namespace {

struct Rows {
  bool ok = false;
  std::string message{};
  std::vector<std::string> rows{};  // each a text in which equal rows are equal
  std::vector<std::string> sorted() const {
    auto copy = rows;
    std::sort(copy.begin(), copy.end());
    return copy;
  }
};

std::string text_of(sqlite3_stmt* statement, int column, bool exact_reals) {
  const int size = sqlite3_column_bytes(statement, column);
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER: return std::to_string(sqlite3_column_int64(statement, column));
    case SQLITE_FLOAT: {
      char text[40];
      std::snprintf(text, sizeof text, exact_reals ? "%.17gr" : "%.10g", sqlite3_column_double(statement, column));
      return text;
    }
    case SQLITE_TEXT:
      return "'" +
             std::string(reinterpret_cast<const char*>(sqlite3_column_text(statement, column)),
                         static_cast<std::size_t>(size)) +
             "'";
    case SQLITE_BLOB:
      return size == 0 ? "x''"
                       : "x'" +
                             std::string(static_cast<const char*>(sqlite3_column_blob(statement, column)),
                                         static_cast<std::size_t>(size)) +
                             "'";
    default: return "NULL";
  }
}

// How SQLite evaluates a query: as usual, with unordered scans reversed, without its optimisations.
struct Way {
  bool reverse = false;
  bool plain = false;
};

Rows run(sqlite3* db, const std::string& sql, const CompareOptions& options, Way way) {
  Rows result;
  const bool reverse = way.reverse;
  sqlite3_test_control(SQLITE_TESTCTRL_OPTIMIZATIONS, db, way.plain ? ~0U : 0U);
  sqlite3_exec(db, reverse ? "PRAGMA reverse_unordered_selects = 1" : "PRAGMA reverse_unordered_selects = 0", nullptr,
               nullptr, nullptr);
  sqlite3_stmt* statement = nullptr;
  int rc = sqlite3_prepare_v2(db, sql.c_str(), -1, &statement, nullptr);
  if (rc == SQLITE_OK && statement != nullptr) {
    int left = options.max_steps / 1000;
    sqlite3_progress_handler(
        db, 1000, [](void* counter) { return --*static_cast<int*>(counter) < 0 ? 1 : 0; }, &left);
    while ((rc = sqlite3_step(statement)) == SQLITE_ROW) {
      std::string row;
      for (int i = 0; i < sqlite3_column_count(statement); ++i)
        row += (i > 0 ? "|" : "") + text_of(statement, i, options.exact_reals);
      result.rows.push_back(std::move(row));
      if (result.rows.size() > 300'000) break;
    }
    sqlite3_progress_handler(db, 0, nullptr, nullptr);
  }
  result.ok = rc == SQLITE_DONE;
  result.message = result.ok ? "" : rc == SQLITE_ROW ? "too many rows" : sqlite3_errmsg(db);
  sqlite3_finalize(statement);
  sqlite3_exec(db, "PRAGMA reverse_unordered_selects = 0", nullptr, nullptr, nullptr);
  sqlite3_test_control(SQLITE_TESTCTRL_OPTIMIZATIONS, db, 0U);
  return result;
}

std::string show(const std::vector<std::string>& rows) {
  std::string text = std::to_string(rows.size()) + " rows";
  for (std::size_t i = 0; i < std::min<std::size_t>(rows.size(), 4); ++i)
    text += (i == 0 ? ": " : " / ") + rows[i].substr(0, 200);
  return text;
}

}  // namespace

Compared compare_results(sqlite3* db, const std::string& first, const std::string& second,
                         const CompareOptions& options) {
  const auto a = run(db, first, options, {});
  if (!a.ok) return {Agreement::failed, 0, a.message};
  const auto b = run(db, second, options, {});
  // SQL does not specify in which order, or whether at all, failing expressions are evaluated.
  for (const char* message : {"interrupted", "integer overflow", "too many rows"}) {
    if (b.message == message) return {Agreement::failed, 0, b.message};
  }
  if (!b.ok) return {Agreement::different, a.rows.size(), "fails: " + b.message, false};
  const bool same_bag = a.sorted() == b.sorted();
  if (same_bag && (!options.ordered || a.rows == b.rows)) return {Agreement::same, a.rows.size(), {}};
  const auto difference = same_bag ? "another order: " + show(a.rows) + " and " + show(b.rows)
                                   : show(a.sorted()) + " and " + show(b.sorted());
  for (const auto way : {Way{true, false}, Way{false, true}, Way{true, true}}) {
    const auto other = run(db, first, options, way);
    if (!other.ok) continue;
    if (same_bag && other.rows != a.rows) return {Agreement::unordered, a.rows.size(), difference};
    if (other.sorted() != a.sorted()) return {Agreement::loose, a.rows.size(), difference};
  }
  return {Agreement::different, a.rows.size(), difference};
}

void fill_at_random(sqlite3* db, const std::vector<std::string>& tables, const std::vector<std::string>& values,
                    unsigned seed) {
  std::mt19937 random(seed);
  const auto pick = [&](std::size_t n) {
    return static_cast<std::size_t>(std::uniform_int_distribution<std::size_t>(0, n - 1)(random));
  };
  const std::size_t null_percent = std::vector<std::size_t>{0, 10, 30}[pick(3)];
  for (const auto& table : tables) {
    std::string quoted = "\"";
    for (const char c : table) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    quoted += "\"";
    std::vector<std::string> columns;
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(db, ("PRAGMA main.table_info(" + quoted + ")").c_str(), -1, &statement, nullptr) ==
        SQLITE_OK) {
      while (sqlite3_step(statement) == SQLITE_ROW)
        columns.emplace_back(reinterpret_cast<const char*>(sqlite3_column_text(statement, 2)));
    }
    sqlite3_finalize(statement);
    if (columns.empty()) continue;
    sqlite3_exec(db, ("DELETE FROM main." + quoted).c_str(), nullptr, nullptr, nullptr);
    for (std::size_t row = 0, rows = pick(9); row < rows; ++row) {
      std::string insert = "INSERT OR IGNORE INTO main." + quoted + " VALUES (";
      for (std::size_t c = 0; c < columns.size(); ++c) {
        if (c > 0) insert += ", ";
        if (pick(100) < null_percent) {
          insert += "NULL";
        } else if (!values.empty() && pick(3) != 0) {
          insert += values[pick(values.size())];
        } else if (contains_ignore_case(columns[c], "char") || contains_ignore_case(columns[c], "text")) {
          insert += std::vector<std::string>{"'a'", "'b'", "'A'", "'1'"}[pick(4)];
        } else {
          insert += std::to_string(pick(4));
        }
      }
      sqlite3_exec(db, (insert + ")").c_str(), nullptr, nullptr, nullptr);
    }
  }
}

}  // namespace trustsql::testing_support
