// Comparison of two systems on the same questions: which errors the second fixes and which it introduces (DART-SQL's
// Table 4), whether the difference is more than chance (McNemar's test), and how large the difference in RS is (paired
// bootstrap).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "score/reliability/outcome_table.hpp"
#include "score/reliability/reliability.hpp"
#include "score/statistics/bootstrap.hpp"
#include "score/statistics/mcnemar.hpp"

namespace trustsql {

// Errors, that is wrong answers (III, IV), of one kind. Each error counts under the kind that its own system's row
// gives.
struct ErrorChanges {
  std::string kind;
  std::int64_t errors_a = 0;    // fixed + withheld + questions that both get wrong
  std::int64_t errors_b = 0;    // introduced + exposed + questions that both get wrong
  std::int64_t fixed = 0;       // a is wrong, b is useful (I, V)
  std::int64_t introduced = 0;  // a is useful, b is wrong
  std::int64_t withheld = 0;    // a is wrong, b abstains though the question is feasible (II)
  std::int64_t exposed = 0;     // a abstains though the question is feasible, b is wrong
};

// RS of both systems at one penalty, in percent, and the interval of b - a.
struct ScoreDifference {
  double a = 0;
  double b = 0;
  std::optional<Interval> interval;
};

struct SystemDiff {
  std::int64_t n = 0;  // questions for which both systems have a case
  CaseCounts counts_a, counts_b;
  ErrorChanges total;               // over all kinds; `kind` is empty
  std::vector<ErrorChanges> kinds;  // by descending sum of fixed and introduced, then by name
  std::int64_t gained = 0;          // useful (I, V) in b only
  std::int64_t lost = 0;            // useful in a only
  McNemar test;                     // gained against lost
  ScoreDifference rs_0, rs_10, rs_n;
};

struct DiffOptions {
  MissingRows missing = MissingRows::error;
  bool clustered = false;
  BootstrapOptions bootstrap = {};
};

// The numbers of the systems named `a` and `b`; if neither is given, those of the two systems that the table has.
// Errors (invalid_argument, naming the systems that there are): there is no such system; only one is given; none is
// given and the table does not have two.
Result<std::pair<std::uint32_t, std::uint32_t>> systems_to_compare(const OutcomeTable& table,
                                                                   const std::optional<std::string>& a,
                                                                   const std::optional<std::string>& b);

// Compares systems a and b. The kind of an error is the one given in its row; if none is given, "infeasible" for an
// answer to an infeasible question (IV), "unclassified" for other wrong SQL (III). A question that is missing or has no
// case in one of the systems is left out (if options.missing permits it). N is SystemDiff::n. Errors
// (invalid_argument): those of OutcomeTable::check(); rows without identity; no question in common. `interrupted` is
// polled; once it returns true, the call ends with an error of code interrupted.
Result<SystemDiff> compare_systems(const OutcomeTable& table, std::uint32_t a, std::uint32_t b,
                                   const DiffOptions& options, const std::function<bool()>& interrupted);

}  // namespace trustsql
