// maxent, maxprob, featmd_fit, featmd, featrmd: how sure a generator is (TrustSQL, section 4.1.2).

#include "score/statistics/uncertainty.hpp"

#include "ext/adaptor/aggregate.hpp"
#include "ext/adaptor/scalar.hpp"
#include "ext/registry.hpp"
#include "score/statistics/feature_distance.hpp"

namespace trustsql::ext {

namespace {

Result<std::optional<double>> maxent(std::string_view json) { return max_entropy(json); }
Result<std::optional<double>> maxprob(std::string_view json) { return max_probability(json); }

constexpr Option<std::optional<double>> shrinkage_option = {
    .key = "shrinkage",
    .description =
        "How far the covariance is shrunk towards a multiple of the identity: 0 is the plain covariance; by "
        "default Ledoit and Wolf's estimate.",
    .min = 0,
    .max = 1};
constexpr auto fit_options = option_table(shrinkage_option);

class FeatmdFit {
 public:
  Status step(std::optional<ValueView> vector, const Options& options) {
    if (!vector) return ok_status();
    const auto shrinkage = options.get(shrinkage_option);
    if (!empty_ && shrinkage != shrinkage_) return invalid_argument("the options must be the same in all rows");
    shrinkage_ = shrinkage;
    empty_ = false;
    TRUSTSQL_ASSIGN_OR_RETURN(const auto numbers, read_feature_vector(*vector));
    return fitter_.add(numbers);
  }
  Result<std::optional<Blob>> value() {
    TRUSTSQL_ASSIGN_OR_RETURN(auto bytes, fitter_.finish(shrinkage_));
    if (!bytes) return std::optional<Blob>();
    return std::optional(Blob{std::move(*bytes)});
  }

 private:
  std::optional<double> shrinkage_;
  bool empty_ = true;
  GaussianFitter fitter_;
};

Result<double> distance(std::span<const double> vector, BlobView fit) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto gaussian, GaussianView::parse(fit.bytes));
  return gaussian.squared_distance(vector);
}

Result<std::optional<double>> featmd(ValueView vector, BlobView fit) {
  if (vector.is_null()) return std::optional<double>();
  TRUSTSQL_ASSIGN_OR_RETURN(const auto numbers, read_feature_vector(vector));
  TRUSTSQL_ASSIGN_OR_RETURN(const double to_fit, distance(numbers, fit));
  return std::optional(to_fit);
}

Result<std::optional<double>> featrmd(ValueView vector, BlobView fit, BlobView background) {
  if (vector.is_null()) return std::optional<double>();
  TRUSTSQL_ASSIGN_OR_RETURN(const auto numbers, read_feature_vector(vector));
  TRUSTSQL_ASSIGN_OR_RETURN(const double to_fit, distance(numbers, fit));
  auto to_background = distance(numbers, background);
  if (!to_background.ok()) return std::move(to_background).error().with_prefix("background");
  return std::optional(to_fit - *to_background);
}

}  // namespace

std::span<const FunctionSpec> uncertainty_functions() {
  static constexpr FunctionSpec functions[] = {
      scalar<maxent>({.name = "maxent",
                      .signature = "maxent(json)",
                      .summary = "MaxEnt: the largest entropy of a token, in nats, from the log-probabilities that an "
                                 "OpenAI-compatible endpoint returns as "
                                 "logprobs (with top_logprobs), or an array of arrays of them. An uncertainty: its "
                                 "negative is a confidence.",
                      .example = "SELECT round(maxent('[[-0.6931472, -0.6931472], [0]]'), 4); -- 0.6931"}),
      scalar<maxprob>({.name = "maxprob",
                       .signature = "maxprob(json)",
                       .summary = "MaxProb: the smallest, over the tokens, of the highest token probability, from the "
                                  "same forms or an array of the chosen "
                                  "tokens' log-probabilities. A confidence, 0 to 1.",
                       .example = "SELECT round(maxprob('[-0.1053605, -0.6931472]'), 4); -- 0.5"}),
      aggregate<FeatmdFit>({.name = "featmd_fit",
                            .signature = "featmd_fit(vector [, opts])",
                            .summary = "A Gaussian (mean and covariance) fitted to vectors, as a blob for featmd and "
                                       "featrmd. A vector is a blob of little-endian "
                                       "float32 or a JSON array of numbers; NULLs are skipped.",
                            .example = "SELECT length(featmd_fit(column1, '{\"shrinkage\":0}')) FROM (VALUES ('[0, "
                                       "0]'), ('[2, 2]'), ('[4, 2]')); -- 80",
                            .options = fit_options}),
      scalar<featmd>({.name = "featmd",
                      .signature = "featmd(vector, fit)",
                      .summary = "FeatMD: the squared Mahalanobis distance of a vector to a fit of featmd_fit. An "
                                 "uncertainty: its negative is a confidence.",
                      .example = "SELECT round(featmd('[3, 3]', featmd_fit(column1, '{\"shrinkage\":0}')), 6) FROM "
                                 "(VALUES ('[0, 0]'), ('[2, 0]'), ('[0, "
                                 "2]'), ('[2, 2]')); -- 8.0"}),
      scalar<featrmd>({.name = "featrmd",
                       .signature = "featrmd(vector, fit, background)",
                       .summary = "FeatRMD: the squared Mahalanobis distance of a vector to a fit minus that to a "
                                  "background fit. An uncertainty: its negative is a confidence.",
                       .example = "SELECT round(featrmd('[3, 3]', featmd_fit(column1, '{\"shrinkage\":0}'), "
                                  "featmd_fit(column1, '{\"shrinkage\":1}')), 6) FROM "
                                  "(VALUES ('[0, 0]'), ('[2, 0]'), ('[0, 2]'), ('[2, 2]')); -- 0.0"}),
  };
  return functions;
}

}  // namespace trustsql::ext
