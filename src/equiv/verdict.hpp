// The verdict on a pair of queries: proved equivalent, refuted by a counterexample, or unknown with a reason.
//
// Proved means: on every database that the schema allows and that satisfies the assumptions made, the two
// queries have the same result wherever neither fails. Refuted means: SQLite was observed to return different results
// on a database. Everything else is unknown; nothing is guessed.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/setting_specs.hpp"
#include "db/sandbox/sandbox.hpp"
#include "equiv/prover.hpp"
#include "equiv/refuter.hpp"
#include "sql/resolver.hpp"

namespace trustsql::equiv {

enum class Verdict : std::uint8_t { proved, refuted, unknown };

// "proved", "refuted", "unknown".
std::string_view name(Verdict verdict);

// Why a verdict is unknown. The list is closed and documented (docs/api.md).
enum class UnknownReason : std::uint8_t {
  invalid_query,      // SQLite cannot prepare one of the queries
  nondeterministic,   // a result depends on random(), the clock, or an order that the query leaves open
  unsupported,        // the prover or the search does not support something, and no counterexample was found
  undefined_types,    // SQLite's documentation does not define how some value is compared or stored
  assumption_needed,  // equal under an assumption that was not made, and no counterexample was found
  always_fails,       // one of the queries failed on every database that was tried
  limit,              // the limit on time or steps was reached
  undecided,          // neither a proof nor a counterexample was found
};

struct ReasonDescription {
  UnknownReason reason;
  std::string_view name;
  std::string_view description;
};
// All reasons, in the order of the enumeration.
std::span<const ReasonDescription> unknown_reasons();
std::string_view name(UnknownReason reason);

// What is asked about a pair.
struct ComparisonOptions {
  plan::Assume assume = plan::Assume::nothing();
  Deviations ignored;  // differences that do not count; deviations of databases are assumed not to occur
  RowsAs rows = RowsAs::automatic;
  bool best_grade = true;      // false: any counterexample will do, and the grade may be worse than necessary
  bool counterexample = true;  // false: the counterexample is neither shrunk nor written as a script
  std::chrono::milliseconds timeout{default_integer(Setting::equivalence_timeout_ms)};
  int databases = RefuteOptions::default_databases;  // maximum number of random databases
  std::uint64_t seed = RefuteOptions::default_seed;
  std::function<bool()> stop{};
};

struct ComparisonResult {
  Verdict verdict = Verdict::unknown;
  std::optional<UnknownReason> reason;  // if unknown
  std::string detail;                   // if unknown: more about the reason, in words; may be empty
  // For a proved pair, its proof; for an unknown one that lacks an assumption, a proof under that assumption; for a
  // refuted one, a proof under assumptions that the counterexample violates.
  std::optional<Proof> proof;
  std::optional<Counterexample> counterexample;  // if refuted
  int databases = 0;                             // on which both queries were run
  bool order_dependent = false;  // results differed, but only for some orders of rows that nothing fixes

  // How likely the two queries are to mean the same, from 0 to 1: grade_score() of the result.
  double score = 0;

  // What decided the verdict: "proof" or "counterexample"; empty if unknown.
  std::string_view method() const;
};

// Compares queries over one schema. Not thread-safe.
class QueryComparer {
 public:
  // For the schema of `source`, whose rows are not read. Errors: those of SandboxSource::catalog() and
  // Refuter::create().
  static Result<std::unique_ptr<QueryComparer>> create(SandboxSource& source, const SandboxLimits& limits);

  // The verdict on `a` and `b`, which are resolved with `dialect`. An invalid query gives the verdict unknown, not
  // an error. Errors: interrupted, out_of_memory.
  Result<ComparisonResult> compare(std::string_view a, std::string_view b, const ComparisonOptions& options,
                                   const ResolveOptions& dialect);

  const std::shared_ptr<const Catalog>& catalog() const { return catalog_; }

 private:
  QueryComparer(std::shared_ptr<const Catalog> catalog, std::unique_ptr<Refuter> refuter)
      : catalog_(std::move(catalog)), refuter_(std::move(refuter)) {}

  // The catalog under the assumptions of `options`.
  const Catalog& catalog_for(const ComparisonOptions& options);

  std::shared_ptr<const Catalog> catalog_;
  std::optional<Catalog> catalog_without_nulls_;  // created when first needed
  std::unique_ptr<Refuter> refuter_;
};

// The comparers of the most recently used schemas, kept as long as their schema does not change.
class ComparerCache {
 public:
  // The comparer for the schema of `source`. Valid until the next call. Errors: those of QueryComparer::create().
  Result<QueryComparer*> get(SandboxSource& source, const SandboxLimits& limits);

 private:
  static constexpr std::size_t capacity = 8;

  struct Entry {
    SandboxLimits limits;
    std::unique_ptr<QueryComparer> comparer;
  };
  std::vector<Entry> entries_;  // the most recently used one last
};

}  // namespace trustsql::equiv
