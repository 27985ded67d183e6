#include "plan/rules/cluster.hpp"

#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

bool is_inner_join(const Rel& rel) {
  const auto* join = rel.as<Join>();
  return join != nullptr && join->type == JoinType::inner;
}

void collect(Rel& rel, Cluster& cluster) {
  if (is_inner_join(rel)) {
    auto* join = rel.as<Join>();
    collect(*join->left, cluster);
    collect(*join->right, cluster);
    for (auto& conjunct : join->on) cluster.conjuncts.push_back(std::move(conjunct));
  } else if (auto* filter = rel.as<Filter>()) {
    collect(*filter->input, cluster);
    for (auto& conjunct : filter->conjuncts) cluster.conjuncts.push_back(std::move(conjunct));
  } else {
    cluster.leaves.push_back(std::move(rel));
  }
}

}  // namespace

bool is_cluster(const Rel& rel) {
  if (is_inner_join(rel)) return true;
  const auto* filter = rel.as<Filter>();
  return filter != nullptr && is_cluster(*filter->input);
}

bool is_part_of_cluster(const Rel* parent) {
  return parent != nullptr && (parent->is<Filter>() || is_inner_join(*parent));
}

Cluster take_apart(Rel& rel) {
  Cluster cluster;
  collect(rel, cluster);
  return cluster;
}

namespace {

// Adds the columns of `other` that `scan`, a use of the same table, does not read yet, under their ids there.
void read_columns_of(const Scan& other, Scan& scan, Renaming& columns) {
  for (const auto& column : other.columns) {
    const auto known = std::find_if(scan.columns.begin(), scan.columns.end(),
                                    [&](const TableColumn& each) { return each.position == column.position; });
    if (known != scan.columns.end()) {
      columns[column.id] = known->id;
      continue;
    }
    const auto place = std::find_if(scan.columns.begin(), scan.columns.end(),
                                    [&](const TableColumn& each) { return each.position > column.position; });
    scan.columns.insert(place, column);
  }
}

}  // namespace

std::optional<Renaming> unite_tables(Cluster& rows, const Cluster& other) {
  if (rows.leaves.size() != other.leaves.size()) return std::nullopt;
  Renaming columns;
  for (std::size_t i = 0; i < rows.leaves.size(); ++i) {
    auto* scan = rows.leaves[i].as<Scan>();
    const auto* copied = other.leaves[i].as<Scan>();
    if (scan == nullptr || copied == nullptr || scan->table == nullptr || scan->table != copied->table)
      return std::nullopt;
    read_columns_of(*copied, *scan, columns);
  }
  return columns;
}

Rel with_filter(Rel input, std::vector<Expr> conjuncts) {
  if (conjuncts.empty()) return input;
  return Rel{Filter{std::move(input), std::move(conjuncts)}};
}

bool put_filter(Box<Rel>& input, std::vector<Expr> conjuncts) {
  if (conjuncts.empty()) return false;
  input = with_filter(std::move(*input), std::move(conjuncts));
  return true;
}

void drop_if_empty(Rel& filter) {
  auto& node = *filter.as<Filter>();
  if (node.conjuncts.empty()) replace_by_descendant(filter, *node.input);
}

Rel with_outputs(Rel rel, const std::vector<AttributeId>& ids) {
  if (outputs(rel) == ids) return rel;
  Project project;
  for (const auto id : ids) project.items.push_back({id, column(id)});
  project.input = std::move(rel);
  return Rel{std::move(project)};
}

Rel put_together(Cluster cluster) {
  std::vector<AttributeSet> leaf_outputs;
  AttributeSet all_columns;
  for (const auto& leaf : cluster.leaves) {
    leaf_outputs.push_back(output_set(leaf));
    all_columns |= leaf_outputs.back();
  }
  // Grouped by the last leaf that a condition needs; placed on the leaf if it needs no other, otherwise on the join
  // with the leaves before it.
  std::vector<std::vector<Expr>> on_leaf(cluster.leaves.size());
  std::vector<std::vector<Expr>> on_join(cluster.leaves.size());
  std::vector<Expr> above;
  for (auto& conjunct : cluster.conjuncts) {
    const auto used = references(conjunct) & all_columns;
    if (used.empty() || is_volatile(conjunct)) {
      above.push_back(std::move(conjunct));
      continue;
    }
    std::size_t last = 0;
    std::size_t count = 0;
    for (std::size_t i = 0; i < leaf_outputs.size(); ++i) {
      if (!used.intersects(leaf_outputs[i])) continue;
      last = i;
      ++count;
    }
    (count == 1 ? on_leaf : on_join)[last].push_back(std::move(conjunct));
  }
  Rel result = with_filter(std::move(cluster.leaves.front()), std::move(on_leaf.front()));
  for (std::size_t i = 1; i < cluster.leaves.size(); ++i) {
    Rel right = with_filter(std::move(cluster.leaves[i]), std::move(on_leaf[i]));
    result = Rel{Join{JoinType::inner, std::move(result), std::move(right), std::move(on_join[i])}};
  }
  return with_filter(std::move(result), std::move(above));
}

}  // namespace trustsql::plan::rules
