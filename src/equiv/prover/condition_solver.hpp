// The condition solver: conditions that hold together for a row, and what follows from them.
//
// It answers from what propagation derives (condition_store.hpp). Where that does not decide a question, it refutes the
// opposite by trying the alternatives of undecided conditions one by one: each term of an OR, each item of IN, NULL and
// not NULL, the branches of CASE; as the splitting of cases in the procedure of Davis, Logemann and Loveland (1962),
// but only to a small depth. Last, sums of integers are left to a solver for them, if there is one (arithmetic.hpp).
//
// "Yes" is certain; "no" means not known. Budget: each alternative takes a step and a level of recursion; when either
// is spent, the answer is "no".
#pragma once

#include <vector>

#include "equiv/prover/budget.hpp"
#include "equiv/prover/condition_store.hpp"
#include "equiv/prover/terms.hpp"
#include "equiv/prover/truth.hpp"

namespace trustsql::equiv {

class ConditionSolver {
 public:
  // All of these must outlive the solver and its copies.
  ConditionSolver(const plan::Plan& plan, Terms& terms, Budget& budget, const TermOrders::AssumeInteger& assume_integer)
      : store_(plan, terms, budget, assume_integer) {}

  // Adds a condition that is true, or an attribute that is not NULL. The expression must outlive the solver.
  void assume(const plan::Expr& condition) { assume(condition, TruthSet::yes()); }
  void assume(const plan::Expr& condition, TruthSet truth);
  void assume_non_null(plan::AttributeId id);
  // Adds that two expressions have the same value, or are both NULL.
  void assume_same(const plan::Expr& a, const plan::Expr& b);

  // Whether no row satisfies the assumptions.
  bool contradictory() { return store_.contradictory(); }

  // Whether `condition` is true in every row.
  bool implies(const plan::Expr& condition);
  // Whether in every row at least one of `conditions`, lists of conjuncts, is true.
  bool implies_one_of(const std::vector<std::vector<const plan::Expr*>>& conditions);
  // Whether both have the same value in every respect; equal(): whether they count as equal (1 = 1.0), both NULL
  // included.
  bool same(const plan::Expr& a, const plan::Expr& b);
  bool equal(const plan::Expr& a, const plan::Expr& b);
  // Whether both are true for the same rows.
  bool same_truth(const plan::Expr& a, const plan::Expr& b);
  bool non_null(const plan::Expr& expr);
  // The literal that `expr` is equal to, if that is known.
  const Value* constant(const plan::Expr& expr);

 private:
  using Conjuncts = std::vector<const plan::Expr*>;

  bool refute(int depth);
  bool refute_by_condition(const ConditionStore::Condition& condition, int depth);
  template <class Assume>
  bool fails(int depth, Assume&& assume);
  bool fails_either_way(int depth, const plan::Expr& choice);
  bool refutes_one_of_each(const std::vector<Conjuncts>& lists, std::size_t list);
  bool same(const plan::Expr& a, const plan::Expr& b, int depth, bool identical);

  ConditionStore store_;
};

}  // namespace trustsql::equiv
