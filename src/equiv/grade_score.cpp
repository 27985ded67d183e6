#include "equiv/grade_score.hpp"

#include <algorithm>
#include <cmath>

namespace trustsql::equiv {

namespace {

// How likely a pair is meant to be the same although it differs under this deviation: the share of pairs labelled
// equivalent among those of that grade, over the annotated pairs of FuncEvalGMN for validation databases
// (docs/methods.md).
double weight(Deviation deviation) {
  switch (deviation) {
    case Deviation::duplicates: return 0.05;
    case Deviation::empty: return 0.5;
    case Deviation::column_order: return 0.95;
    case Deviation::row_order: return 0.5;
    case Deviation::null: return 0.75;
    case Deviation::foreign_key: return 0.1;
    case Deviation::type: return 0.9;
    case Deviation::letter_case: return 0.04;
    // Of the three annotated pairs of this grade none is labelled the same; of seven that have `type` beside it, all.
    case Deviation::affinity: return 0.5;
  }
  return 0;
}

// The difference shows only where all of the deviations occur together, so each of them weakens it.
double refuted_score(Deviations deviations, bool proved_under_assumptions) {
  double difference = 1;
  for (int i = 0; i < deviation_count; ++i) {
    const auto deviation = static_cast<Deviation>(i);
    if (!deviations.has(deviation)) continue;
    // None of those three pairs is proved the same for texts of numbers and dates. What is, is as good as for `type`.
    const bool as_types = deviation == Deviation::affinity && proved_under_assumptions;
    difference *= 1 - weight(as_types ? Deviation::type : deviation);
  }
  return std::round((1 - difference) * 1e6) / 1e6;  // 0.05, not 0.050000000000000044
}

// For pairs whose results differed for some order of rows that the query does not fix.
constexpr double order_dependent_score = 0.3;

// Whether they were proved to be the same if both queries take tied rows alike.
bool differs_in_ties_alone(const ComparisonResult& comparison) {
  return comparison.proof && comparison.proof->assumptions.size() == 1 &&
         comparison.proof->assumptions.front().kind == plan::Assumption::Kind::same_ties;
}

double unknown_score(UnknownReason reason) {
  switch (reason) {
    case UnknownReason::assumption_needed: return 0.97;
    case UnknownReason::undecided: return 0.93;
    case UnknownReason::limit:
    case UnknownReason::unsupported:
    case UnknownReason::undefined_types: return 0.85;
    case UnknownReason::nondeterministic: return 0.9;
    case UnknownReason::always_fails: return 0.5;
    case UnknownReason::invalid_query: return 0;
  }
  return 0;
}

}  // namespace

double grade_score(const ComparisonResult& comparison) {
  switch (comparison.verdict) {
    case Verdict::proved: return 1;
    case Verdict::refuted: {
      const double score = refuted_score(comparison.counterexample->deviations, comparison.proof.has_value());
      return differs_in_ties_alone(comparison) ? std::max(score, order_dependent_score) : score;
    }
    case Verdict::unknown:
      return comparison.order_dependent ? order_dependent_score
                                        : unknown_score(comparison.reason.value_or(UnknownReason::undecided));
  }
  return 0;
}

}  // namespace trustsql::equiv
