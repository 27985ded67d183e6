#include "score/reliability/reliability_case.hpp"

#include <string>

#include "base/text.hpp"

namespace trustsql {

namespace {
constexpr std::array<std::string_view, reliability_case_count> names = {"I", "II", "III", "IV", "V"};
}  // namespace

std::string_view case_name(ReliabilityCase reliability_case) {
  return names[static_cast<std::size_t>(reliability_case)];
}

Result<ReliabilityCase> parse_case(std::string_view text) {
  for (const auto reliability_case : all_reliability_cases)
    if (case_name(reliability_case) == text) return reliability_case;
  return invalid_argument("a case must be one of " + join(names, ", ") + ", not " + quote_for_message(text));
}

ReliabilityCase classify(bool feasible, bool answered, bool right) {
  if (feasible) return !answered ? ReliabilityCase::II : right ? ReliabilityCase::I : ReliabilityCase::III;
  return answered ? ReliabilityCase::IV : ReliabilityCase::V;
}

}  // namespace trustsql
