// A context: conditions that hold together for a row, and what follows from them.
//
// Conditions are kept in three-valued logic: for each it is known which of true, false and NULL it may be. Three
// theories work together, as in solvers for satisfiability modulo theories (Nelson and Oppen 1979):
//   equality    congruence closure over terms: columns, constants, operators and functions applied to equal operands.
//               Only values that are identical are merged, 1 and 1.0 are not.
//   order       for each affinity and collation, what is less, equal or greater (orders.hpp)
//   NULL        which terms are NULL, which are not
// If they do not decide a question, implies() tries the alternatives of undecided conditions one by one, to a small
// depth.
//
// "Yes" is certain; "no" means not known.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "equiv/prover/budget.hpp"
#include "equiv/prover/orders.hpp"
#include "equiv/prover/terms.hpp"
#include "equiv/prover/truth.hpp"

namespace trustsql::equiv {

class Context {
 public:
  // Returns whether an attribute may be assumed to hold only integers and NULL although its types do not say so.
  using AssumeInteger = std::function<bool(plan::AttributeId)>;
  // All of these must outlive the context and its copies.
  Context(const plan::Plan& plan, Terms& terms, Budget& budget, const AssumeInteger& assume_integer)
      : plan_(&plan), terms_(&terms), budget_(&budget), assume_integer_(&assume_integer) {}

  // Adds a condition that is true, or an attribute that is not NULL. The expression must outlive the context.
  void assume(const plan::Expr& condition) { assume(condition, TruthSet::yes()); }
  void assume(const plan::Expr& condition, TruthSet truth);
  void assume_non_null(plan::AttributeId id);
  // Adds that two expressions have the same value, or are both NULL.
  void assume_same(const plan::Expr& a, const plan::Expr& b);

  // Whether no row satisfies the assumptions.
  bool contradictory();

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
  struct Class {
    bool null = false;
    bool non_null = false;
    TruthSet truth = TruthSet::any();  // as a condition
    const Value* value = nullptr;
  };
  struct Constraint {
    plan::Comparison how;
    TermId left;
    TermId right;
    Relations relations;
  };
  struct Condition {
    const plan::Expr* expr;
    TruthSet truth;
  };
  struct Nullness {
    bool may_be_null;
    bool may_be_value;
  };
  struct Test {
    TermId term;
    bool negated;
  };

  // --- terms and classes (context.cpp)
  TermId find(TermId term);
  TermId term(const plan::Expr& expr);
  void extend();
  void merge(TermId a, TermId b);
  void close_under_congruence();
  bool apply_axioms();
  bool apply_axioms_to(TermId id);
  void set_null(TermId id);
  void set_non_null(TermId id);
  void fail() { contradiction_ = true; }
  void propagate();

  // --- order (comparisons.cpp)
  Relations relation(const plan::Comparison& how, TermId left, TermId right);
  void constrain(const plan::Comparison& how, TermId left, TermId right, Relations relations);
  void build_orders();
  bool use_orders();
  bool use_integers(const plan::Comparison& how, TermId term, TermId bound, Relations relations);
  bool is_integer(TermId term) const;

  // --- conditions (conditions.cpp)
  TruthSet possible(const plan::Expr& expr);
  TruthSet possible_by_parts(const plan::Expr& expr);
  TruthSet possible_compare(plan::CompareOp op, const plan::Comparison& how, const plan::Expr& left,
                            const plan::Expr& right);
  TruthSet possible_test(const plan::Expr& expr);
  TruthSet possible_case(const plan::Case& choice);
  bool is_opaque(const plan::Expr& expr) const;
  bool is_formula(const plan::Expr& expr) const;
  Nullness nullness(const plan::Expr& expr);
  Test test(const plan::Expr& expr);
  void restrict(const plan::Expr& expr, TruthSet truth);
  void restrict_compare(plan::CompareOp op, const plan::Comparison& how, const plan::Expr& left,
                        const plan::Expr& right, TruthSet truth);
  void restrict_terms(const std::vector<plan::Expr>& terms, TruthSet truth, bool conjunction);
  void restrict_in_list(const plan::InList& list, TruthSet truth);
  void restrict_test(const plan::Expr& expr, TruthSet truth);
  void restrict_null(const plan::Expr& expr, bool is_null);

  // --- arithmetic (arithmetic.cpp)
  class Arithmetic;
  bool refuted_by_arithmetic();

  // --- alternatives (alternatives.cpp)
  bool refute(int depth);
  bool same(const plan::Expr& a, const plan::Expr& b, int depth, bool identical);
  const plan::Expr* undecided(const plan::Expr& expr, int depth);

  const plan::Plan* plan_;
  Terms* terms_;
  Budget* budget_;
  const AssumeInteger* assume_integer_;
  std::vector<TermId> parent_;
  std::vector<Class> classes_;
  std::vector<Constraint> constraints_;
  std::vector<Order> orders_;
  std::vector<Condition> conditions_;       // that could not be decomposed further
  std::vector<const plan::Expr*> choices_;  // operands of comparisons that depend on conditions
  bool contradiction_ = false;
  bool changed_ = false;        // since the last congruence closure
  bool orders_current_ = true;  // nothing has changed since they were built
};

}  // namespace trustsql::equiv
