// Terms: shared expressions, the nodes of congruence closure (congruence.hpp).
//
// Two expressions of the same form over the same terms are one term. Operands of commutative operators are in a
// canonical order; a > b is b < a; NOT LIKE, NOT EXISTS and similar are the negation of the term of LIKE, EXISTS.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/function_ref.hpp"
#include "plan/plan.hpp"

namespace trustsql::equiv {

using TermId = std::uint32_t;

struct Term {
  std::uint32_t head = 0;          // everything except the operands
  std::vector<TermId> operands{};  // as they were when the term was made
  bool commutes = false;
  bool negation = false;             // negates its only operand, a test
  const plan::Expr* expr = nullptr;  // one of the expressions that the term represents
};

class Terms {
 public:
  // `same_subquery(expr, a, b)`: whether `expr`, an expression with a subquery, has the same value with relation
  // `a` as with relation `b`.
  using SameSubquery = FunctionRef<bool(const plan::Expr&, const plan::Rel&, const plan::Rel&)>;
  explicit Terms(SameSubquery same_subquery) : same_subquery_(same_subquery) {}

  // `expr` must outlive this.
  TermId intern(const plan::Expr& expr);
  TermId intern(plan::AttributeId id);
  TermId intern_literal(const Value& value);

  const Term& operator[](TermId id) const { return terms_[id]; }
  std::size_t size() const { return terms_.size(); }

 private:
  TermId intern_test(const plan::Expr& expr);
  TermId make(std::string head, std::vector<TermId> operands, bool commutes, const plan::Expr* expr);

  SameSubquery same_subquery_;
  std::vector<Term> terms_;
  std::unordered_map<std::string, TermId> known_;  // by head and operands
  std::unordered_map<std::string, std::uint32_t> heads_;
  struct Subquery {
    const plan::Rel* rel;
    int number;
  };
  std::vector<Subquery> subqueries_;
  // Expressions of terms that no expression of the queries represents: attributes, literals, tests that occur
  // negated.
  std::deque<plan::Expr> own_exprs_;
  int next_subquery_ = 0;
};

}  // namespace trustsql::equiv
