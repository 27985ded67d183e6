#include "equiv/similarity.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "equiv/similarity/ast_pm.hpp"
#include "equiv/similarity/bleu.hpp"
#include "equiv/similarity/codebleu.hpp"
#include "equiv/similarity/crystalbleu.hpp"
#include "sql/parser.hpp"

namespace trustsql {

namespace {

constexpr SimilarityMetric metrics[] = {
    {"astpm", "partial matching of syntax trees", ast_pm},
    {"bleu", "common n-grams of words", bleu},
    {"crystalbleu", "BLEU without the n-grams that all queries share", crystalbleu},
    {"codebleu", "BLEU, keywords, subtrees and data flow", codebleu},
};

}  // namespace

Result<QueryPair::Trees> QueryPair::parse() const {
  auto a = parse_query(reference_, {.version = version_});
  if (!a.ok()) return std::move(a).error().with_prefix("a");
  auto b = parse_query(candidate_, {.version = version_});
  if (!b.ok()) return std::move(b).error().with_prefix("b");
  return Trees{std::move(*a), std::move(*b)};
}

std::span<const SimilarityMetric> similarity_metrics() { return metrics; }

Result<double> similarity(const QueryPair& pair, std::string_view metric, const SimilarityOptions& options) {
  std::vector<std::string_view> names;
  for (const auto& known : metrics) {
    if (known.name == metric) return known.compute(pair, options);
    names.push_back(known.name);
  }
  return invalid_argument("unknown metric " + quote_for_message(metric, 40) + "; there are " + join(names, ", "));
}

}  // namespace trustsql
