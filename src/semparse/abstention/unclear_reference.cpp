#include "semparse/abstention/unclear_reference.hpp"

#include <algorithm>

#include "semparse/question/asked_joins.hpp"
#include "semparse/tree/joins.hpp"
#include "semparse/tree/tree_sql.hpp"

namespace trustsql::semparse {

std::optional<std::pair<ColumnId, ColumnId>> unclear_reference(const QuestionView& view, const Candidate& candidate) {
  const auto& domain = view.domain();
  const auto& block = candidate.tree.block;
  const auto terminals = tables_of(domain, block);
  if (terminals.size() < 2) return std::nullopt;
  const auto trees = join_trees(domain, terminals, 1, block.joins);
  if (trees.empty()) return std::nullopt;
  for (const auto edge : trees.front().edges) {
    const auto parallel = parallel_edges(domain, edge);
    const auto is_asked = [&block](std::size_t each) {
      return std::find(block.joins.begin(), block.joins.end(), each) != block.joins.end();
    };
    if (parallel.size() < 2 || std::any_of(parallel.begin(), parallel.end(), is_asked)) continue;
    // What the question names by its own words is chosen as well.
    const auto child = domain.edges()[edge].child;
    const auto naming_of = [&](ColumnId column) { return naming(view.column_mention(column)); };
    for (const auto other : parallel)
      if (other != edge && naming_of(domain.edges()[other].child) >= naming_of(child))
        return std::pair(child, domain.edges()[other].child);
  }
  return std::nullopt;
}

}  // namespace trustsql::semparse
