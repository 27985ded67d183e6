// The normaliser on any query over a fixed schema: what comes out of it can be written as SQL that SQLite prepares,
// gives what the query gives on small databases, and does not change when it is normalised again.
//
// A text that begins with # is the seed of a random query instead: of tests/unit/sql/query_generator.hpp after a second
// #, else of tests/unit/plan/trigger_queries.hpp.

#include <cstdint>

#include "fuzz/check.hpp"
#include "fuzz/schema_database.hpp"
#include "plan/to_sql.hpp"
#include "plan/walk.hpp"
#include "unit/plan/rule_tester.hpp"
#include "unit/plan/trigger_queries.hpp"
#include "unit/sql/query_generator.hpp"

using namespace trustsql;
using namespace trustsql::testing_support;

namespace {

// A schema and the databases on which queries over it are tried.
struct Trial {
  fuzz::SchemaDatabase database;
  RuleOracle oracle;

  explicit Trial(const char* schema)
      : database(schema), oracle(database.db.get(), database.catalog, std::vector<const plan::Plan*>(), 2, 1) {}
};

// Whether the operators and expressions of a plan are too many to try it on.
bool is_large(const plan::Rel& root) {
  int count = 0;
  plan::walk(root, plan::Overloaded{[&](const plan::Rel&) { ++count; }, [&](const plan::Expr&) { ++count; }});
  return count > 300;
}

void check(Trial& trial, const std::string& sql) {
  static const FunctionTable functions = FunctionTable::built_in(sqlite3_libversion_number());
  const auto plan = plan_of(sql, trial.database.catalog, functions);
  if (!plan || plan::is_volatile(plan->root) || is_large(plan->root)) return;
  const auto original = trial.oracle.run(sql, *plan);
  const auto expect_same = [&](const char* form, const std::string& rewritten, bool orderly_only) {
    const auto verdict = trial.oracle.compare(original, rewritten, orderly_only);
    if (verdict.outcome != Verdict::Outcome::different) return;
    std::fprintf(stderr, "%s\n%s: %s\n%s\n", sql.c_str(), form, rewritten.c_str(), verdict.difference.c_str());
    const bool same_results = false;
    FUZZ_CHECK(same_results);
  };
  expect_same("raw", plan::to_sql(*plan), false);
  for (const bool assuming : {false, true}) {
    plan::NormaliseOptions options;
    options.assume = assuming ? plan::Assume::everything() : plan::Assume::nothing();
    options.assume.number_texts = false;  // the columns of texts hold neither numbers nor dates here
    options.verify = true;
    const auto once = plan::normalise(*plan, options);
    expect_same(assuming ? "normalised, assuming" : "normalised", plan::to_sql(once.plan),
                assuming && !once.assumptions.empty());
    if (!once.complete) continue;
    const auto twice = plan::normalise(once.plan, options);
    if (plan::same_tree(once.plan, twice.plan)) continue;
    std::fprintf(stderr, "%s\n%s\n%s\n", sql.c_str(), plan::to_sql(once.plan).c_str(),
                 plan::to_sql(twice.plan).c_str());
    const bool normalised_once_and_for_all = false;
    FUZZ_CHECK(normalised_once_and_for_all);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Trial forms(TriggerQueries::schema());
  static Trial random(QueryGenerator::schema());
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (!text.starts_with('#')) {
    check(forms, text);
    return 0;
  }
  const auto seed = hash_bytes(text, 0);
  if (text.starts_with("##")) {
    check(random, QueryGenerator(seed, 0).query());
  } else {
    const auto rules = TriggerQueries::rules();
    check(forms, TriggerQueries(seed).query(rules[seed % rules.size()]));
  }
  return 0;
}
