#include "semparse/abstention/empty_groups.hpp"

#include <algorithm>
#include <optional>

#include "base/text.hpp"
#include "semparse/tree/joins.hpp"
#include "semparse/tree/tree_sql.hpp"

namespace trustsql::semparse {

namespace {

bool counts(const Term& term) { return term.aggregate == Aggregate::count; }

// Whether the groups with the fewest rows are asked for.
bool asks_for_few(const Block& block) {
  const bool fewest =
      block.limit && !block.order.empty() && counts(block.order.front().term) && !block.order.front().descending;
  return fewest || std::any_of(block.having.begin(), block.having.end(), [](const Condition& condition) {
           return counts(condition.term) &&
                  (condition.comparison == Comparison::less || condition.comparison == Comparison::less_equal);
         });
}

}  // namespace

Result<TableId> left_out_rows(const Domain& domain, const Tree& tree, Sandbox& sandbox) {
  const auto& block = tree.block;
  if (tree.operation != SetOperation::none || block.group.size() != 1 || !block.where.empty() || !asks_for_few(block))
    return nothing;
  const auto trees = join_trees(domain, tables_of(domain, block), 1, block.joins);
  if (trees.empty()) return nothing;
  for (const auto number : trees.front().edges) {
    const auto& edge = domain.edges()[number];
    const auto& child = domain.column(edge.child);
    const auto& parent = domain.column(edge.parent);
    const auto grouped = domain.column(block.group.front()).table;
    const bool of_rows = grouped == parent.table || block.group.front() == edge.child;
    if (!of_rows || domain.stored_table(parent.table) != parent.table) continue;
    const auto name_of = [&domain](TableId table) {
      return quote_identifier(domain.table(table).schema)
          .append(".")
          .append(quote_identifier(domain.table(table).name));
    };
    const auto key = quote_identifier(child.name);
    std::string sql = "SELECT 1 FROM ";
    sql.append(name_of(parent.table)).append(" WHERE ").append(quote_identifier(parent.name));
    sql.append(" NOT IN (SELECT ").append(key).append(" FROM ").append(name_of(child.table)).append(" WHERE ");
    sql.append(key).append(" IS NOT NULL) LIMIT 1");
    const auto rows = sandbox.run(sql);
    if (!rows.ok()) {
      if (ends_the_call(rows.error().code)) return rows.error();
      continue;
    }
    if (rows->row_count() > 0) return parent.table;
  }
  return nothing;
}

}  // namespace trustsql::semparse
