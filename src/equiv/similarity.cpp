#include "equiv/similarity.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "equiv/similarity/ast_pm.hpp"
#include "equiv/similarity/bleu.hpp"
#include "equiv/similarity/codebleu.hpp"
#include "equiv/similarity/crystalbleu.hpp"
#include "equiv/similarity/rel_pm.hpp"
#include "sql/parser.hpp"

namespace trustsql {

namespace {

constexpr SimilarityMetric metrics[] = {
    {"relpm", "partial matching of relational operator trees", rel_pm, true},
    {"astpm", "partial matching of syntax trees", ast_pm},
    {"bleu", "common n-grams of words", bleu},
    {"crystalbleu", "BLEU without the n-grams that all queries share", crystalbleu},
    {"codebleu", "BLEU, keywords, subtrees and data flow", codebleu},
    {"codebleu-rot", "the same on relational operator trees", codebleu_rot, true},
};

}  // namespace

Result<QueryPair::Trees> QueryPair::parse() const {
  auto a = parse_query(reference_, grammar_);
  if (!a.ok()) return std::move(a).error().with_prefix("a");
  auto b = parse_query(candidate_, grammar_);
  if (!b.ok()) return std::move(b).error().with_prefix("b");
  return Trees{std::move(*a), std::move(*b)};
}

std::span<const SimilarityMetric> similarity_metrics() { return metrics; }

const SimilarityMetric* find_similarity_metric(std::string_view name) {
  const auto* metric_of_name = std::find_if(std::begin(metrics), std::end(metrics),
                                            [&](const SimilarityMetric& metric) { return metric.name == name; });
  return metric_of_name == std::end(metrics) ? nullptr : metric_of_name;
}

Result<double> similarity(const QueryPair& pair, std::string_view metric, const SimilarityOptions& options) {
  if (const auto* known = find_similarity_metric(metric)) return known->compute(pair, options);
  std::vector<std::string_view> names;
  for (const auto& known : metrics) names.push_back(known.name);
  return invalid_argument("unknown metric " + quote_for_message(metric, 40) + "; there are " + join(names, ", "));
}

}  // namespace trustsql
