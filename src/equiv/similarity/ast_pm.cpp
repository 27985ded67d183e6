#include "equiv/similarity/ast_pm.hpp"

#include "equiv/similarity/syntax_tree.hpp"

namespace trustsql {

Result<double> ast_pm(const QueryPair& pair, const SimilarityOptions& options) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto trees, pair.parse());
  return partial_match(syntax_tree(trees.reference, Leaves::named), syntax_tree(trees.candidate, Leaves::named),
                       options);
}

}  // namespace trustsql
