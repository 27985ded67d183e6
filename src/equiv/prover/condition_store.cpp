#include "equiv/prover/condition_store.hpp"

#include <algorithm>
#include <utility>

#include "equiv/prover/axioms.hpp"
#include "plan/types.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv {

using namespace plan;

namespace {

// Longer lists are treated as opaque conditions.
constexpr std::size_t longest_list = 64;
// If more values than these depend on undecided conditions, they are not tried.
constexpr std::size_t max_choices = 8;

}  // namespace

bool ConditionStore::is_opaque(const Expr& expr) const {
  if (const auto* n = expr.as<And>()) return n->terms.size() > longest_list;
  if (const auto* n = expr.as<Or>()) return n->terms.size() > longest_list;
  if (const auto* n = expr.as<InList>()) {
    if (n->items.size() > longest_list) return true;
    // In a list numbers become text; in a comparison only if the other operand is text.
    const auto may_be_number = [&](const Expr& value) { return converts(value, Affinity::text, *plan_); };
    return n->how.affinity == Affinity::text &&
           (may_be_number(*n->operand) || std::any_of(n->items.begin(), n->items.end(), may_be_number));
  }
  return false;
}

bool ConditionStore::is_formula(const Expr& expr) const {
  return !is_opaque(expr) && (expr.is<Compare>() || expr.is<And>() || expr.is<Or>() || expr.is<Not>() ||
                              expr.is<IsNull>() || expr.is<IsTruth>() || expr.is<InList>());
}

// --- possible truth values

ConditionStore::Nullness ConditionStore::nullness(const Expr& expr) {
  const auto& term_class = classes_.class_of(find(expr));
  if (term_class.null) return {true, false};
  if (term_class.non_null) return {false, true};
  if (expr.is<plan::Column>() || expr.is<Parameter>()) return {true, true};
  if (is_formula(expr)) {
    const auto truth = possible(expr);
    return {truth.has(TruthSet::null()), truth.has(TruthSet::yes() | TruthSet::no())};
  }
  AttributeSet known;
  references(expr).for_each([&](AttributeId id) {
    if (!nullness(column(id)).may_be_null) known.add(id);
  });
  return {!is_non_null(expr, *plan_, known), true};
}

TruthSet ConditionStore::possible_compare(CompareOp op, const Comparison& how, const Expr& left, const Expr& right) {
  const auto left_nullness = nullness(left);
  const auto right_nullness = nullness(right);
  const auto a = find(left);
  const auto b = find(right);
  const bool values = left_nullness.may_be_value && right_nullness.may_be_value;
  const auto relations = values ? relation(how, a, b) : Relations();
  const auto true_relations = relations_of(op);
  TruthSet result;
  if (op == CompareOp::is || op == CompareOp::is_not) {
    if (classes_.find(a) == classes_.find(b)) {
      result = TruthSet::yes();
    } else {
      if ((left_nullness.may_be_null && right_nullness.may_be_null) || (values && relations.has(Relations::equal())))
        result = result | TruthSet::yes();
      const bool one_null = (left_nullness.may_be_null && right_nullness.may_be_value) ||
                            (right_nullness.may_be_null && left_nullness.may_be_value);
      if (one_null || (values && !(relations - Relations::equal()).empty())) result = result | TruthSet::no();
    }
    return op == CompareOp::is ? result : result.negated();
  }
  if (left_nullness.may_be_null || right_nullness.may_be_null) result = result | TruthSet::null();
  if (relations.has(true_relations)) result = result | TruthSet::yes();
  if (!(relations - true_relations).empty()) result = result | TruthSet::no();
  // No relation between the values is possible: one of the two is NULL.
  if (result.empty()) result = TruthSet::null();
  return result;
}

ConditionStore::Test ConditionStore::test(const Expr& expr) {
  const auto id = terms_->intern(expr);
  const auto& test_term = (*terms_)[id];
  return test_term.negation ? Test{classes_.find(test_term.operands.front()), true} : Test{classes_.find(id), false};
}

TruthSet ConditionStore::possible_test(const Expr& expr) {
  const auto [id, negated] = test(expr);
  auto result = classes_.class_of(id).truth;
  const auto null = nullness(expr);
  if (!null.may_be_null) result = result - TruthSet::null();
  if (!null.may_be_value) result = result & TruthSet::null();
  return negated ? result.negated() : result;
}

TruthSet ConditionStore::possible_case(const Case& choice) {
  TruthSet result;
  for (const auto& branch : choice.branches) {
    const auto condition = possible(*branch.condition);
    if (condition.has(TruthSet::yes())) result = result | possible(*branch.result);
    if (condition == TruthSet::yes()) return result;
  }
  return result | (choice.otherwise ? possible(*choice.otherwise) : TruthSet::null());
}

// Combines what the parts of a condition imply with what was assumed of it as a whole and could not be decomposed.
TruthSet ConditionStore::possible(const Expr& expr) {
  auto result = possible_by_parts(expr);
  for (const auto& condition : conditions_) {
    if (condition.expr == &expr || *condition.expr == expr) result = result & condition.truth;
  }
  if (const auto* n = expr.as<Case>(); n != nullptr && !n->operand) result = result & possible_test(expr);
  return result;
}

TruthSet ConditionStore::possible_by_parts(const Expr& expr) {
  if (is_opaque(expr)) return possible_test(expr);
  if (const auto* n = expr.as<And>()) {
    auto result = TruthSet::yes();
    for (const auto& term : n->terms) result = and_of(result, possible(term));
    return result;
  }
  if (const auto* n = expr.as<Or>()) {
    auto result = TruthSet::no();
    for (const auto& term : n->terms) result = or_of(result, possible(term));
    return result;
  }
  if (const auto* n = expr.as<Not>()) return possible(*n->operand).negated();
  if (const auto* n = expr.as<Compare>()) return possible_compare(n->op, n->how, *n->left, *n->right);
  if (const auto* n = expr.as<IsNull>()) {
    const auto null = nullness(*n->operand);
    TruthSet result;
    if (null.may_be_null) result = result | TruthSet::yes();
    if (null.may_be_value) result = result | TruthSet::no();
    return n->negated ? result.negated() : result;
  }
  if (const auto* n = expr.as<IsTruth>()) {
    const auto operand = possible(*n->operand);
    const auto wanted = n->truth ? TruthSet::yes() : TruthSet::no();
    TruthSet result;
    if (operand.has(wanted)) result = result | TruthSet::yes();
    if (operand.has(TruthSet::any() - wanted)) result = result | TruthSet::no();
    return n->negated ? result.negated() : result;
  }
  if (const auto* n = expr.as<InList>()) {
    auto result = TruthSet::no();
    for (const auto& item : n->items)
      result = or_of(result, possible_compare(CompareOp::equal, n->how, *n->operand, item));
    return n->negated ? result.negated() : result;
  }
  if (const auto* n = expr.as<Case>(); n != nullptr && !n->operand) return possible_case(*n);
  return possible_test(expr);
}

// --- consequences

void ConditionStore::restrict_null(const Expr& expr, bool is_null) {
  if (is_formula(expr)) {
    restrict(expr, is_null ? TruthSet::null() : TruthSet::any() - TruthSet::null());
    return;
  }
  const auto id = find(expr);
  if (is_null) {
    classes_.set_null(id);
  } else {
    classes_.set_non_null(id);
  }
}

void ConditionStore::restrict_test(const Expr& expr, TruthSet truth) {
  const auto [id, negated] = test(expr);
  classes_.restrict_truth(id, negated ? truth.negated() : truth);
}

void ConditionStore::restrict_compare(CompareOp op, const Comparison& how, const Expr& left, const Expr& right,
                                      TruthSet truth) {
  const auto a = find(left);
  const auto b = find(right);
  for (const auto* side : {&left, &right}) {
    if (undecided(*side, 3) != nullptr && choices_.size() < max_choices) choices_.push_back(side);
  }
  if (op == CompareOp::is || op == CompareOp::is_not) {
    if (truth.has(TruthSet::yes()) && truth.has(TruthSet::no())) return;
    if (!truth.has(TruthSet::yes() | TruthSet::no())) return fail();
    return restrict_is((op == CompareOp::is) == truth.has(TruthSet::yes()), how, {&left, a}, {&right, b});
  }
  // The restriction on the relation holds if neither side is NULL.
  Relations relations;
  if (truth.has(TruthSet::yes())) relations = relations | relations_of(op);
  if (truth.has(TruthSet::no())) relations = relations | (Relations::any() - relations_of(op));
  if (classes_.find(a) == classes_.find(b)) {
    if ((relations & Relations::equal()).empty()) {
      if (!truth.has(TruthSet::null())) return fail();
      restrict_null(left, true);
      return;
    }
  } else {
    constrain(how, a, b, relations);
  }
  if (!truth.has(TruthSet::null())) {
    restrict_null(left, false);
    if (!failed()) restrict_null(right, false);
    return;
  }
  // If no relation is possible, only NULL remains.
  if (classes_.find(a) != classes_.find(b) && relation(how, a, b).empty()) {
    if (!nullness(left).may_be_null) restrict_null(right, true);
    if (!failed() && !nullness(right).may_be_null) restrict_null(left, true);
  }
}

// Adds that `left IS right`, or that this is false.
void ConditionStore::restrict_is(bool equal, const Comparison& how, Operand left, Operand right) {
  const auto left_nullness = nullness(*left.expr);
  const auto right_nullness = nullness(*right.expr);
  if (equal) {
    if (equal_means_identical(how, *left.expr, *right.expr, *plan_)) return classes_.merge(left.term, right.term);
    constrain(how, left.term, right.term, Relations::equal());
    if (!left_nullness.may_be_null) restrict_null(*right.expr, false);
    if (!right_nullness.may_be_null) restrict_null(*left.expr, false);
    if (!left_nullness.may_be_value) restrict_null(*right.expr, true);
    if (!right_nullness.may_be_value) restrict_null(*left.expr, true);
  } else {
    if (classes_.find(left.term) == classes_.find(right.term)) return fail();
    constrain(how, left.term, right.term, Relations::any() - Relations::equal());
    if (!left_nullness.may_be_value) restrict_null(*right.expr, false);
    if (!right_nullness.may_be_value) restrict_null(*left.expr, false);
  }
}

// AND if `conjunction`, otherwise OR, by exchanging true and false.
void ConditionStore::restrict_terms(const std::vector<Expr>& terms, TruthSet truth, bool conjunction) {
  const auto turn = [&](TruthSet set) { return conjunction ? set : set.negated(); };
  const auto wanted_truth = turn(truth);  // as if for AND
  if (!wanted_truth.has(TruthSet::no())) {
    const auto each = wanted_truth.has(TruthSet::null()) ? TruthSet::yes() | TruthSet::null() : TruthSet::yes();
    for (const auto& term : terms) {
      restrict(term, turn(each));
      if (failed()) return;
    }
    return;
  }
  if (wanted_truth.has(TruthSet::yes())) return;  // true or false are both possible, which says little about the terms
  // The conjunction is not true, so at least one term is not true, either.
  const Expr* candidate = nullptr;
  for (const auto& term : terms) {
    const auto may = turn(possible(term));
    if (may.within(wanted_truth)) return;
    if (may == TruthSet::yes()) continue;
    if (candidate != nullptr) return;
    candidate = &term;
  }
  if (candidate == nullptr) return fail();
  restrict(*candidate, turn(wanted_truth));
}

void ConditionStore::restrict_in_list(const InList& list, TruthSet truth) {
  const auto wanted_truth = list.negated ? truth.negated() : truth;
  if (!wanted_truth.has(TruthSet::yes())) {
    for (const auto& item : list.items) {
      restrict_compare(CompareOp::equal, list.how, *list.operand, item,
                       wanted_truth.has(TruthSet::null()) ? TruthSet::not_true() : TruthSet::no());
      if (failed()) return;
    }
    return;
  }
  if (wanted_truth != TruthSet::yes()) return;
  restrict_null(*list.operand, false);
  const Expr* candidate = nullptr;
  for (const auto& item : list.items) {
    if (failed()) return;
    const auto may = possible_compare(CompareOp::equal, list.how, *list.operand, item);
    if (!may.has(TruthSet::yes())) continue;
    if (candidate != nullptr) return;
    candidate = &item;
  }
  if (candidate == nullptr) return fail();
  restrict_compare(CompareOp::equal, list.how, *list.operand, *candidate, TruthSet::yes());
}

void ConditionStore::restrict_is_null(const IsNull& is_null, TruthSet truth) {
  const auto wanted_truth = is_null.negated ? truth.negated() : truth;
  if (!wanted_truth.has(TruthSet::no())) {
    if (!wanted_truth.has(TruthSet::yes())) return fail();
    restrict_null(*is_null.operand, true);
  } else if (!wanted_truth.has(TruthSet::yes())) {
    restrict_null(*is_null.operand, false);
  }
}

void ConditionStore::restrict_is_truth(const IsTruth& is_truth, TruthSet truth) {
  const auto wanted_truth = is_truth.negated ? truth.negated() : truth;
  const auto tested = is_truth.truth ? TruthSet::yes() : TruthSet::no();
  TruthSet operand;
  if (wanted_truth.has(TruthSet::yes())) operand = operand | tested;
  if (wanted_truth.has(TruthSet::no())) operand = operand | (TruthSet::any() - tested);
  if (operand.empty()) return fail();
  restrict(*is_truth.operand, operand);
}

void ConditionStore::restrict(const Expr& expr, TruthSet truth) {
  if (failed() || truth == TruthSet::any()) return;
  if (is_opaque(expr)) return restrict_test(expr, truth);
  if (const auto* n = expr.as<Not>()) return restrict(*n->operand, truth.negated());
  if (const auto* n = expr.as<IsNull>()) return restrict_is_null(*n, truth);
  if (const auto* n = expr.as<IsTruth>()) return restrict_is_truth(*n, truth);
  // What the parts do not express is kept, to be looked at again when more is known.
  const auto keep_unless = [&](bool expressed) {
    if (!expressed) conditions_.push_back({&expr, truth});
  };
  if (const auto* n = expr.as<Case>(); n != nullptr && !n->operand) {
    restrict_test(expr, truth);
    if (failed()) return;
    const auto may = possible_case(*n);
    if ((may & truth).empty()) return fail();
    keep_unless(may.within(truth));
  } else if (restrict_by_parts(expr, truth)) {
    keep_unless(failed() || possible_by_parts(expr).within(truth));
  } else {
    restrict_test(expr, truth);
  }
}

// Returns false if the condition is not one of these.
bool ConditionStore::restrict_by_parts(const Expr& expr, TruthSet truth) {
  if (const auto* n = expr.as<And>()) {
    restrict_terms(n->terms, truth, true);
  } else if (const auto* n = expr.as<Or>()) {
    restrict_terms(n->terms, truth, false);
  } else if (const auto* n = expr.as<Compare>()) {
    restrict_compare(n->op, n->how, *n->left, *n->right, truth);
  } else if (const auto* n = expr.as<InList>()) {
    restrict_in_list(*n, truth);
  } else {
    return false;
  }
  return true;
}

void ConditionStore::note(const Expr& expr, TruthSet truth) {
  const bool noted =
      std::any_of(conditions_.begin(), conditions_.end(), [&](const Condition& c) { return c.expr == &expr; });
  if (!noted) conditions_.push_back({&expr, truth});
}

// --- propagation

void ConditionStore::propagate() {
  for (bool again = true; again && !failed();) {
    if (!budget_->spend()) return;
    again = false;
    if (classes_.changed() || classes_.has_new_terms()) classes_.close([&] { return apply_axioms(*this); });
    if (failed()) return;
    orders_.update(classes_);
    if (orders_.pass_on(classes_)) again = true;
    const auto conditions = std::exchange(conditions_, {});
    for (const auto& condition : conditions) {
      if (failed()) return;
      const auto truth = possible(*condition.expr);
      if ((truth & condition.truth).empty()) return fail();
      if (possible_by_parts(*condition.expr).within(condition.truth)) continue;
      restrict(*condition.expr, condition.truth & truth);
    }
    if (classes_.changed() || !orders_.is_current(classes_)) again = true;
  }
}

bool ConditionStore::contradictory() {
  if (!failed() && (classes_.changed() || !orders_.is_current(classes_))) propagate();
  return failed();
}

// --- what is undecided

const Expr* ConditionStore::undecided(const Expr& expr, int depth) {
  if (depth == 0) return nullptr;
  if (const auto* n = expr.as<Case>(); n != nullptr && !n->operand) {
    for (const auto& branch : n->branches) {
      const auto truth = possible(*branch.condition);
      if (!truth.has(TruthSet::yes())) continue;
      if (truth != TruthSet::yes()) return branch.condition.get();
      return undecided(*branch.result, depth - 1);
    }
    return n->otherwise ? undecided(*n->otherwise, depth - 1) : nullptr;
  }
  const Expr* condition = nullptr;
  for_each_expr(expr, [&](const Expr& operand) {
    if (condition == nullptr) condition = undecided(operand, depth - 1);
  });
  return condition;
}

}  // namespace trustsql::equiv
