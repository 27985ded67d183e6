// The unifier: whether two relations of one plan have the same rows on every database.
//
// Rows correspond if the attributes of one relation, `from`, can be bound to expressions over those of the other,
// `to`, such that corresponding rows agree. A backtracking search pairs leaf with leaf and operator with operator;
// what remains to be checked once a pairing is complete is passed on as a continuation (`then`), which may reject the
// pairing and so make the search continue. The parts of the search:
//
//   search_state   what they share: bindings, assumptions, the trail by which the search goes back
//   bag_matcher    leaves are paired one to one; under the pairing each side's conditions follow from the other's
//   containment    sets: each block of one side is contained in the other side
//   chase          what keys and foreign keys add to the rows of a block
//   leaf_matcher,  operators that aggregate, order or limit are the same if they do the same to the same inputs
//   group_matcher
//   sort_keys      the same order
//
// Precondition: the results of the relations do not depend on any order of rows (determinism.hpp).
// Budget: each part says what it spends; when it is exhausted, nothing more is found.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "equiv/prover/bag_matcher.hpp"
#include "equiv/prover/chase.hpp"
#include "equiv/prover/containment.hpp"
#include "equiv/prover/leaf_matcher.hpp"
#include "equiv/prover/relation_comparison.hpp"
#include "equiv/prover/search_state.hpp"
#include "equiv/prover/sort_keys.hpp"

namespace trustsql::equiv {

class Unifier : public RelationComparison {
 public:
  // The relations belong to `plan`, to which new attributes are added. Assumptions in `denied` are not made,
  // whatever `assume` allows.
  Unifier(plan::Plan& plan, const plan::Assume& assume, const std::vector<plan::Assumption>& denied, Budget& budget);
  Unifier(const Unifier&) = delete;
  Unifier& operator=(const Unifier&) = delete;

  // Must be called once for every relation that takes part.
  void add(const plan::Rel& rel) { define_projections(rel, state_.bindings()); }

  bool bags(const plan::Rel& to, const plan::Rel& from, Then then) override { return bags_.match(to, from, then); }
  bool sets(const plan::Rel& a, const Columns& a_columns, const plan::Rel& b, const Columns& b_columns,
            bool identical) override;
  // Whether `rel` never has a row.
  bool is_empty(const plan::Rel& rel) { return bags_.is_empty(rel); }
  // Whether the keys put the rows of `to` into the same order.
  bool same_order(const plan::Rel& to, const std::vector<plan::SortKey>& to_keys,
                  const std::vector<plan::SortKey>& from_keys) {
    return equiv::same_order(state_, chase_, to, to_keys, from_keys);
  }

  // Binds the columns of `b` to the corresponding columns of `a`.
  void equate(const Columns& a, const Columns& b) { state_.equate(a, b); }
  // The attribute, or what it is bound to.
  const plan::Expr& apply(plan::AttributeId id) { return state_.apply(id); }
  // What holds for the rows of `rel`.
  ConditionSolver conditions_of(const plan::Rel& rel) { return chase_.conditions_of(rel); }

  // The assumptions that were made, and the pairs of table instances, in words, on the path that succeeded.
  const std::vector<plan::Assumption>& assumptions() const { return state_.assumptions(); }
  const std::vector<std::string>& steps() const { return state_.steps(); }
  // For the checker.
  const Certificate& certificate() const { return state_.certificate(); }

 private:
  bool same_subquery(const plan::Expr& expr, const plan::Rel& a, const plan::Rel& b);

  std::function<bool(const plan::Expr&, const plan::Rel&, const plan::Rel&)> same_subquery_;
  SearchState state_;
  Chase chase_;
  LeafMatcher leaves_;
  Containment containment_;
  BagMatcher bags_;
  int subquery_comparisons_ = 0;  // nesting of the subquery comparisons
};

}  // namespace trustsql::equiv
