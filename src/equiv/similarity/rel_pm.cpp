#include "equiv/similarity/rel_pm.hpp"

#include "equiv/similarity/operator_tree.hpp"

namespace trustsql {

Result<double> rel_pm(const QueryPair& pair, const SimilarityOptions& options) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto graphs, operator_graphs(pair, "relpm", stop_of(options)));
  return partial_match(operator_tree(graphs.reference, Leaves::named, options.clause_weights),
                       operator_tree(graphs.candidate, Leaves::named, options.clause_weights), options);
}

}  // namespace trustsql
