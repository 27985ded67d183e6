#include "unit/plan/rule_oracle.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "plan/order_dependence.hpp"

namespace trustsql::testing_support {

using namespace plan;

namespace {

std::string cell_text(sqlite3_stmt* statement, int column, bool merge_numbers) {
  const auto bytes = [&](const void* data) {
    return std::string(static_cast<const char*>(data),
                       static_cast<std::size_t>(sqlite3_column_bytes(statement, column)));
  };
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER: {
      const auto value = sqlite3_column_int64(statement, column);
      if (merge_numbers && std::abs(static_cast<double>(value)) < 1e9) return std::to_string(value) + "n";
      return std::to_string(value) + (merge_numbers ? "n" : "i");
    }
    case SQLITE_FLOAT: {
      double value = sqlite3_column_double(statement, column);
      if (value == 0) value = 0;  // -0.0
      char text[40];
      // Sums of reals depend on their order in the last digits.
      std::snprintf(text, sizeof text, merge_numbers ? "%.9gn" : "%.9gr", value);
      return text;
    }
    case SQLITE_TEXT: return "'" + bytes(sqlite3_column_text(statement, column)) + "'";
    case SQLITE_BLOB: return "x'" + bytes(sqlite3_column_blob(statement, column)) + "'";
    default: return "NULL";
  }
}

QueryRows run_query(sqlite3* db, const std::string& sql, bool merge_numbers, bool reversed) {
  QueryRows result;
  if (reversed) sqlite3_exec(db, "PRAGMA reverse_unordered_selects = 1", nullptr, nullptr, nullptr);
  sqlite3_stmt* statement = nullptr;
  int rc = sqlite3_prepare_v2(db, sql.c_str(), -1, &statement, nullptr);
  if (rc == SQLITE_OK && statement != nullptr) {
    int left = 300;
    sqlite3_progress_handler(
        db, 10'000, [](void* counter) { return --*static_cast<int*>(counter) < 0 ? 1 : 0; }, &left);
    while ((rc = sqlite3_step(statement)) == SQLITE_ROW && result.list.size() < 100'000) {
      std::string row;
      for (int i = 0; i < sqlite3_column_count(statement); ++i) row += cell_text(statement, i, merge_numbers) + "|";
      result.list.push_back(std::move(row));
    }
    sqlite3_progress_handler(db, 0, nullptr, nullptr);
  }
  result.ok = rc == SQLITE_DONE;
  if (!result.ok) result.message = rc == SQLITE_ROW ? "interrupted" : sqlite3_errmsg(db);
  sqlite3_finalize(statement);
  if (reversed) sqlite3_exec(db, "PRAGMA reverse_unordered_selects = 0", nullptr, nullptr, nullptr);
  result.bag = result.list;
  std::sort(result.bag.begin(), result.bag.end());
  return result;
}

// Errors of single rows, which a query may or may not raise, depending on whether it evaluates them.
bool is_error_of_a_row(const std::string& message) {
  for (const char* known : {"integer overflow", "malformed JSON", "interrupted", "pattern too complex",
                            "ESCAPE expression", "datatype mismatch", "too big", "JSON path"}) {
    if (message.find(known) != message.npos) return true;
  }
  return false;
}

std::string show_rows(const std::vector<std::string>& rows) {
  std::string text = std::to_string(rows.size()) + " rows";
  for (std::size_t i = 0; i < std::min<std::size_t>(rows.size(), 5); ++i)
    text += (i == 0 ? ": " : " / ") + rows[i].substr(0, 200);
  return text;
}

std::string dump(sqlite3* db) {
  std::string text;
  sqlite3_stmt* tables = nullptr;
  sqlite3_prepare_v2(db, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'", -1, &tables,
                     nullptr);
  while (sqlite3_step(tables) == SQLITE_ROW) {
    const std::string name(reinterpret_cast<const char*>(sqlite3_column_text(tables, 0)));
    const auto rows = run_query(db, "SELECT * FROM \"" + name + "\"", false, false);
    if (!rows.list.empty()) text += "\n    " + name + ": ";
    for (const auto& row : rows.list) text += row + " / ";
  }
  sqlite3_finalize(tables);
  return text.substr(0, 3000);
}

}  // namespace

RuleOracle::RuleOracle(sqlite3* source, const Catalog& catalog, const std::vector<const Plan*>& plans, int count,
                       std::uint64_t seed) {
  const DatabaseMaker maker(source, catalog, plans);
  for (int i = 0; i < count; ++i) {
    for (const auto manner : {Manner::orderly, Manner::wild})
      databases_.push_back(
          {maker.make(manner, mix64(seed + static_cast<std::uint64_t>(i) * 2 + (manner == Manner::wild ? 1 : 0))),
           manner});
  }
}

RuleOracle::Original RuleOracle::run(const std::string& sql, const Plan& plan) {
  const auto* sort = order_of_result(plan.root);
  Original original{.sql = sql,
                    .ordered = sort != nullptr,
                    .total = sort != nullptr && is_total_order(*sort, plan),
                    .loose = !order_dependence(plan).empty()};
  for (const auto& entry : databases_) original.rows.push_back(run_query(entry.db.get(), sql, original.loose, false));
  return original;
}

Verdict RuleOracle::compare(const Original& original, const std::string& sql, bool orderly_only) {
  Verdict verdict;
  using Outcome = Verdict::Outcome;
  for (std::size_t i = 0; i < databases_.size(); ++i) {
    const auto& expected = original.rows[i];
    if (!expected.ok || (orderly_only && databases_[i].manner != Manner::orderly)) continue;
    auto* db = databases_[i].db.get();
    const auto actual = run_query(db, sql, original.loose, false);
    ++verdict.runs;
    if (!actual.ok) {
      if (is_error_of_a_row(actual.message)) continue;
      return {Outcome::different, verdict.runs, actual.message};
    }
    if (actual.bag == expected.bag && (!original.ordered || actual.list == expected.list)) continue;
    const auto reversed = run_query(db, original.sql, original.loose, true);
    const bool only_order = actual.bag == expected.bag;
    const auto difference = (only_order ? "order: " + show_rows(expected.list) + "  AND  " + show_rows(actual.list)
                                        : show_rows(expected.bag) + "  AND  " + show_rows(actual.bag)) +
                            dump(db);
    if (only_order) {
      if (original.total && !original.loose) return {Outcome::different, verdict.runs, difference};
      if (reversed.list != expected.list) continue;  // ties
      // Ties that come in the same order forwards and backwards are possible, too; the terms of ORDER BY decide.
      verdict = {Outcome::doubtful, verdict.runs, difference};
      continue;
    }
    if (!original.loose) return {Outcome::different, verdict.runs, difference};
    if (verdict.outcome == Outcome::doubtful) continue;
    const bool open = reversed.bag != expected.bag;
    if (!open || verdict.outcome == Outcome::same)
      verdict = {open ? Outcome::loose : Outcome::doubtful, verdict.runs, difference};
  }
  if (verdict.runs == 0) verdict.outcome = Outcome::skipped;
  return verdict;
}

}  // namespace trustsql::testing_support
