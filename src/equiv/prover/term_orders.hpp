// How terms compare: for each affinity and collation, which terms are less, equal or greater (orders.hpp), and what
// follows from this for equality and NULL.
//
// The theory of order beside that of equality (congruence.hpp), with which it exchanges equalities as in Nelson and
// Oppen (1979). What is known is kept as a list of constraints on pairs of terms; from these the orders of the
// representatives are built anew whenever classes have changed. Budget: orders are closed under transitivity within
// steps that grow with the square of their terms.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "equiv/prover/budget.hpp"
#include "equiv/prover/congruence.hpp"
#include "equiv/prover/orders.hpp"
#include "equiv/prover/terms.hpp"

namespace trustsql::equiv {

class TermOrders {
 public:
  // Returns whether an attribute may be assumed to hold only integers and NULL although its types do not say so.
  using AssumeInteger = std::function<bool(plan::AttributeId)>;
  // `relations` holds between the two terms wherever neither is NULL.
  struct Constraint {
    plan::Comparison how;
    TermId left;
    TermId right;
    Relations relations;
  };

  // All of these must outlive this object and its copies.
  TermOrders(const plan::Plan& plan, Terms& terms, Budget& budget, const AssumeInteger& assume_integer)
      : plan_(&plan), terms_(&terms), budget_(&budget), assume_integer_(&assume_integer) {}

  // The possible relations between two terms that are not NULL; any, once the budget is spent. `classes` are always
  // those of the same row.
  Relations relation(Congruence& classes, const plan::Comparison& how, TermId left, TermId right);
  // Adds that a relation is one of `relations` if neither term is NULL.
  void constrain(Congruence& classes, const plan::Comparison& how, TermId left, TermId right, Relations relations);

  // Whether no class and no constraint has changed since the orders were built.
  bool is_current(const Congruence& classes) const { return built_ && built_for_ == classes.version(); }
  // Builds the orders unless they are current.
  void update(Congruence& classes);
  // Tells `classes` what the orders imply: equal terms, NULLs, contradictions. Returns whether anything changed.
  bool pass_on(Congruence& classes);

  const std::vector<Constraint>& constraints() const { return constraints_; }
  // Whether the term is an integer or NULL in every row.
  bool is_integer(TermId term) const;

 private:
  void build(Congruence& classes);
  void fill(Order& order, Congruence& classes);
  bool use_integers(Congruence& classes, const plan::Comparison& how, TermId term, TermId bound, Relations relations);

  const plan::Plan* plan_;
  Terms* terms_;
  Budget* budget_;
  const AssumeInteger* assume_integer_;
  std::vector<Constraint> constraints_;
  std::vector<Order> orders_;
  bool built_ = true;            // from all constraints
  std::uint64_t built_for_ = 0;  // the version of the classes
};

// Whether values of `a` and `b` that are equal if compared by `how` are identical as well.
bool equal_means_identical(const plan::Comparison& how, const plan::Expr& a, const plan::Expr& b,
                           const plan::Plan& plan);

}  // namespace trustsql::equiv
