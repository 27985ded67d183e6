// The leaves of a tree, which are those of its SQL.

#include <algorithm>

#include "base/text.hpp"
#include "semparse/tree/joins.hpp"
#include "semparse/tree/query_leaves.hpp"
#include "semparse/tree/tree_sql.hpp"

namespace trustsql::semparse {

namespace {

class TreeLeafCollector {
 public:
  explicit TreeLeafCollector(const Domain& domain) : domain_(domain) {}

  QueryLeaves collect(const Tree& tree) {
    for (const auto& term : tree.block.select) {
      const bool whole = term.column == nothing && term.aggregate == Aggregate::none;
      leaves_.star |= whole;
      if (whole)
        add_all_columns(term.table);
      else
        leaves_.select.push_back({term.aggregate, term.column, true});
    }
    read(tree.block);
    for (const auto& other : tree.other) read(other);
    switch (tree.operation) {
      case SetOperation::intersect: leaves_.intersects = true; break;
      case SetOperation::union_: leaves_.unites = true; break;
      case SetOperation::except: leaves_.excludes = true; break;
      case SetOperation::none: break;
    }
    sort(leaves_.tables);
    sort(leaves_.columns);
    sort(leaves_.joined);
    std::erase_if(leaves_.joined, [this](ColumnId column) { return leaves_.uses(column); });
    return std::move(leaves_);
  }

 private:
  template <class T>
  static void sort(std::vector<T>& list) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }

  void add_all_columns(TableId id) {
    const auto& table = domain_.table(id);
    for (auto column = table.first_column; column < table.last_column; ++column) {
      leaves_.columns.push_back(column);
      leaves_.select.push_back({Aggregate::none, column, true});
    }
  }

  void read(const Term& term) {
    if (term.column != nothing) leaves_.columns.push_back(term.column);
    if (term.aggregate != Aggregate::none) leaves_.aggregates[static_cast<std::size_t>(term.aggregate)] = true;
  }

  void read(const Condition& condition) {
    read(condition.term);
    if (condition.other != nothing) leaves_.columns.push_back(condition.other);
    const auto comparison = condition.comparison;
    leaves_.excludes |= comparison == Comparison::not_equal || comparison == Comparison::not_like ||
                        comparison == Comparison::not_in || comparison == Comparison::is_not_null ||
                        condition.of_others;
    leaves_.like |= comparison == Comparison::like || comparison == Comparison::not_like;
    leaves_.between |= comparison == Comparison::between;
    const auto column = condition.term.aggregate == Aggregate::none ? condition.term.column : nothing;
    const bool null_test = comparison == Comparison::is_null || comparison == Comparison::is_not_null;
    leaves_.null_test |= null_test;
    for (const auto& value : condition.values) {
      if (null_test) break;  // an empty text, which is missing as well
      LiteralLeaf leaf{format_value(view(value)), std::nullopt, column, comparison};
      if (const auto* integer = std::get_if<std::int64_t>(&value)) leaf.number = static_cast<double>(*integer);
      if (const auto* real = std::get_if<double>(&value)) leaf.number = *real;
      leaves_.literals.push_back(std::move(leaf));
    }
    for (const auto& inner : condition.subquery) {
      leaves_.inner = true;
      for (const auto& term : inner.select) read(term);
      read(inner);
    }
  }

  void add_counted_keys(const Block& block, const JoinTree& joins) {
    const auto add = [&](const Term& term) {
      if (term.aggregate != Aggregate::count || term.column != nothing) return;
      if (const auto key = counted_key(domain_, block, joins, term.table); key != nothing)
        leaves_.columns.push_back(key);
    };
    for (const auto& term : block.select) add(term);
    for (const auto& condition : block.having) add(condition.term);
    for (const auto& order : block.order) add(order.term);
  }

  void read(const Block& block) {
    if (const auto terminals = tables_of(domain_, block); !terminals.empty()) {
      if (const auto trees = join_trees(domain_, terminals, 1, block.joins); !trees.empty()) {
        leaves_.tables.insert(leaves_.tables.end(), trees.front().tables.begin(), trees.front().tables.end());
        for (const auto edge : trees.front().edges) {
          leaves_.joined.push_back(domain_.edges()[edge].child);
          leaves_.joined.push_back(domain_.edges()[edge].parent);
        }
        add_counted_keys(block, trees.front());
      }
    }
    for (const auto& term : block.select) read(term);
    for (const auto& condition : block.where) read(condition);
    for (const auto& condition : block.having) read(condition);
    leaves_.any |= std::any_of(block.where.begin(), block.where.end(), [](const Condition& condition) {
      return condition.comparison == Comparison::equal && condition.values.size() > 1;
    });
    leaves_.inner |= block.counts_groups;
    leaves_.any |= block.any && block.where.size() > 1;
    leaves_.all |= !block.any && block.where.size() > 1;
    for (const auto column : block.group) leaves_.columns.push_back(column);
    leaves_.grouped |= !block.group.empty();
    for (const auto& order : block.order) {
      read(order.term);
      leaves_.ordered = true;
      (order.descending ? leaves_.descending : leaves_.ascending) = true;
    }
    if (!block.limit) return;
    leaves_.limited = true;
    leaves_.literals.push_back(
        {std::to_string(*block.limit), static_cast<double>(*block.limit), nothing, Comparison::equal, true});
  }

  const Domain& domain_;
  QueryLeaves leaves_;
};

}  // namespace

QueryLeaves leaves_of(const Tree& tree, const Domain& domain) { return TreeLeafCollector(domain).collect(tree); }

std::string content_of(const Tree& tree, const Domain& domain) {
  const auto leaves = leaves_of(tree, domain);
  std::vector<std::string> parts;
  for (const auto& item : leaves.select)
    parts.push_back("select " + std::string(aggregate_name(item.aggregate)) + " " + std::to_string(item.column));
  bool picks_one = false;  // then the rows tell which end of the order it is
  for (const auto& literal : leaves.literals) {
    picks_one |= literal.limit && literal.number == 1;
    if (literal.limit && literal.number == 1) continue;
    parts.push_back((literal.limit ? "limit " : "value ") + std::to_string(literal.column) + " " +
                    std::to_string(static_cast<int>(literal.comparison)) + " " + literal.text);
  }
  for (const auto table : leaves.tables) parts.push_back("table " + std::to_string(table));
  for (const auto column : leaves.columns)
    if (!domain.column(column).is_id) parts.push_back("column " + std::to_string(column));
  for (const auto aggregate : {Aggregate::count, Aggregate::sum, Aggregate::avg})
    if (leaves.has(aggregate)) parts.emplace_back(aggregate_name(aggregate));
  if (leaves.ascending && !picks_one) parts.emplace_back("ascending");
  if (leaves.descending && !picks_one) parts.emplace_back("descending");
  if (leaves.excludes) parts.emplace_back("excludes");
  if (leaves.intersects) parts.emplace_back("intersects");
  if (leaves.unites) parts.emplace_back("unites");
  if (leaves.null_test) parts.emplace_back("null");
  if (leaves.any) parts.emplace_back("any");
  std::sort(parts.begin(), parts.end());
  std::string text;
  for (const auto& part : parts) text += part + "\n";
  return text;
}

}  // namespace trustsql::semparse
