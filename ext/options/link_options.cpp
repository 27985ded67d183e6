#include "ext/options/link_options.hpp"

namespace trustsql::ext {

void apply_options(const Options& options, nl2sql::HallucinationOptions& hallucination) {
  hallucination.kind = options.get(hallucination_kind_option);
  hallucination.shots = options.get(shots_option);
  hallucination.order_seed = options.get(order_seed_option);
  hallucination.temperature = options.get(hallucination_temperature_option);
}

link::LinkOptions link_options_of(const Options& options, std::size_t budget, bool by_model) {
  link::LinkOptions link;
  if (!by_model) link = link::without_model(link);
  link.budget = budget;
  link.method = options.get(link_method_option);
  link.candidates = options.get(candidates_option);
  link.entropy = options.get(entropy_option);
  link.coverage = options.get(coverage_option);
  link.edges = options.get(edges_option);
  link.context = options.get(context_option);
  link.evidence = options.get(joint_evidence_option);
  link.take_turns = options.get(selection_option) == Selection::turns;
  link.lambda = options.get(lambda_option);
  link.gamma = options.get(gamma_option);
  link.sharpness = options.get(sharpness_option);
  options.get_given(context_weight_option, link.context_weight);
  return link;
}

}  // namespace trustsql::ext
