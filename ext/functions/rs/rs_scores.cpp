// rs_phi, rs_mean, rs_threshold: the reliability score (TrustSQL, section 3.2) and thresholds (Appendix C.2) for known
// cases.

#include "ext/adaptor/aggregate.hpp"
#include "ext/adaptor/scalar.hpp"
#include "ext/functions/rs/rs_arguments.hpp"
#include "ext/options/threshold_options.hpp"
#include "ext/registry.hpp"

namespace trustsql::ext {

namespace {

Result<double> rs_phi(ReliabilityCase reliability_case, ValueView c) {
  TRUSTSQL_ASSIGN_OR_RETURN(const Penalty penalty, parse_penalty(c));
  if (penalty.is_n())
    return invalid_argument(
        "c must be a number: N is the number of rows of a group, so it requires rs_mean(case, 'N')");
  return phi(reliability_case, penalty.value(0));
}

class RsMean {
 public:
  Status step(std::optional<ReliabilityCase> reliability_case, ValueView c) {
    TRUSTSQL_ASSIGN_OR_RETURN(const Penalty penalty, parse_penalty(c));
    mean_.add(reliability_case, penalty);
    return ok_status();
  }
  Status inverse(std::optional<ReliabilityCase> reliability_case, ValueView c) {
    TRUSTSQL_ASSIGN_OR_RETURN(const Penalty penalty, parse_penalty(c));
    mean_.remove(reliability_case, penalty);
    return ok_status();
  }
  Result<std::optional<double>> value() const { return mean_.value(); }

 private:
  ReliabilityMean mean_;
};

class RsThreshold {
 public:
  Status step(std::optional<Number> confidence, std::optional<ReliabilityCase> reliability_case,
              const Options& options) {
    TRUSTSQL_ASSIGN_OR_RETURN(const auto parsed, threshold_options_of(options));
    if (!samples_.empty() && parsed != options_) return invalid_argument("the options must be the same in all rows");
    options_ = parsed;
    if (reliability_case) samples_.push_back({confidence, *reliability_case});
    return ok_status();
  }
  Result<std::optional<Number>> value() const {
    TRUSTSQL_ASSIGN_OR_RETURN(const auto ranking, ConfidenceRanking::create(samples_));
    return choose_threshold(ranking, options_);
  }

 private:
  ThresholdOptions options_;
  std::vector<ConfidentCase> samples_;
};

}  // namespace

std::span<const FunctionSpec> rs_score_functions() {
  static constexpr FunctionSpec functions[] = {
      scalar<rs_phi>({.name = "rs_phi",
                      .signature = "rs_phi(case, c)",
                      .summary = "The score of one question with penalty c (TrustSQL, Eq. 1): 1 for cases I and V, 0 "
                                 "for II, -c for III and IV.",
                      .example = "SELECT rs_phi('III', 10); -- -10.0"}),
      aggregate<RsMean>(
          {.name = "rs_mean",
           .signature = "rs_mean(case, c)",
           .summary = "RS(c), the mean of rs_phi in percent. c is a number >= 0 or 'N', the number of rows of the "
                      "group or window frame; it must be the same in all rows. Rows whose case is NULL are skipped and "
                      "do not count in N.",
           .example = "SELECT rs_mean(column1, 'N') FROM (VALUES ('I'), ('V'), ('II'), ('IV')); -- -50.0"}),
      aggregate<RsThreshold>(
          {.name = "rs_threshold",
           .signature = "rs_threshold(confidence, case [, opts])",
           .summary =
               "The threshold to abstain below, chosen on a validation set: answer where confidence >= threshold. "
               "NULL: abstain from everything. Larger confidences are more confident; rows of equal confidence are "
               "kept or dropped together; rows that are already abstentions (II, V) need no confidence.",
           .example = "SELECT rs_threshold(column1, column2) FROM (VALUES (0.9, 'I'), (0.8, 'I'), "
                      "(0.7, 'III'), (0.6, 'I'), (0.2, 'IV')); -- 0.8",
           .options = threshold_options}),
  };
  return functions;
}

}  // namespace trustsql::ext
