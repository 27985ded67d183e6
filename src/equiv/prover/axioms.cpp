#include "equiv/prover/axioms.hpp"

#include <algorithm>

#include "plan/evaluate.hpp"
#include "plan/types.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv {

using namespace plan;

namespace {

// The value of `expr` for these operands.
std::optional<Value> value_of(const Expr& expr, const std::vector<const Value*>& operands) {
  Expr copy = expr;
  std::size_t next = 0;
  for_each_expr(copy, [&](Expr& operand) { operand = literal(*operands[next++]); });
  return evaluate(copy);
}

// The axioms for one term: the first that fits its operator, and what is known of its operands, is applied.
class TermAxioms {
 public:
  TermAxioms(ConditionStore& store, TermId id)
      : store_(store),
        classes_(store.classes()),
        terms_(store.terms()),
        id_(id),
        expr_(*terms_[id].expr),
        operands_(terms_[id].operands) {}

  // Returns whether anything changed.
  bool apply() {
    if (operands_.empty()) return false;
    if (terms_[id_].negation) return becomes_truth(classes_.class_of(operands_.front()).truth.negated());
    if (is_null_by_operand()) return becomes(Value{});
    if (const auto value = computed_value()) return becomes(*value);
    if (const auto* choice = expr_.as<Case>(); choice != nullptr && !choice->operand) return becomes_branch(*choice);
    if (const auto* call = expr_.as<Function>();
        call != nullptr && call->info != nullptr && call->info->returns == SqlFunction::Returns::first_not_null)
      return becomes_first_not_null();
    // A true condition has the value 1 if it is not analysed.
    if (expr_.is<Exists>() || expr_.is<InSubquery>()) {
      const auto truth = classes_.class_of(id_).truth;
      if (truth != TruthSet::null()) return becomes_truth(truth);
    }
    return store_.is_formula(expr_) && becomes_formula();
  }

 private:
  // Merges the term with `other`. Returns whether that was new.
  bool becomes(TermId other) {
    if (classes_.find(other) == classes_.find(id_)) return false;
    classes_.merge(id_, other);
    return true;
  }
  bool becomes(const Value& value) { return becomes(terms_.intern_literal(value)); }
  // The value of a condition whose truth is known.
  bool becomes_truth(TruthSet truth) {
    if (truth == TruthSet::yes()) return becomes(Value(std::int64_t{1}));
    if (truth == TruthSet::no()) return becomes(Value(std::int64_t{0}));
    if (truth == TruthSet::null()) return becomes(Value{});
    return false;
  }

  bool is_null_by_operand() {
    return is_strict(expr_) && std::any_of(operands_.begin(), operands_.end(),
                                           [&](TermId operand) { return classes_.class_of(operand).null; });
  }

  // The value of an operator all of whose operands equal literals; nullopt if they do not, or the value is not known.
  std::optional<Value> computed_value() {
    if (has_subquery(expr_)) return std::nullopt;
    std::vector<const Value*> values;
    for (const auto operand : operands_) values.push_back(classes_.class_of(operand).value);
    if (!std::all_of(values.begin(), values.end(), [](const Value* value) { return value != nullptr; }))
      return std::nullopt;
    // The operands of a mirrored or sorted term are not in the order of the expression.
    const bool commutes = terms_[id_].commutes;
    const auto* compare = expr_.as<Compare>();
    const bool in_order = !commutes && (compare == nullptr ||
                                        (compare->op != CompareOp::greater && compare->op != CompareOp::greater_equal));
    const bool symmetric = commutes && operands_.size() <= 2;
    if (!in_order && !symmetric) return std::nullopt;
    return value_of(expr_, values);
  }

  bool becomes_branch(const Case& choice) {
    for (const auto& branch : choice.branches) {
      const auto truth = store_.possible(*branch.condition);
      if (!truth.has(TruthSet::yes())) continue;
      return truth == TruthSet::yes() && becomes(classes_.find(*branch.result));
    }
    return choice.otherwise ? becomes(classes_.find(*choice.otherwise)) : becomes(Value{});
  }

  bool becomes_first_not_null() {
    for (const auto operand : operands_) {
      const auto& operand_class = classes_.class_of(operand);
      if (operand_class.null) continue;
      return operand_class.non_null && becomes(operand);
    }
    return becomes(Value{});
  }

  bool becomes_formula() {
    const auto possible = store_.possible(expr_);
    const auto known = classes_.class_of(id_).truth;
    const auto truth = possible & known;
    if (truth.empty()) {
      classes_.fail();
      return true;
    }
    // What is known of the value is also known of the condition.
    if (!possible.within(known)) store_.note(expr_, known);
    return becomes_truth(truth);
  }

  ConditionStore& store_;
  Congruence& classes_;
  Terms& terms_;
  TermId id_;
  const Expr& expr_;
  std::vector<TermId> operands_;  // a copy: interning moves the terms
};

}  // namespace

bool apply_axioms(ConditionStore& store) {
  bool changed = false;
  auto& classes = store.classes();
  for (TermId id = 0; id < classes.size() && !classes.is_contradictory(); ++id)
    changed = TermAxioms(store, id).apply() || changed;
  return changed;
}

}  // namespace trustsql::equiv
