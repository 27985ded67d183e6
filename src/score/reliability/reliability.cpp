#include "score/reliability/reliability.hpp"

#include <cmath>
#include <string>

#include "base/text.hpp"

namespace trustsql {

namespace {

std::string penalty_text(Penalty c) { return c.is_n() ? "'N'" : format_real(c.value(0)); }

}  // namespace

Result<Penalty> parse_penalty(ValueView value) {
  if (value.type == ValueType::integer && value.integer >= 0) return Penalty::of(static_cast<double>(value.integer));
  if (value.type == ValueType::real && std::isfinite(value.real) && value.real >= 0)
    return Penalty::of(std::abs(value.real));  // -0.0 is 0.0
  if (value.type == ValueType::text && value.bytes == "N") return Penalty::n();
  const std::string actual = value.type == ValueType::text ? quote_for_message(value.bytes, 60)
                             : value.is_number()           ? format_value(value)
                                                           : std::string(type_name(value.type));
  return invalid_argument("c must be a number >= 0 or 'N', not " + actual);
}

double phi(ReliabilityCase reliability_case, double c) {
  if (is_useful(reliability_case)) return 1;
  if (is_harmful(reliability_case)) return c == 0 ? 0 : -c;  // never -0.0
  return 0;
}

CaseCounts& CaseCounts::operator+=(const CaseCounts& other) {
  for (std::size_t i = 0; i < by_case.size(); ++i) by_case[i] += other.by_case[i];
  return *this;
}

std::optional<double> reliability_score(const CaseCounts& counts, double c) {
  if (counts.total() == 0) return std::nullopt;
  const auto useful = static_cast<double>(counts.useful());
  const auto harmful = static_cast<double>(counts.harmful());
  const auto total = static_cast<double>(counts.total());
  const double score = 100 * (useful - c * harmful) / total;
  if (std::isfinite(score)) return score;
  // With a huge c, the sum may exceed the range of double although the mean does not.
  return 100 * useful / total - 100 * harmful / total * c;
}

std::optional<double> reliability_score(const CaseCounts& counts, Penalty c) {
  return reliability_score(counts, c.value(counts.total()));
}

std::optional<double> reliability_score_at_share(const CaseCounts& counts, Penalty c, double share) {
  const double penalty = c.value(counts.total());
  double score = 0;
  if (share < 1) {
    const auto feasible = reliability_score(counts.feasible_only(), penalty);
    if (!feasible) return std::nullopt;
    score += (1 - share) * *feasible;
  }
  if (share > 0) {
    const auto infeasible = reliability_score(counts.infeasible_only(), penalty);
    if (!infeasible) return std::nullopt;
    score += share * *infeasible;
  }
  return score;
}

std::optional<double> percent(std::int64_t numerator, std::int64_t denominator) {
  if (denominator == 0) return std::nullopt;
  return 100 * static_cast<double>(numerator) / static_cast<double>(denominator);
}

std::optional<double> coverage(const CaseCounts& counts) { return percent(counts.answered(), counts.total()); }

std::optional<double> answer_precision(const CaseCounts& counts) {
  return percent(counts[ReliabilityCase::I], counts.answered());
}

void ReliabilityMean::add(std::optional<ReliabilityCase> reliability_case, Penalty c) {
  if (reliability_case) {
    ++counts_[*reliability_case];
  } else {
    ++skipped_;
  }
  if (first_count_ == 0 && others_.empty()) first_ = c;
  if (first_ == c) {
    ++first_count_;
  } else {
    ++others_[c];
  }
}

void ReliabilityMean::remove(std::optional<ReliabilityCase> reliability_case, Penalty c) {
  if (reliability_case) {
    --counts_[*reliability_case];
  } else {
    --skipped_;
  }
  if (first_ == c) {
    --first_count_;
  } else if (const auto penalty_sum = others_.find(c); penalty_sum != others_.end() && --penalty_sum->second == 0) {
    others_.erase(penalty_sum);
  }
}

Result<std::optional<double>> ReliabilityMean::value() const {
  const std::size_t different = others_.size() + (first_count_ > 0 ? 1 : 0);
  if (different > 1) {
    const Penalty first = first_count_ > 0 ? *first_ : std::next(others_.begin())->first;
    return invalid_argument("all rows of a group must have the same c; found " + penalty_text(first) + " and " +
                            penalty_text(others_.begin()->first));
  }
  if (counts_.total() == 0) return std::optional<double>();
  const Penalty c = different == 0 ? Penalty() : first_count_ > 0 ? *first_ : others_.begin()->first;
  const auto score = reliability_score(counts_, c);
  if (score && !std::isfinite(*score))
    return invalid_argument("RS(c), in percent, exceeds the range of a double with c = " + penalty_text(c));
  return score;
}

}  // namespace trustsql
