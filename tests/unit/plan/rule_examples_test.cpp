// The example of each rule (RuleExample): the rule alone turns the one plan into the other, and SQLite gives the same
// rows for both.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "db/catalog/catalog_reader.hpp"
#include "plan/all_rules.hpp"
#include "plan/show.hpp"
#include "plan/to_sql.hpp"
#include "unit/plan/rule_tester.hpp"
#include "unit/test_run.hpp"

namespace trustsql {
namespace {

using namespace testing_support;

// The text of a plan on one line, with the inputs of each operator in parentheses.
std::string on_one_line(const std::string& plan_text) {
  std::istringstream lines(plan_text);
  std::string result;
  std::size_t depth = 0;
  for (std::string line; std::getline(lines, line);) {
    const auto indent = line.find_first_not_of(' ') / 2;
    if (indent > depth) {
      result += " (";
    } else if (!result.empty()) {
      result += std::string(depth - indent, ')') + ", ";
    }
    depth = indent;
    result += line.substr(indent * 2);
  }
  return result + std::string(depth, ')');
}

class RuleExamples : public ::testing::Test {
 protected:
  RuleExamples() {
    sqlite3* opened = nullptr;
    sqlite3_open(":memory:", &opened);
    db_.reset(opened);
    EXPECT_EQ(sqlite3_exec(opened, std::string(plan::RuleExample::schema).c_str(), nullptr, nullptr, nullptr),
              SQLITE_OK)
        << sqlite3_errmsg(opened);
    catalog_ = *read_catalog(opened);
  }

  static plan::Normalised apply(plan::Plan plan, const std::vector<const plan::Rule*>& rules) {
    return plan::normalise(
        std::move(plan), {.assume = plan::Assume::everything(), .rules = rules, .put_in_order = false, .verify = true});
  }

  // The rules with these names, separated by blanks.
  static std::vector<const plan::Rule*> rules_named(std::string_view names) {
    std::vector<const plan::Rule*> rules;
    std::istringstream words{std::string(names)};
    for (std::string name; words >> name;) {
      const auto before = rules.size();
      for (const auto* rule : plan::all_rules()) {
        if (rule->name == name) rules.push_back(rule);
      }
      EXPECT_GT(rules.size(), before) << "no rule " << name;
    }
    return rules;
  }

  Database db_;
  Catalog catalog_;
};

TEST_F(RuleExamples, TurnIntoEachOther) {
  TRUSTSQL_SKIP_BEFORE_3_39();
  static const FunctionTable functions = FunctionTable::built_in(sqlite3_libversion_number());
  for (const auto* rule : plan::all_rules()) {
    const auto& example = rule->example;
    const std::string query(example.before);
    SCOPED_TRACE(std::string(rule->name) + ": " + query);
    auto built = plan_of(query, catalog_, functions);
    ASSERT_TRUE(built.has_value());
    const auto prepared = example.prepared_by.empty() ? plan::Normalised{.plan = *built, .fired = {}, .assumptions = {}}
                                                      : apply(*built, rules_named(example.prepared_by));
    const auto result = apply(prepared.plan, {rule});
    EXPECT_EQ(result.fired.size(), 1U) << "the rule does not fire";
    EXPECT_EQ(on_one_line(plan_text(result.plan, plan::Naming::canonical)), example.after);

    RuleOracle oracle(db_.get(), catalog_, {&*built}, 10, 1);
    const auto original = oracle.run(query, *built);
    const bool assuming = !prepared.assumptions.empty() || !result.assumptions.empty();
    const auto verdict = oracle.compare(original, to_sql(result.plan), assuming);
    EXPECT_GT(verdict.runs, 0);
    EXPECT_TRUE(verdict.outcome == Verdict::Outcome::same || verdict.outcome == Verdict::Outcome::loose)
        << to_sql(result.plan) << "\n"
        << verdict.difference;
  }
}

// Each rule is found by its name: in the pair of files that has it.
TEST(RuleFiles, HaveTheNamesOfTheRules) {
  const std::filesystem::path folder = TRUSTSQL_SOURCE_DIR "/src/plan/rules";
  for (const auto* rule : plan::all_rules()) {
    for (const char* suffix : {".hpp", ".cpp"})
      EXPECT_TRUE(std::filesystem::exists(folder / (std::string(rule->name) + suffix))) << rule->name;
  }
}

}  // namespace
}  // namespace trustsql
