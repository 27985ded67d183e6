// Tests rules on queries: each rule alone, on the plan as it was built and on plans that other rules have changed, and
// all of them together; with and without assumptions.
#pragma once

#include <map>
#include <random>

#include "sql/functions.hpp"
#include "unit/plan/rule_oracle.hpp"

namespace trustsql::testing_support {

struct RuleCounts {
  int fired = 0;  // plans that the rule changed on its own
  int runs = 0;   // databases on which the results were compared then
  int loose = 0, doubtful = 0, different = 0;
};

struct TestCounts {
  int queries = 0;  // that were planned
  int refused = 0;  // that SQLite, the parser, the resolver or the builder reject
  int raw_different = 0;
  int raw_doubtful = 0;
  int incomplete = 0;  // normalisation ended by the step limit
  std::map<std::string, RuleCounts>
      rules{};  // by name; "(all)" is the driver with all rules, "(some)" with some, "(order)" the ordering alone
  std::vector<std::string> failures{};
  std::vector<std::string> doubts{};

  std::string to_text() const;
};

// The plan of a query, without a message if there is none.
std::optional<plan::Plan> plan_of(const std::string& sql, const Catalog& catalog, const FunctionTable& functions);

// The queries of one schema. `only`: test only this rule, not all together.
class RuleTester {
 public:
  RuleTester(sqlite3* source, const std::vector<std::string>& queries, int databases, std::uint64_t seed,
             TestCounts& counts);

  void run(std::string_view only = {});

 private:
  struct Query {
    std::string sql;
    plan::Plan plan;
  };
  void test(const Query& query, std::string_view only);
  // Compares; counts under `name`. Returns whether the results agree.
  bool check(const std::string& name, const RuleOracle::Original& original, const plan::Normalised& after,
             bool assuming, const std::string& before_sql);
  // The step of the driver at which the result changes.
  std::string culprit(const RuleOracle::Original& original, const plan::Plan& plan, plan::NormaliseOptions options,
                      bool assuming);

  TestCounts& counts_;
  std::mt19937_64 random_;
  Catalog catalog_;
  std::vector<Query> queries_;
  std::optional<RuleOracle> oracle_;
  std::map<std::pair<std::string, bool>, Verdict> verdicts_;  // of the query at hand, by text
};

}  // namespace trustsql::testing_support
