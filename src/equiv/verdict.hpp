// The verdict on a pair of queries: proved equivalent, refuted by a counterexample, or unknown with a reason.
//
// Proved means: on every database that the schema allows and that keeps the assumptions which the question makes, the
// two queries have the same result wherever neither fails. Refuted means: SQLite was seen to give different results on
// a database. Whatever is neither is unknown; nothing is guessed.
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
#include "db/sandbox.hpp"
#include "equiv/prover.hpp"
#include "equiv/refuter.hpp"
#include "sql/resolver.hpp"

namespace trustsql::equiv {

enum class Verdict : std::uint8_t { proved, refuted, unknown };

// "proved", "refuted", "unknown".
std::string_view name(Verdict verdict);

// Why a verdict is unknown. The list is closed and documented (docs/api.md).
enum class UnknownReason : std::uint8_t {
  invalid_query,      // SQLite does not prepare one of them
  nondeterministic,   // a result hangs on random(), or on an order of rows that the query leaves open
  unsupported,        // one uses what the prover cannot read, and no counterexample was found
  undefined_types,    // how SQLite compares or stores some value is not fixed by its documentation
  assumption_needed,  // equal if something holds that the question does not assume, and no counterexample was found
  always_fails,       // one of them failed on every database that was tried
  limit,              // the time or the number of steps was spent
  undecided,          // neither a proof nor a counterexample was found
};

struct ReasonDescription {
  UnknownReason reason;
  std::string_view name;
  std::string_view description;
};
// All of them, in the order of the enumeration.
std::span<const ReasonDescription> unknown_reasons();
std::string_view name(UnknownReason reason);

// What is asked of a pair.
struct Question {
  plan::Assume assume = plan::Assume::nothing();
  Deviations ignored;  // what does not count as a difference; of the database's: what is assumed not to occur
  RowsAs rows = RowsAs::automatic;
  bool best_grade = true;      // false: any counterexample will do, and the grade may be worse than it need be
  bool counterexample = true;  // false: it is neither shrunk nor written down
  std::chrono::milliseconds timeout{5'000};
  int databases = 300;  // random ones, at most
  std::uint64_t seed = 1;
  std::function<bool()> stop{};
};

struct Comparison {
  Verdict verdict = Verdict::unknown;
  std::optional<UnknownReason> reason;  // of an unknown
  std::string detail;                   // of an unknown: more of it, in words; may be empty
  std::optional<Proof> proof;  // of a proved pair; of an unknown for want of an assumption: the proof that makes it;
                               // of a refuted one: a proof under assumptions that the counterexample breaks
  std::optional<Counterexample> counterexample;  // of a refuted pair
  int databases = 0;                             // on how many both were run
  bool order_dependent = false;  // results differed, but only for some orders of rows that nothing fixes

  // How likely the two are to mean the same, from 0 to 1: grade_score() of what was found.
  double score = 0;

  // What decided it: "proof" or "counterexample"; empty for an unknown.
  std::string_view method() const;
};

// Compares queries over one schema. Not thread-safe.
class QueryComparer {
 public:
  // For the schema of `source`, whose rows are not looked at. Errors: of SandboxSource::catalog() and
  // Refuter::create().
  static Result<std::unique_ptr<QueryComparer>> create(SandboxSource& source, const SandboxLimits& limits);

  // The verdict on `a` and `b`. A query that is wrong is an unknown, not an error.
  // `dialect`: what the queries are resolved with. Errors: interrupted, out_of_memory.
  Result<Comparison> compare(std::string_view a, std::string_view b, const Question& question,
                             const ResolveOptions& dialect);

  const std::shared_ptr<const Catalog>& catalog() const { return catalog_; }

 private:
  static constexpr int glance_databases = 10;

  QueryComparer(std::shared_ptr<const Catalog> catalog, std::unique_ptr<Refuter> refuter)
      : catalog_(std::move(catalog)), refuter_(std::move(refuter)) {}

  // The catalog in the world of `question`.
  const Catalog& catalog_for(const Question& question);

  std::shared_ptr<const Catalog> catalog_;
  std::optional<Catalog> catalog_without_nulls_;  // made when it is first needed
  std::unique_ptr<Refuter> refuter_;
};

// The comparers of the schemas that were asked about last, which are kept while their schema stays as it is.
class ComparerCache {
 public:
  // The comparer for the schema of `source`. Valid until the next call. Errors: of QueryComparer::create().
  Result<QueryComparer*> get(SandboxSource& source, const SandboxLimits& limits);

 private:
  static constexpr std::size_t capacity = 8;

  struct Entry {
    SandboxLimits limits;
    std::unique_ptr<QueryComparer> comparer;
  };
  std::vector<Entry> entries_;  // the last used one last
};

}  // namespace trustsql::equiv
