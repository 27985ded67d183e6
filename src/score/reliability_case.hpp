// The five cases of a text-to-SQL answer: the regions of TrustSQL's Figure 1(c), on which Eq. 1 rests.
//
//                     answered, right   abstained   answered, wrong
//   feasible                 I             II             III
//   infeasible                -              V             IV
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/result.hpp"

namespace trustsql {

enum class ReliabilityCase : std::uint8_t {
  I,    // a feasible question, answered with a right query
  II,   // a feasible question, abstained
  III,  // a feasible question, answered with a wrong query
  IV,   // an infeasible question, answered all the same
  V,    // an infeasible question, abstained
};

inline constexpr std::size_t reliability_case_count = 5;
inline constexpr std::array<ReliabilityCase, reliability_case_count> all_reliability_cases = {
    ReliabilityCase::I, ReliabilityCase::II, ReliabilityCase::III, ReliabilityCase::IV, ReliabilityCase::V};

// 'I' to 'V'.
std::string_view case_name(ReliabilityCase reliability_case);

// The case that `text` names: exactly one of I, II, III, IV, V. Error (invalid_argument): anything else.
Result<ReliabilityCase> parse_case(std::string_view text);

// Figure 1(c): `feasible` whether the question has a gold query, `answered` whether there is a prediction, `right`
// whether that prediction is execution-accurate (Acc(x) of Eq. 1; without meaning, and ignored, unless feasible and
// answered).
ReliabilityCase classify(bool feasible, bool answered, bool right);

// Whether the question of this case has a gold query (x in Q of Eq. 1): I, II, III.
constexpr bool is_feasible(ReliabilityCase c) {
  return c == ReliabilityCase::I || c == ReliabilityCase::II || c == ReliabilityCase::III;
}
// Whether the system answered (g(x) = 1): I, III, IV.
constexpr bool is_answered(ReliabilityCase c) {
  return c == ReliabilityCase::I || c == ReliabilityCase::III || c == ReliabilityCase::IV;
}
// Whether the case brings utility: I, V.
constexpr bool is_useful(ReliabilityCase c) { return c == ReliabilityCase::I || c == ReliabilityCase::V; }
// Whether the case is a risk, punished with -c: III, IV.
constexpr bool is_harmful(ReliabilityCase c) { return c == ReliabilityCase::III || c == ReliabilityCase::IV; }

}  // namespace trustsql
