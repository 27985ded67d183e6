// The value of an expression for given values of the attributes (three-valued logic, affinities, collations). An
// expression that cannot be computed here has an arbitrary value that depends only on its structure and the values of
// its operands.
#pragma once

#include <optional>
#include <vector>

#include "equiv/checker/structure_text.hpp"
#include "plan/plan.hpp"

namespace trustsql::equiv::checker {

class Evaluation {
 public:
  // `name`: equal for attributes that have the same value; used to tell subqueries apart.
  Evaluation(const plan::Plan& plan, AttributeName name) : plan_(plan), name_(name) {}

  void set(plan::AttributeId id, Value value);
  const Value& get(plan::AttributeId id) const { return values_[id]; }

  // Attributes without a value are NULL.
  Value operator()(const plan::Expr& expr);
  bool is_true(const plan::Expr& expr);

 private:
  enum class Logic : std::uint8_t { no, yes, null };
  static Value value_of(Logic logic);
  Logic logic_of(const plan::Expr& expr);
  Logic compare(plan::CompareOp op, const plan::Comparison& how, const Value& left, const Value& right, bool in_list);
  Logic one_of(const plan::InList& list);
  Value choose(const plan::Case& choice);
  std::optional<Value> choose(const plan::Function& function);
  Value opaque(const plan::Expr& expr);

  const plan::Plan& plan_;
  AttributeName name_;
  std::vector<Value> values_;
};

}  // namespace trustsql::equiv::checker
