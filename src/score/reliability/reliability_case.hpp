// The five cases of a text-to-SQL answer: the regions of TrustSQL's Figure 1(c), on which Eq. 1 is based.
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
  I,    // a feasible question, correct answer
  II,   // a feasible question, abstained
  III,  // a feasible question, wrong answer
  IV,   // an infeasible question, answered anyway
  V,    // an infeasible question, abstained
};

inline constexpr std::size_t reliability_case_count = 5;
inline constexpr std::array<ReliabilityCase, reliability_case_count> all_reliability_cases = {
    ReliabilityCase::I, ReliabilityCase::II, ReliabilityCase::III, ReliabilityCase::IV, ReliabilityCase::V};

// 'I' to 'V'.
std::string_view case_name(ReliabilityCase reliability_case);

// The case that `text` names: exactly one of I, II, III, IV, V. Error (invalid_argument): anything else.
Result<ReliabilityCase> parse_case(std::string_view text);

// The case by Figure 1(c). `feasible`: the question has a gold query. `answered`: there is a prediction. `right`: the
// prediction is execution-accurate (Acc(x) of Eq. 1; ignored unless feasible and answered).
ReliabilityCase classify(bool feasible, bool answered, bool right);

// Whether the question of this case has a gold query (x in Q of Eq. 1): I, II, III.
constexpr bool is_feasible(ReliabilityCase c) {
  return c == ReliabilityCase::I || c == ReliabilityCase::II || c == ReliabilityCase::III;
}
// Whether the system answered (g(x) = 1): I, III, IV.
constexpr bool is_answered(ReliabilityCase c) {
  return c == ReliabilityCase::I || c == ReliabilityCase::III || c == ReliabilityCase::IV;
}
// Whether the case has utility: I, V.
constexpr bool is_useful(ReliabilityCase c) { return c == ReliabilityCase::I || c == ReliabilityCase::V; }
// Whether the case is harmful and penalised with -c: III, IV.
constexpr bool is_harmful(ReliabilityCase c) { return c == ReliabilityCase::III || c == ReliabilityCase::IV; }

}  // namespace trustsql
