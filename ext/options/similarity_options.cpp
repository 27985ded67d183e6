#include "ext/options/similarity_options.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace trustsql::ext {

namespace {

constexpr int max_weight = 1'000'000;

double number_of(ValueView value) {
  return value.type == ValueType::integer ? static_cast<double>(value.integer) : value.real;
}

Status read_code_weights(const std::vector<Value>& weights, SimilarityOptions& similarity) {
  double* const parts[] = {&similarity.ngram_weight, &similarity.keyword_weight, &similarity.syntax_weight,
                           &similarity.dataflow_weight};
  const auto wrong = invalid_argument("option 'weights' must be four numbers from 0 to " + std::to_string(max_weight));
  if (weights.size() != std::size(parts)) return wrong;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const ValueView weight = view(weights[i]);
    if (!weight.is_number()) return wrong;
    *parts[i] = number_of(weight);
    if (!(*parts[i] >= 0 && *parts[i] <= max_weight)) return wrong;
  }
  return ok_status();
}

Status read_clause_weights(const std::vector<Value>& list, ClauseWeights& weights) {
  const auto wrong = invalid_argument("option 'clause_weights' must be alternating names and numbers from 0 to " +
                                      std::to_string(max_weight) + "; the names are " + join(clause_names, ", "));
  if (list.size() % 2 != 0) return wrong;
  for (std::size_t i = 0; i < list.size(); i += 2) {
    const ValueView name = view(list[i]);
    const ValueView weight = view(list[i + 1]);
    const auto clause = std::find(clause_names.begin(), clause_names.end(),
                                  name.type == ValueType::text ? name.bytes : std::string_view());
    if (clause == clause_names.end() || !weight.is_number()) return wrong;
    const double number = number_of(weight);
    if (!(number >= 0 && number <= max_weight)) return wrong;
    weights.weights[static_cast<std::size_t>(clause - clause_names.begin())] = number;
  }
  return ok_status();
}

}  // namespace

Result<SimilarityOptions> similarity_options_of(const Options& options) {
  SimilarityOptions similarity;
  similarity.alpha = options.get(node_weight_option);
  similarity.beta = options.get(recall_weight_option);
  similarity.scoring = options.get(tree_scoring_option);
  similarity.omega = options.get(own_share_option);
  similarity.max_n = options.get(max_n_option);
  TRUSTSQL_RETURN_IF_ERROR(read_code_weights(options.get(code_weights_option), similarity));
  if (const auto weights = options.get(clause_weights_option))
    TRUSTSQL_RETURN_IF_ERROR(read_clause_weights(*weights, similarity.clause_weights));
  return similarity;
}

}  // namespace trustsql::ext
