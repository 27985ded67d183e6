// The table of functions against those that SQLite has, and against what they return.
#include "sql/functions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "db/sqlite/connection.hpp"

namespace trustsql {
namespace {

using Returns = SqlFunction::Returns;

// Values that are special to some function: numbers as texts, modifiers of dates, formats, JSON and its paths.
constexpr std::array<const char*, 17> samples = {
    "NULL",         "0",          "2",     "-3",          "2.5",   "1e300", "''", "'abc'", "'12'", "'x%d %Y'",
    "'2024-05-17'", "'+1 month'", "'[1]'", "'{\"a\":2}'", "'$.a'", "x'41'", "x''"};

class Functions : public ::testing::Test {
 protected:
  Functions() { sqlite3_open(":memory:", &db_); }
  ~Functions() override { sqlite3_close(db_); }

  // The types of the values in the first row of `sql`; none if it fails.
  std::vector<TypeSet> types_of(const std::string& sql) {
    std::vector<TypeSet> types;
    auto statement = prepare(db_, sql);
    if (!statement) return types;
    const auto row = statement->step();
    if (!row || !*row) return types;
    for (int i = 0; i < statement->column_count(); ++i) types.emplace_back(statement->column(i).type);
    return types;
  }

  const int version_ = sqlite3_libversion_number();
  const FunctionTable table_ = FunctionTable::built_in(version_);
  sqlite3* db_ = nullptr;
};

TEST_F(Functions, AreThoseOfSqlite) {
  // The library may have been built with more than the usual: what FTS5, R-Tree and the like add is not asked for.
  auto statement = prepare(db_, "SELECT name, narg, type FROM pragma_function_list WHERE builtin");
  ASSERT_TRUE(statement.ok());
  int known = 0;
  while (*statement->step()) {
    const std::string name(statement->column_text(0));
    const auto arguments = static_cast<int>(statement->column_integer(1));
    if (!table_.has(name)) continue;
    ++known;
    const auto* function = table_.find(name, arguments < 0 ? 3 : arguments);
    EXPECT_NE(function, nullptr) << name << " with " << arguments << " arguments";
    if (function != nullptr) {
      EXPECT_EQ(function->kind == SqlFunction::Kind::scalar, statement->column_text(2) == "s") << name;
    }
  }
  EXPECT_GT(known, 100);
}

// Calls `function` with all samples for up to two arguments, and with some for the others.
template <typename Call>
void for_each_call(const SqlFunction& function, const Call& call) {
  for (int count = function.min_arguments;
       count <= std::min(3, function.max_arguments < 0 ? 3 : function.max_arguments); ++count) {
    std::size_t calls = 1;
    for (int i = 0; i < count; ++i) calls *= samples.size();
    for (std::size_t n = 0; n < calls; ++n) {
      std::vector<std::string> arguments;
      for (std::size_t i = 0, rest = n; i < static_cast<std::size_t>(count); ++i, rest /= samples.size())
        arguments.emplace_back(samples[rest % samples.size()]);
      call(arguments);
    }
  }
}

std::string list_of(const std::vector<std::string>& items) {
  std::string list;
  for (const auto& item : items) list += (list.empty() ? "" : ", ") + item;
  return list;
}

TEST_F(Functions, ReturnTheirTypes) {
  int values = 0;
  for (const auto& function : table_.all()) {
    if (function.kind != SqlFunction::Kind::scalar || function.name.starts_with("->")) continue;
    if (function.returns != Returns::types && function.returns != Returns::null_if_any) continue;
    for_each_call(function, [&](const std::vector<std::string>& arguments) {
      const auto sql = "SELECT " + std::string(function.name) +
                       (function.name.starts_with("current_") ? "" : "(" + list_of(arguments) + ")");
      bool may_be_null = function.returns == Returns::types;
      for (const auto& argument : arguments) may_be_null = may_be_null || argument == "NULL";
      for (const auto type : types_of(sql)) {
        ++values;
        EXPECT_TRUE(type.is_subset_of(
            may_be_null && function.returns == Returns::null_if_any ? function.types.with_null() : function.types))
            << sql;
      }
    });
    if (HasFailure()) break;
  }
  EXPECT_GT(values, 10'000);
}

TEST_F(Functions, AreNullForNull) {
  int calls = 0;
  for (const auto& function : table_.all()) {
    if (function.kind != SqlFunction::Kind::scalar || function.strict_arguments == 0 ||
        function.name.starts_with("current_"))
      continue;
    for_each_call(function, [&](const std::vector<std::string>& arguments) {
      bool is_null = false;
      for (std::size_t i = 0; i < arguments.size(); ++i)
        is_null = is_null || (arguments[i] == "NULL" && function.is_strict_in(i));
      if (!is_null) return;
      const auto sql = "SELECT " + std::string(function.name) + "(" + list_of(arguments) + ")";
      for (const auto type : types_of(sql)) {
        ++calls;
        EXPECT_TRUE(type == types::null) << sql;
      }
    });
    if (HasFailure()) break;
  }
  EXPECT_GT(calls, 1'000);
}

// Of a group of two rows, and of none.
TEST_F(Functions, AggregatesReturnTheirTypes) {
  for (const auto& function : table_.all()) {
    if (function.kind != SqlFunction::Kind::window_aggregate || function.returns == Returns::one_of_group) continue;
    const bool null_for_none = function.returns == Returns::sum;
    const auto expected = null_for_none ? function.types.with_null() : function.types;
    for_each_call(function, [&](const std::vector<std::string>& arguments) {
      const auto sql =
          "SELECT " + std::string(function.name) + "(" + list_of(arguments) + ") FROM (SELECT 1 UNION SELECT 2)";
      for (const auto type : types_of(sql)) EXPECT_TRUE(type.is_subset_of(expected)) << sql;
      for (const auto type : types_of(sql + " WHERE 0"))
        EXPECT_TRUE(type.is_subset_of(null_for_none ? types::null : expected)) << sql << " WHERE 0";
    });
  }
}

// A sample in JSON, or as it is if it is not JSON.
std::string as_json(const std::string& sample) {
  return "iif(json_valid(" + sample + "), json(" + sample + "), " + sample + ")";
}

// Which results are marked as JSON, if no argument is and if all that can be are.
TEST_F(Functions, MarkJson) {
  int marked = 0;
  for (const auto& function : table_.all()) {
    if (function.kind != SqlFunction::Kind::scalar || function.name.starts_with("current_")) continue;
    // The arrows are functions as well, with names to be quoted.
    const auto call_of = [&](const std::vector<std::string>& arguments) {
      return "\"" + std::string(function.name) + "\"(" + list_of(arguments) + ")";
    };
    const auto is_true = [&](const std::string& sql) {
      auto statement = prepare(db_, "SELECT " + sql);
      if (!statement.ok()) return false;
      const auto row = statement->step();
      return row.ok() && *row && statement->column_integer(0) != 0;
    };
    for_each_call(function, [&](const std::vector<std::string>& arguments) {
      auto of_json = arguments;
      for (auto& argument : of_json) argument = as_json(argument);
      const bool marks = is_true("subtype(" + call_of(arguments) + ")");
      marked += marks ? 1 : 0;
      if (marks) {
        EXPECT_EQ(function.subtype, SqlFunction::Subtype::json) << call_of(arguments);
      } else if (is_true("subtype(" + call_of(of_json) + ")")) {
        EXPECT_NE(function.subtype, SqlFunction::Subtype::none) << call_of(of_json);
      }
    });
    if (HasFailure()) break;
  }
  EXPECT_GT(marked, 1'000);
}

// A function that tells JSON from an equal text.
TEST_F(Functions, ReadSubtypes) {
  std::vector<std::string> readers;
  for (const auto& function : table_.all()) {
    bool reads = false;
    if (!function.deterministic || function.kind == SqlFunction::Kind::window || function.name.starts_with("current_"))
      continue;
    for_each_call(function, [&](const std::vector<std::string>& arguments) {
      if (reads) return;
      auto of_json = arguments;
      auto of_text = arguments;
      for (auto& argument : of_json) argument = as_json(argument);
      for (auto& argument : of_text)
        argument = "iif(json_valid(" + argument + "), trim(json(" + argument + ")), " + argument + ")";
      const auto name = "\"" + std::string(function.name) + "\"";
      auto statement = prepare(
          db_, "SELECT quote(" + name + "(" + list_of(of_json) + ")), quote(" + name + "(" + list_of(of_text) + "))");
      if (!statement.ok()) return;
      const auto row = statement->step();
      reads = row.ok() && *row && statement->column_text(0) != statement->column_text(1);
    });
    EXPECT_TRUE(!reads || function.reads_subtype) << function.name;
    if (reads) readers.emplace_back(function.name);
  }
  for (const auto* name : {"json_array", "json_group_array", "json_set", "json_object", "json_quote", "subtype"})
    EXPECT_TRUE(std::ranges::find(readers, name) != readers.end()) << name;
}

TEST_F(Functions, OfDates) {
  for (const auto* name : {"date", "STRFTIME", "julianday", "timediff", "current_timestamp", "Unixepoch"})
    EXPECT_TRUE(FunctionTable::latest().is_date_function(name)) << name;
  for (const auto* name : {"", "dates", "substr", "random"})
    EXPECT_FALSE(FunctionTable::latest().is_date_function(name)) << name;
  // An index refuses a call that reads the clock, and date functions read it without a time.
  sqlite3_exec(db_, "CREATE TABLE t(a); INSERT INTO t VALUES (1)", nullptr, nullptr, nullptr);
  for (const auto& function : table_.all()) {
    if (!function.deterministic || function.kind != SqlFunction::Kind::scalar || function.min_arguments > 0) continue;
    const bool called = !function.name.starts_with("current_");
    const auto sql = "CREATE INDEX IF NOT EXISTS i ON t(a, " + std::string(function.name) + (called ? "())" : ")");
    sqlite3_exec(db_, "DROP INDEX IF EXISTS i", nullptr, nullptr, nullptr);
    sqlite3_exec(db_, sql.c_str(), nullptr, nullptr, nullptr);
    const bool reads_clock = std::string_view(sqlite3_errmsg(db_)).starts_with("non-deterministic use");
    EXPECT_EQ(reads_clock, function.of_dates && function.name != "strftime" && called)
        << sql << ": " << sqlite3_errmsg(db_);
  }
}

}  // namespace
}  // namespace trustsql
