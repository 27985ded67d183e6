#include "semparse/abstention/unified.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "score/reliability/threshold.hpp"
#include "score/statistics/feature_distance.hpp"
#include "semparse/candidates/candidates.hpp"
#include "semparse/candidates/ranking.hpp"
#include "semparse/learning/model_bytes.hpp"

namespace trustsql::semparse {

namespace {

constexpr std::size_t max_fit_bytes = 1 << 20;

double entropy_of(std::span<const float> probabilities) {
  double total = 0;
  for (const float p : probabilities) total += p;
  double entropy = 0;
  for (const float p : probabilities)
    if (p > 0 && total > 0) entropy -= p / total * std::log(p / total);
  return entropy;
}

// What distances are measured in.
std::vector<double> vector_of(const UnifiedInput& input) {
  const auto log_of = [&](std::size_t i) {
    return std::log(i < input.probabilities.size() ? std::clamp(input.probabilities[i], 1e-4F, 1.0F) : 1e-4F);
  };
  std::vector<double> vector = {log_of(0), log_of(1), entropy_of(input.probabilities)};
  vector.insert(vector.end(), input.features.begin(), input.features.end());
  return vector;
}

Result<double> distance_to(std::string_view fit, const UnifiedInput& input) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto gaussian, GaussianView::parse(fit));
  return gaussian.squared_distance(vector_of(input));
}

Result<std::string> fit_of(const std::vector<const UnifiedExample*>& examples) {
  GaussianFitter fitter;
  for (const auto* example : examples) {
    TRUSTSQL_RETURN_IF_ERROR(fitter.add(vector_of(example->input)));
  }
  TRUSTSQL_ASSIGN_OR_RETURN(auto fit, fitter.finish(std::nullopt));
  if (!fit) return invalid_argument("there is no reading to fit the unified approaches to");
  return *std::move(fit);
}

float share(std::size_t part, std::size_t whole) {
  return whole == 0 ? 0.0F : static_cast<float>(part) / static_cast<float>(whole);
}

}  // namespace

std::string_view unified_name(UnifiedScore score) {
  switch (score) {
    case UnifiedScore::max_entropy: return "MAXENT";
    case UnifiedScore::max_probability: return "MAXPROB";
    case UnifiedScore::feature_distance: return "FEATMD";
    case UnifiedScore::relative_feature_distance: return "FEATRMD";
  }
  return "MAXENT";
}

std::vector<float> unified_features(const QuestionView& view, const Candidate& candidate) {
  const auto explanation = explain(view, candidate);
  const auto& words = view.question().words;
  std::size_t content = 0;
  std::size_t explained = 0;
  std::size_t unknown = 0;
  std::size_t linked = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (is_function_word(words[i])) continue;
    ++content;
    explained += explanation.explained[i] ? 1U : 0U;
    unknown += !explanation.explained[i] && view.kind(i) == Symbol::unknown ? 1U : 0U;
    linked += !explanation.explained[i] && view.kind(i) != Symbol::unknown && view.kind(i) != Symbol::word ? 1U : 0U;
  }
  std::size_t named = 0;
  for (const auto& use : explanation.uses) named += use.mention != nullptr ? 1U : 0U;
  std::vector<float> features = {std::max(candidate.skeleton_score, -10.0F),
                                 std::max(candidate.draft.weakest, -10.0F),
                                 std::max(candidate.score - candidate.skeleton_score, -20.0F),
                                 share(explained, content),
                                 static_cast<float>(std::min<std::size_t>(unknown, 5)),
                                 static_cast<float>(std::min<std::size_t>(linked, 5)),
                                 static_cast<float>(std::min<std::size_t>(content, 30)),
                                 share(named, explanation.uses.size()),
                                 static_cast<float>(std::min<std::size_t>(explanation.uses.size(), 10)),
                                 static_cast<float>(std::min<std::size_t>(explanation.unused_literals.size(), 5)),
                                 static_cast<float>(std::min<std::size_t>(explanation.joins, 5)),
                                 static_cast<float>(std::min<std::size_t>(explanation.tables.size(), 6)),
                                 static_cast<float>(std::min<std::size_t>(view.literals().size(), 6))};
  for (auto& feature : features)
    if (!std::isfinite(feature)) feature = 0;
  return features;
}

Result<std::optional<double>> unified_confidence(UnifiedScore score, const UnifiedInput& input,
                                                 const UnifiedFits* fits) {
  if (input.probabilities.empty()) return std::optional<double>();
  switch (score) {
    case UnifiedScore::max_entropy: return std::optional(-entropy_of(input.probabilities));
    case UnifiedScore::max_probability: return std::optional(static_cast<double>(input.probabilities.front()));
    case UnifiedScore::feature_distance:
    case UnifiedScore::relative_feature_distance: break;
  }
  if (fits == nullptr) return invalid_argument("the model has no fits for " + std::string(unified_name(score)));
  TRUSTSQL_ASSIGN_OR_RETURN(const double distance, distance_to(fits->right, input));
  if (score == UnifiedScore::feature_distance) return std::optional(-distance);
  TRUSTSQL_ASSIGN_OR_RETURN(const double background, distance_to(fits->background, input));
  return std::optional(background - distance);
}

double unified_share(UnifiedScore score, double confidence) {
  switch (score) {
    case UnifiedScore::max_probability: return confidence;
    case UnifiedScore::max_entropy: return std::exp(std::min(confidence, 0.0));
    case UnifiedScore::feature_distance: return 1 / (1 + std::max(-confidence, 0.0));
    case UnifiedScore::relative_feature_distance: return 1 / (1 + std::exp(-std::clamp(confidence, -500.0, 500.0)));
  }
  return confidence;
}

Result<UnifiedFits> fit_unified(const std::vector<UnifiedExample>& examples) {
  std::vector<const UnifiedExample*> right;
  std::vector<const UnifiedExample*> all;
  for (const auto& example : examples) {
    if (example.input.probabilities.empty()) continue;
    all.push_back(&example);
    if (example.right) right.push_back(&example);
  }
  UnifiedFits fits;
  TRUSTSQL_ASSIGN_OR_RETURN(fits.right, fit_of(right));
  TRUSTSQL_ASSIGN_OR_RETURN(fits.background, fit_of(all));
  for (std::size_t i = 0; i < unified_scores; ++i) {
    std::vector<ConfidentCase> cases;
    for (const auto* example : all) {
      TRUSTSQL_ASSIGN_OR_RETURN(const auto confidence,
                                unified_confidence(static_cast<UnifiedScore>(i), example->input, &fits));
      cases.push_back({Number(confidence.value_or(0)), !example->feasible ? ReliabilityCase::IV
                                                       : example->right   ? ReliabilityCase::I
                                                                          : ReliabilityCase::III});
    }
    TRUSTSQL_ASSIGN_OR_RETURN(const auto ranking, ConfidenceRanking::create(cases));
    if (const auto threshold = heuristic_threshold(ranking)) fits.thresholds[i] = threshold->real();
  }
  return fits;
}

std::string write_unified(const UnifiedFits& fits) {
  PartWriter out;
  out.part(fits.right);
  out.part(fits.background);
  for (const auto& threshold : fits.thresholds) {
    out.byte(threshold ? 1 : 0);
    out.fixed64(std::bit_cast<std::uint64_t>(threshold.value_or(0)));
  }
  return out.take();
}

Result<UnifiedFits> read_unified(std::string_view bytes) {
  const auto damaged = [] { return invalid_argument("the fits of the unified approaches are damaged"); };
  PartReader in(bytes);
  UnifiedFits fits;
  for (auto* fit : {&fits.right, &fits.background}) {
    const auto part = in.part();
    if (!in.ok() || part.size() > max_fit_bytes) return damaged();
    const auto gaussian = GaussianView::parse(part);
    if (!gaussian.ok()) return damaged();
    *fit = part;
  }
  for (auto& threshold : fits.thresholds) {
    const bool given = in.byte() != 0;
    const auto value = std::bit_cast<double>(in.fixed64());
    if (!in.ok() || !std::isfinite(value)) return damaged();
    if (given) threshold = value;
  }
  if (!in.at_end()) return damaged();
  return fits;
}

}  // namespace trustsql::semparse
