// The conditions that are known to hold for a row, and what propagation alone derives from them.
//
// For each condition it is known which of true, false and NULL it may be. Three theories work together, as in solvers
// for satisfiability modulo theories (Nelson and Oppen 1979):
//   equality    congruence.hpp; what operators return for known operands: axioms.hpp
//   order       term_orders.hpp
//   logic       three-valued logic over the two, in this file: possible() derives the truth values that a condition may
//               have from those of its parts, restrict() derives from its truth what its parts must be
// propagate() lets each of them tell the others what it has found, until nothing changes. Alternatives are not tried:
// that is the task of the condition solver (condition_solver.hpp).
//
// A copy is independent of the original. Budget: a step for each round of propagation, beside those of the theories.
#pragma once

#include <vector>

#include "equiv/prover/budget.hpp"
#include "equiv/prover/congruence.hpp"
#include "equiv/prover/term_orders.hpp"
#include "equiv/prover/terms.hpp"
#include "equiv/prover/truth.hpp"

namespace trustsql::equiv {

class ConditionStore {
 public:
  // A condition that could not be decomposed further, and the truth values that it may have.
  struct Condition {
    const plan::Expr* expr;
    TruthSet truth;
  };
  struct Nullness {
    bool may_be_null;
    bool may_be_value;
  };

  // All of these must outlive the store and its copies.
  ConditionStore(const plan::Plan& plan, Terms& terms, Budget& budget, const TermOrders::AssumeInteger& assume_integer)
      : plan_(&plan),
        terms_(&terms),
        budget_(&budget),
        classes_(terms, budget),
        orders_(plan, terms, budget, assume_integer) {}

  // --- adding what is known; expressions must outlive the store. propagate() draws the conclusions.

  // The truth of `expr` is in `truth`.
  void restrict(const plan::Expr& expr, TruthSet truth);
  void restrict_compare(plan::CompareOp op, const plan::Comparison& how, const plan::Expr& left,
                        const plan::Expr& right, TruthSet truth);
  void restrict_null(const plan::Expr& expr, bool is_null);
  // Keeps for the propagation that the truth of `expr` is in `truth`, unless something is kept of it already.
  void note(const plan::Expr& expr, TruthSet truth);

  void propagate();
  // Propagates if something has changed. Returns whether no row satisfies the conditions.
  bool contradictory();

  // --- what is known; true and certain, while "may be" can be too weak

  // The truth values that the condition may have.
  TruthSet possible(const plan::Expr& expr);
  Nullness nullness(const plan::Expr& expr);
  // How the two compare if neither is NULL.
  Relations relation(const plan::Comparison& how, TermId left, TermId right) {
    return orders_.relation(classes_, how, left, right);
  }
  // Whether the parts of the condition are analysed.
  bool is_formula(const plan::Expr& expr) const;
  // A condition whose truth decides which branch of a CASE `expr` takes, if that is open; at most `depth` levels deep.
  // nullptr if there is none.
  const plan::Expr* undecided(const plan::Expr& expr, int depth);

  Congruence& classes() { return classes_; }
  const TermOrders& orders() const { return orders_; }
  Terms& terms() const { return *terms_; }
  Budget& budget() const { return *budget_; }
  const std::vector<Condition>& conditions() const { return conditions_; }
  // Operands of comparisons that depend on undecided conditions.
  const std::vector<const plan::Expr*>& choices() const { return choices_; }

 private:
  // A condition that is not analysed, as a term, or the negation of one.
  struct Test {
    TermId term;
    bool negated;
  };

  // An operand of a comparison, and its term.
  struct Operand {
    const plan::Expr* expr;
    TermId term;
  };

  TermId find(const plan::Expr& expr) { return classes_.find(expr); }
  void fail() { classes_.fail(); }
  bool failed() const { return classes_.is_contradictory(); }
  void constrain(const plan::Comparison& how, TermId left, TermId right, Relations relations) {
    orders_.constrain(classes_, how, left, right, relations);
  }

  TruthSet possible_by_parts(const plan::Expr& expr);
  TruthSet possible_compare(plan::CompareOp op, const plan::Comparison& how, const plan::Expr& left,
                            const plan::Expr& right);
  TruthSet possible_test(const plan::Expr& expr);
  TruthSet possible_case(const plan::Case& choice);
  bool is_opaque(const plan::Expr& expr) const;
  Test test(const plan::Expr& expr);

  bool restrict_by_parts(const plan::Expr& expr, TruthSet truth);
  void restrict_is(bool equal, const plan::Comparison& how, Operand left, Operand right);
  void restrict_terms(const std::vector<plan::Expr>& terms, TruthSet truth, bool conjunction);
  void restrict_in_list(const plan::InList& list, TruthSet truth);
  void restrict_is_null(const plan::IsNull& is_null, TruthSet truth);
  void restrict_is_truth(const plan::IsTruth& is_truth, TruthSet truth);
  void restrict_test(const plan::Expr& expr, TruthSet truth);

  const plan::Plan* plan_;
  Terms* terms_;
  Budget* budget_;
  Congruence classes_;
  TermOrders orders_;
  std::vector<Condition> conditions_;
  std::vector<const plan::Expr*> choices_;
};

}  // namespace trustsql::equiv
