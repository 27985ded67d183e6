#include "unit/equiv/pair_tester.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "db/catalog/catalog_reader.hpp"
#include "plan/normaliser.hpp"
#include "plan/query_plan.hpp"
#include "sql/functions.hpp"

namespace trustsql::testing_support {

namespace {

struct Rows {
  bool ok = false;
  std::vector<std::string> rows{};
};

// A value as text: 1 and 1.0 are equal, and so are reals that differ in their last digits, since sums of reals depend
// on their order.
std::string text_of(sqlite3_stmt* statement, int column) {
  const auto bytes = [&](const void* data) {
    return std::string(static_cast<const char*>(data),
                       static_cast<std::size_t>(sqlite3_column_bytes(statement, column)));
  };
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER: {
      const auto value = sqlite3_column_int64(statement, column);
      if (std::abs(static_cast<double>(value)) < 1e8) return std::to_string(value);
      char text[40];
      std::snprintf(text, sizeof text, "%.9g", static_cast<double>(value));
      return text;
    }
    case SQLITE_FLOAT: {
      double value = sqlite3_column_double(statement, column);
      if (value == 0) value = 0;  // -0.0
      char text[40];
      std::snprintf(text, sizeof text, "%.9g", value);
      return text;
    }
    case SQLITE_TEXT: return "'" + bytes(sqlite3_column_text(statement, column)) + "'";
    case SQLITE_BLOB: return "x'" + bytes(sqlite3_column_blob(statement, column)) + "'";
    default: return "NULL";
  }
}

// How long a query may take: in steps of SQLite's virtual machine, and in time, since a step may write a long row to
// the disk.
struct Patience {
  int thousands_of_steps = 1000;
  std::chrono::steady_clock::time_point end = std::chrono::steady_clock::now() + std::chrono::milliseconds(500);

  static int is_over(void* patience) {
    auto& self = *static_cast<Patience*>(patience);
    return --self.thousands_of_steps < 0 || std::chrono::steady_clock::now() > self.end ? 1 : 0;
  }
};

Rows run(sqlite3* db, const std::string& sql) {
  Rows result;
  sqlite3_stmt* statement = nullptr;
  int rc = sqlite3_prepare_v2(db, sql.c_str(), -1, &statement, nullptr);
  if (rc == SQLITE_OK && statement != nullptr) {
    Patience patience;
    sqlite3_progress_handler(db, 1000, Patience::is_over, &patience);
    while ((rc = sqlite3_step(statement)) == SQLITE_ROW && result.rows.size() < 50'000) {
      std::string row;
      for (int i = 0; i < sqlite3_column_count(statement); ++i) row += text_of(statement, i) + "|";
      result.rows.push_back(std::move(row));
    }
    sqlite3_progress_handler(db, 0, nullptr, nullptr);
  }
  result.ok = rc == SQLITE_DONE;
  sqlite3_finalize(statement);
  return result;
}

std::string shown(const std::vector<std::string>& rows) {
  std::string text = std::to_string(rows.size()) + " rows";
  for (std::size_t i = 0; i < std::min<std::size_t>(rows.size(), 8); ++i)
    text += (i == 0 ? ": " : " / ") + rows[i].substr(0, 200);
  return text;
}

std::string dump(sqlite3* db) {
  std::string text;
  for (const auto& row :
       run(db, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'").rows) {
    const auto name = row.substr(1, row.size() - 3);
    const auto rows = run(db, "SELECT * FROM \"" + name + "\"").rows;
    if (rows.empty()) continue;
    text += "\n    " + name + ": ";
    for (const auto& each : rows) text += each + " / ";
  }
  return text.substr(0, 2000);
}

}  // namespace

PairTester::PairTester(sqlite3* source) : source_(source) {
  if (auto catalog = read_catalog(source); catalog.ok()) catalog_ = *std::move(catalog);
}

std::optional<plan::Plan> PairTester::plan(const std::string& sql) {
  static const FunctionTable functions = FunctionTable::built_in(sqlite3_libversion_number());
  sqlite3_stmt* statement = nullptr;
  const bool prepares = sqlite3_prepare_v2(source_, sql.c_str(), -1, &statement, nullptr) == SQLITE_OK;
  sqlite3_finalize(statement);
  if (!prepares) return std::nullopt;
  auto planned = plan::plan_query(sql, catalog_, {.functions = &functions, .version = sqlite3_libversion_number()});
  if (!planned.ok()) return std::nullopt;
  plan::verify_or_throw(*planned, "the builder");
  plan::normalise(*planned, {.assume = plan::Assume::everything(), .verify = true});  // throws if it is not in order
  plans_.push_back(*planned);
  return *std::move(planned);
}

void PairTester::make_databases(int count, std::uint64_t seed) {
  std::vector<const plan::Plan*> plans;
  for (const auto& plan : plans_) plans.push_back(&plan);
  const DatabaseMaker maker(source_, catalog_, plans);
  for (int i = 0; i < count; ++i) {
    for (const auto manner : {Manner::orderly, Manner::wild}) {
      const auto number = static_cast<std::uint64_t>(i) * 2 + (manner == Manner::wild ? 1 : 0);
      databases_.push_back({maker.make(manner, mix64(seed + number)), manner});
    }
  }
}

PairTester::Outcome PairTester::compare(const std::string& a, const std::string& b, bool orderly_only, bool ordered) {
  Outcome outcome;
  for (const auto& [db, manner] : databases_) {
    if (orderly_only && manner == Manner::wild) continue;
    auto of_a = run(db.get(), a);
    auto of_b = run(db.get(), b);
    if (!of_a.ok || !of_b.ok) continue;
    ++outcome.runs;
    if (!ordered) {
      std::sort(of_a.rows.begin(), of_a.rows.end());
      std::sort(of_b.rows.begin(), of_b.rows.end());
    }
    if (of_a.rows == of_b.rows) continue;
    outcome.difference = "a: " + shown(of_a.rows) + "\n  b: " + shown(of_b.rows) + dump(db.get());
    return outcome;
  }
  return outcome;
}

}  // namespace trustsql::testing_support
