// Any two queries over a fixed schema get a verdict, with a reason if it is unknown, and what is proved holds on random
// databases.
//
// The queries are separated by the first ";". A text that begins with # is the seed of a random query instead
// (tests/unit/plan/trigger_queries.hpp), which is compared with a mutant of it.

#include <cstdint>

#include "db/sources/ddl_source.hpp"
#include "equiv/mutants.hpp"
#include "equiv/verdict.hpp"
#include "fuzz/check.hpp"
#include "fuzz/schema_database.hpp"
#include "plan/query_plan.hpp"
#include "sql/parser.hpp"
#include "sql/printer.hpp"
#include "sql/query_shape.hpp"
#include "unit/equiv/pair_tester.hpp"
#include "unit/plan/trigger_queries.hpp"

using namespace trustsql;
using namespace trustsql::testing_support;

namespace {

struct Trial {
  fuzz::SchemaDatabase database;
  std::shared_ptr<SandboxSource> source;
  std::unique_ptr<equiv::QueryComparer> comparer;

  explicit Trial(const char* schema) : database(schema) {
    const auto settings = Settings::create([](std::string_view) { return std::nullopt; });
    auto opened = open_ddl(schema, *settings);
    FUZZ_CHECK(opened.ok());
    source = *std::move(opened);
    auto created = equiv::QueryComparer::create(*source, SandboxLimits{});
    FUZZ_CHECK(created.ok());
    comparer = *std::move(created);
  }
};

void check(Trial& trial, const std::string& a, const std::string& b, bool assuming) {
  equiv::ComparisonOptions options;
  if (assuming) options.assume = plan::Assume::everything();
  options.timeout = std::chrono::milliseconds(2000);
  options.databases = 20;
  const auto comparison = trial.comparer->compare(a, b, options, {});
  FUZZ_CHECK(comparison.ok());
  FUZZ_CHECK((comparison->verdict == equiv::Verdict::unknown) == comparison->reason.has_value());
  FUZZ_CHECK((comparison->verdict == equiv::Verdict::refuted) == comparison->counterexample.has_value());
  if (comparison->verdict != equiv::Verdict::proved) return;
  FUZZ_CHECK(comparison->proof.has_value());

  PairTester tester(trial.database.db.get());
  FUZZ_CHECK(tester.plan(a) && tester.plan(b));
  tester.make_databases(5, 1);
  const bool ordered = has_outermost_order_by(a) || has_outermost_order_by(b);
  const auto outcome = tester.compare(a, b, !comparison->proof->assumptions.empty(), ordered);
  if (outcome.difference.empty()) return;
  std::fprintf(stderr, "a: %s\nb: %s\n%s\n", a.c_str(), b.c_str(), outcome.difference.c_str());
  for (const auto& step : comparison->proof->steps) std::fprintf(stderr, "  %s\n", step.what.c_str());
  const bool proof_holds = false;
  FUZZ_CHECK(proof_holds);
}

void check_mutant(Trial& trial, std::uint64_t seed) {
  const auto rules = TriggerQueries::rules();
  const std::string sql = TriggerQueries(seed).query(rules[seed % rules.size()]);
  const auto query = parse_query(sql);
  if (!query.ok()) return;
  const auto resolution = resolve(*query, trial.database.catalog);
  const auto mutants = equiv::mutants_of(*query, resolution.ok() ? &*resolution : nullptr);
  if (mutants.empty()) return;
  check(trial, sql, print_query(mutants[(seed >> 32) % mutants.size()].query), seed % 2 != 0);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Trial trial(TriggerQueries::schema());
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto seed = hash_bytes(text, 0);
  if (text.starts_with('#')) {
    check_mutant(trial, seed);
    return 0;
  }
  const auto split = text.find(';');
  if (split != std::string::npos) check(trial, text.substr(0, split), text.substr(split + 1), seed % 2 != 0);
  return 0;
}
