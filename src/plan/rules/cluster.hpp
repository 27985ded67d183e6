// Clusters: inner joins and the filters on and between them, taken together. SQLite, too, sees no difference between a
// condition in ON of an inner join and one in WHERE, and takes inner joins in any order.
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
// Whether the operator above is one that a cluster takes in: then `rel` is only a part of a cluster.
bool is_part_of_cluster(const Rel* parent);

// Takes `rel` apart, which is left empty. Any relation is a cluster, of one leaf if need be.
Cluster take_apart(Rel& rel);

// Puts a cluster together: leaves joined from left to right, each condition as low as it can stand, filters on leaves
// directly above them.
Rel put_together(Cluster cluster);

// Filter over `input`, unless there are no conjuncts.
Rel with_filter(Rel input, std::vector<Expr> conjuncts);
// The same in place. Returns whether there are conjuncts.
bool put_filter(Box<Rel>& input, std::vector<Expr> conjuncts);

// Takes out of `conjuncts` those that may move elsewhere; the order is kept on both sides.
template <class Predicate>
std::vector<Expr> take_if(std::vector<Expr>& conjuncts, const Predicate& may_move) {
  const auto moving =
      std::stable_partition(conjuncts.begin(), conjuncts.end(), [&](const Expr& c) { return !may_move(c); });
  std::vector<Expr> taken(std::make_move_iterator(moving), std::make_move_iterator(conjuncts.end()));
  conjuncts.erase(moving, conjuncts.end());
  return taken;
}

// A Filter that has no conjunct left gives way to its input.
void drop_if_empty(Rel& filter);

// `rel` with exactly the outputs `ids`, in that order: as it is, or under a Project.
Rel with_outputs(Rel rel, const std::vector<AttributeId>& ids);

}  // namespace trustsql::plan::rules
