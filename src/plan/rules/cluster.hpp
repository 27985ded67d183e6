// Clusters: inner joins and the filters on and between them, as one unit. SQLite does not distinguish a condition in
// ON of an inner join from one in WHERE either, and evaluates inner joins in any order.
#pragma once

#include <algorithm>
#include <iterator>

#include "plan/rule.hpp"

namespace trustsql::plan::rules {

struct Cluster {
  std::vector<Rel> leaves;      // at least one; neither inner joins nor filters
  std::vector<Expr> conjuncts;  // of all filters and joins
};

// Whether `rel` is an inner join, or a filter over one or more.
bool is_cluster(const Rel& rel);
// Whether the parent operator belongs to a cluster: `rel` is then only a part of it.
bool is_part_of_cluster(const Rel* parent);

// Takes `rel` apart and leaves it empty. Any relation is a cluster, possibly of a single leaf.
Cluster take_apart(Rel& rel);

// Builds a relation from a cluster: leaves joined from left to right, each condition as low as possible, filters on
// leaves directly above them.
Rel put_together(Cluster cluster);

// If `rows` joins the same tables as `other`, in the same order: reads the columns of `other` in `rows` as well, and
// returns what they are called there; the other columns keep their names. The conditions may differ.
std::optional<Renaming> unite_tables(Cluster& rows, const Cluster& other);

// Filter over `input`, unless there are no conjuncts.
Rel with_filter(Rel input, std::vector<Expr> conjuncts);
// The same in place. Returns whether there are conjuncts.
bool put_filter(Box<Rel>& input, std::vector<Expr> conjuncts);

// Removes from `conjuncts` those that may move elsewhere, and returns them; the order is preserved in both lists.
template <class Predicate>
std::vector<Expr> take_if(std::vector<Expr>& conjuncts, const Predicate& may_move) {
  const auto moving =
      std::stable_partition(conjuncts.begin(), conjuncts.end(), [&](const Expr& c) { return !may_move(c); });
  std::vector<Expr> taken(std::make_move_iterator(moving), std::make_move_iterator(conjuncts.end()));
  conjuncts.erase(moving, conjuncts.end());
  return taken;
}

// Replaces a Filter without conjuncts by its input.
void drop_if_empty(Rel& filter);

// `rel` with exactly the outputs `ids`, in that order: unchanged, or under a Project.
Rel with_outputs(Rel rel, const std::vector<AttributeId>& ids);

}  // namespace trustsql::plan::rules
