#include "semparse/abstention/ties.hpp"

#include "semparse/tree/tree_sql.hpp"

namespace trustsql::semparse {

Result<bool> cuts_ties(const Domain& domain, const Tree& tree, Sandbox& sandbox) {
  if (tree.operation != SetOperation::none || !tree.block.limit || *tree.block.limit < 1 || tree.block.order.empty() ||
      tree.block.counts_groups)
    return false;
  Tree longer = tree;
  for (const auto& order : tree.block.order) longer.block.select.push_back(order.term);
  ++*longer.block.limit;
  const auto sql = sql_of(domain, longer);
  if (!sql) return false;
  const auto rows = sandbox.run(*sql);
  if (!rows.ok()) {
    if (ends_the_call(rows.error().code)) return rows.error();
    return false;
  }
  const auto last = static_cast<std::size_t>(*tree.block.limit);
  if (rows->row_count() <= last) return false;
  const auto terms = tree.block.order.size();
  bool is_same = true;  // in what is returned
  for (std::size_t column = 0; column < rows->column_count(); ++column) {
    const bool are_equal = equal(rows->at(last - 1, column), rows->at(last, column));
    if (column + terms >= rows->column_count() && !are_equal) return false;
    is_same = is_same && are_equal;
  }
  return !is_same;
}

}  // namespace trustsql::semparse
