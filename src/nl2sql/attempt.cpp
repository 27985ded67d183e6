#include "nl2sql/attempt.hpp"

#include <algorithm>
#include <utility>

namespace trustsql::nl2sql {

std::string_view abstention_name(Abstention reason) {
  switch (reason) {
    case Abstention::none: return "none";
    case Abstention::infeasible: return "infeasible";
    case Abstention::no_sql: return "no_sql";
    case Abstention::not_allowed: return "not_allowed";
    case Abstention::query_failed: return "query_failed";
    case Abstention::no_agreement: return "no_agreement";
    case Abstention::error_detected: return "error_detected";
    case Abstention::low_confidence: return "low_confidence";
    case Abstention::not_understood: return "not_understood";
    case Abstention::ambiguous: return "ambiguous";
    case Abstention::not_grounded: return "not_grounded";
    case Abstention::endpoint: return "endpoint";
  }
  return "none";
}

void Attempt::warn(std::string warning) {
  if (warning.empty() || std::find(warnings.begin(), warnings.end(), warning) != warnings.end()) return;
  warnings.push_back(std::move(warning));
}

std::string reason_of(const Attempt& attempt) {
  if (!attempt.abstained()) return {};
  std::string reason(abstention_name(attempt.abstention));
  if (!attempt.infeasible_type.empty()) reason += " (" + attempt.infeasible_type + ")";
  if (!attempt.detail.empty()) reason += " (" + attempt.detail + ")";
  return reason;
}

}  // namespace trustsql::nl2sql
