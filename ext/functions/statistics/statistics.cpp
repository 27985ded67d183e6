// roc_auc, aurc, kendall_tau, spearman, pearson: the statistics of the papers' tables.

#include <cmath>

#include "base/ranking_metrics.hpp"
#include "base/text.hpp"
#include "ext/adaptor/aggregate.hpp"
#include "ext/registry.hpp"
#include "score/statistics/correlation.hpp"

namespace trustsql::ext {

namespace {

Status check_label(std::int64_t label, std::string_view name) {
  if (label == 0 || label == 1) return ok_status();
  return invalid_argument(std::string(name) + " must be 0 or 1, not " + std::to_string(label));
}

class RocAuc {
 public:
  Status step(Number score, std::int64_t label) {
    TRUSTSQL_RETURN_IF_ERROR(check_label(label, "label"));
    rows_.push_back({score, label == 1});
    return ok_status();
  }
  std::optional<double> value() { return roc_auc(rows_); }

 private:
  std::vector<LabelledScore> rows_;
};

class Aurc {
 public:
  Status step(Number confidence, std::int64_t correct) {
    TRUSTSQL_RETURN_IF_ERROR(check_label(correct, "correct"));
    rows_.push_back({confidence, correct == 1});
    return ok_status();
  }
  std::optional<double> value() { return aurc(rows_); }

 private:
  std::vector<LabelledScore> rows_;
};

class KendallTau {
 public:
  Status step(Number x, Number y, OptionalArg<std::string_view> variant) {
    TRUSTSQL_ASSIGN_OR_RETURN(const auto parsed, parse_kendall_variant(variant.value.value_or("b")));
    if (!pairs_.empty() && parsed != variant_) return invalid_argument("variant must be the same in all rows");
    variant_ = parsed;
    pairs_.emplace_back(x, y);
    return ok_status();
  }
  std::optional<double> value() { return kendall_tau(pairs_, variant_); }

 private:
  KendallVariant variant_ = KendallVariant::b;
  Pairs pairs_;
};

class Spearman {
 public:
  void step(Number x, Number y) { pairs_.emplace_back(x, y); }
  std::optional<double> value() { return spearman(pairs_); }

 private:
  Pairs pairs_;
};

class Pearson {
 public:
  Status step(Number x, Number y) {
    for (const Number value : {x, y})
      if (!std::isfinite(value.real()))
        return invalid_argument("x and y must be finite, not " + format_real(value.real()));
    correlation_.add(x, y);
    return ok_status();
  }
  std::optional<double> value() const { return correlation_.value(); }

 private:
  PearsonCorrelation correlation_;
};

}  // namespace

std::span<const FunctionSpec> statistics_functions() {
  static constexpr FunctionSpec functions[] = {
      aggregate<RocAuc>(
          {.name = "roc_auc",
           .signature = "roc_auc(score, label)",
           .summary = "The area under the ROC curve, 0 to 1: the probability that a row with label 1 has a higher "
                      "score than one with label "
                      "0, equal scores counting half. NULL unless there are rows of both labels.",
           .example =
               "SELECT roc_auc(column1, column2) FROM (VALUES (0.9, 1), (0.8, 0), (0.7, 1), (0.1, 0)); -- 0.75"}),
      aggregate<Aurc>({.name = "aurc",
                       .signature = "aurc(confidence, correct)",
                       .summary = "The area under the risk-coverage curve, 0 to 1 (0 is best): the mean, over k, of "
                                  "the share of wrong rows among the k "
                                  "most confident. Rows of equal confidence count as the mean over all their orders.",
                       .example = "SELECT aurc(column1, column2) FROM (VALUES (0.9, 1), (0.8, 0)); -- 0.25"}),
      aggregate<KendallTau>(
          {.name = "kendall_tau",
           .signature = "kendall_tau(x, y [, variant])",
           .summary = "Kendall's rank correlation, -1 to 1. variant: 'b' (the default, corrected for ties, as in "
                      "FuncEvalGMN's tables), 'a' (not corrected) or 'gamma' (ties ignored, as in the formula of its "
                      "Appendix I; Goodman and Kruskal).",
           .example =
               "SELECT kendall_tau(column1, column2, 'a') FROM (VALUES (1, 1), (2, 3), (3, 2), (3, 4)); -- 0.5"}),
      aggregate<Spearman>(
          {.name = "spearman",
           .signature = "spearman(x, y)",
           .summary = "Spearman's rank correlation, -1 to 1; equal values share the mean of their ranks.",
           .example = "SELECT spearman(column1, column2) FROM (VALUES (1, 10), (2, 100), (3, 1000)); -- 1.0"}),
      aggregate<Pearson>(
          {.name = "pearson",
           .signature = "pearson(x, y)",
           .summary = "Pearson's correlation, -1 to 1. NULL for fewer than two rows, or if x or y is constant.",
           .example = "SELECT pearson(column1, column2) FROM (VALUES (1, 2), (2, 4), (3, 6)); -- 1.0"}),
  };
  return functions;
}

}  // namespace trustsql::ext
