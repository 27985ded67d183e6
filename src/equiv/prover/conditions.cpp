// Three-valued logic in a context: the possible truth values of a condition, and what follows from them.
#include <algorithm>

#include "equiv/prover/context.hpp"
#include "plan/evaluate.hpp"
#include "plan/types.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv {

using namespace plan;

namespace {

// Longer lists are treated as opaque conditions.
constexpr std::size_t longest_list = 64;
// If more values than these depend on undecided conditions, they are not tried.
constexpr std::size_t max_choices = 8;

TruthSet both(TruthSet a, TruthSet b) {
  TruthSet result;
  if (a.has(TruthSet::no()) || b.has(TruthSet::no())) result = result | TruthSet::no();
  if (a.has(TruthSet::yes()) && b.has(TruthSet::yes())) result = result | TruthSet::yes();
  const auto not_false = TruthSet::yes() | TruthSet::null();
  if ((a.has(TruthSet::null()) && b.has(not_false)) || (b.has(TruthSet::null()) && a.has(not_false)))
    result = result | TruthSet::null();
  return result;
}

TruthSet either(TruthSet a, TruthSet b) { return both(a.negated(), b.negated()).negated(); }

}  // namespace

bool Context::is_opaque(const Expr& expr) const {
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

// Whether the context analyses the parts of the condition.
bool Context::is_formula(const Expr& expr) const {
  return !is_opaque(expr) && (expr.is<Compare>() || expr.is<And>() || expr.is<Or>() || expr.is<Not>() ||
                              expr.is<IsNull>() || expr.is<IsTruth>() || expr.is<InList>());
}

// --- possible truth values

Context::Nullness Context::nullness(const Expr& expr) {
  const auto& term_class = classes_[term(expr)];
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

bool Context::non_null(const Expr& expr) { return contradictory() || !nullness(expr).may_be_null; }

TruthSet Context::possible_compare(CompareOp op, const Comparison& how, const Expr& left, const Expr& right) {
  const auto of_left = nullness(left);
  const auto of_right = nullness(right);
  const auto a = term(left);
  const auto b = term(right);
  const bool values = of_left.may_be_value && of_right.may_be_value;
  const auto relations = values ? relation(how, a, b) : Relations();
  const auto true_relations = relations_of(op);
  TruthSet result;
  if (op == CompareOp::is || op == CompareOp::is_not) {
    if (find(a) == find(b)) {
      result = TruthSet::yes();
    } else {
      if ((of_left.may_be_null && of_right.may_be_null) || (values && relations.has(Relations::equal())))
        result = result | TruthSet::yes();
      const bool one_null =
          (of_left.may_be_null && of_right.may_be_value) || (of_right.may_be_null && of_left.may_be_value);
      if (one_null || (values && !(relations - Relations::equal()).empty())) result = result | TruthSet::no();
    }
    return op == CompareOp::is ? result : result.negated();
  }
  if (of_left.may_be_null || of_right.may_be_null) result = result | TruthSet::null();
  if (relations.has(true_relations)) result = result | TruthSet::yes();
  if (!(relations - true_relations).empty()) result = result | TruthSet::no();
  // No relation between the values is possible: one of the two is NULL.
  if (result.empty()) result = TruthSet::null();
  return result;
}

Context::Test Context::test(const Expr& expr) {
  const auto id = terms_->intern(expr);
  const auto& test_term = (*terms_)[id];
  return test_term.negation ? Test{find(test_term.operands.front()), true} : Test{find(id), false};
}

TruthSet Context::possible_test(const Expr& expr) {
  const auto [id, negated] = test(expr);
  auto result = classes_[id].truth;
  const auto null = nullness(expr);
  if (!null.may_be_null) result = result - TruthSet::null();
  if (!null.may_be_value) result = result & TruthSet::null();
  return negated ? result.negated() : result;
}

TruthSet Context::possible_case(const Case& choice) {
  TruthSet result;
  for (const auto& branch : choice.branches) {
    const auto condition = possible(*branch.condition);
    if (condition.has(TruthSet::yes())) result = result | possible(*branch.result);
    if (condition == TruthSet::yes()) return result;
  }
  return result | (choice.otherwise ? possible(*choice.otherwise) : TruthSet::null());
}

// Combines what the parts of a condition imply with what was assumed of it as a whole and could not be decomposed.
TruthSet Context::possible(const Expr& expr) {
  auto result = possible_by_parts(expr);
  for (const auto& condition : conditions_) {
    if (condition.expr == &expr || *condition.expr == expr) result = result & condition.truth;
  }
  if (const auto* n = expr.as<Case>(); n != nullptr && !n->operand) result = result & possible_test(expr);
  return result;
}

TruthSet Context::possible_by_parts(const Expr& expr) {
  if (is_opaque(expr)) return possible_test(expr);
  if (const auto* n = expr.as<And>()) {
    auto result = TruthSet::yes();
    for (const auto& term : n->terms) result = both(result, possible(term));
    return result;
  }
  if (const auto* n = expr.as<Or>()) {
    auto result = TruthSet::no();
    for (const auto& term : n->terms) result = either(result, possible(term));
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
      result = either(result, possible_compare(CompareOp::equal, n->how, *n->operand, item));
    return n->negated ? result.negated() : result;
  }
  if (const auto* n = expr.as<Case>(); n != nullptr && !n->operand) return possible_case(*n);
  return possible_test(expr);
}

// --- consequences

void Context::restrict_null(const Expr& expr, bool is_null) {
  if (is_formula(expr)) {
    restrict(expr, is_null ? TruthSet::null() : TruthSet::any() - TruthSet::null());
    return;
  }
  const auto id = term(expr);
  if (is_null) {
    set_null(id);
  } else {
    set_non_null(id);
  }
}

void Context::restrict_test(const Expr& expr, TruthSet truth) {
  const auto [id, negated] = test(expr);
  const auto narrowed = classes_[id].truth & (negated ? truth.negated() : truth);
  if (narrowed.empty()) return fail();
  if (narrowed != classes_[id].truth) changed_ = true;
  classes_[id].truth = narrowed;
  if (!narrowed.has(TruthSet::null())) {
    set_non_null(id);
  } else if (narrowed == TruthSet::null()) {
    set_null(id);
  }
}

void Context::restrict_compare(CompareOp op, const Comparison& how, const Expr& left, const Expr& right,
                               TruthSet truth) {
  const auto a = term(left);
  const auto b = term(right);
  for (const auto* side : {&left, &right}) {
    if (undecided(*side, 3) != nullptr && choices_.size() < max_choices) choices_.push_back(side);
  }
  if (op == CompareOp::is || op == CompareOp::is_not) {
    const bool equal = (op == CompareOp::is) == truth.has(TruthSet::yes());
    if (truth.has(TruthSet::yes()) && truth.has(TruthSet::no())) return;
    if (!truth.has(TruthSet::yes() | TruthSet::no())) return fail();
    const auto of_left = nullness(left);
    const auto of_right = nullness(right);
    if (equal) {
      if (how.is_binary() && equal_is_identical(left, right, *plan_) && !converts(left, how.affinity, *plan_) &&
          !converts(right, how.affinity, *plan_)) {
        merge(a, b);
        return;
      }
      constrain(how, a, b, Relations::equal());
      if (!of_left.may_be_null) restrict_null(right, false);
      if (!of_right.may_be_null) restrict_null(left, false);
      if (!of_left.may_be_value) restrict_null(right, true);
      if (!of_right.may_be_value) restrict_null(left, true);
    } else {
      if (find(a) == find(b)) return fail();
      constrain(how, a, b, Relations::any() - Relations::equal());
      if (!of_left.may_be_value) restrict_null(right, false);
      if (!of_right.may_be_value) restrict_null(left, false);
    }
    return;
  }
  // The restriction on the relation holds if neither side is NULL.
  Relations relations;
  if (truth.has(TruthSet::yes())) relations = relations | relations_of(op);
  if (truth.has(TruthSet::no())) relations = relations | (Relations::any() - relations_of(op));
  if (find(a) == find(b)) {
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
    if (!contradiction_) restrict_null(right, false);
    return;
  }
  // If no relation is possible, only NULL remains.
  if (find(a) != find(b) && relation(how, a, b).empty()) {
    if (!nullness(left).may_be_null) restrict_null(right, true);
    if (!contradiction_ && !nullness(right).may_be_null) restrict_null(left, true);
  }
}

// AND if `conjunction`, otherwise OR, by exchanging true and false.
void Context::restrict_terms(const std::vector<Expr>& terms, TruthSet truth, bool conjunction) {
  const auto turn = [&](TruthSet set) { return conjunction ? set : set.negated(); };
  const auto wanted_truth = turn(truth);  // as if for AND
  if (!wanted_truth.has(TruthSet::no())) {
    const auto each = wanted_truth.has(TruthSet::null()) ? TruthSet::yes() | TruthSet::null() : TruthSet::yes();
    for (const auto& term : terms) {
      restrict(term, turn(each));
      if (contradiction_) return;
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

void Context::restrict_in_list(const InList& list, TruthSet truth) {
  const auto wanted_truth = list.negated ? truth.negated() : truth;
  if (!wanted_truth.has(TruthSet::yes())) {
    for (const auto& item : list.items) {
      restrict_compare(CompareOp::equal, list.how, *list.operand, item,
                       wanted_truth.has(TruthSet::null()) ? TruthSet::not_true() : TruthSet::no());
      if (contradiction_) return;
    }
    return;
  }
  if (wanted_truth != TruthSet::yes()) return;
  restrict_null(*list.operand, false);
  const Expr* candidate = nullptr;
  for (const auto& item : list.items) {
    if (contradiction_) return;
    const auto may = possible_compare(CompareOp::equal, list.how, *list.operand, item);
    if (!may.has(TruthSet::yes())) continue;
    if (candidate != nullptr) return;
    candidate = &item;
  }
  if (candidate == nullptr) return fail();
  restrict_compare(CompareOp::equal, list.how, *list.operand, *candidate, TruthSet::yes());
}

void Context::restrict(const Expr& expr, TruthSet truth) {
  if (contradiction_ || truth == TruthSet::any()) return;
  const auto keep = [&] { conditions_.push_back({&expr, truth}); };
  if (is_opaque(expr)) return restrict_test(expr, truth);
  if (const auto* n = expr.as<And>()) {
    restrict_terms(n->terms, truth, true);
    if (!contradiction_ && !possible_by_parts(expr).within(truth)) keep();
  } else if (const auto* n = expr.as<Or>()) {
    restrict_terms(n->terms, truth, false);
    if (!contradiction_ && !possible_by_parts(expr).within(truth)) keep();
  } else if (const auto* n = expr.as<Not>()) {
    restrict(*n->operand, truth.negated());
  } else if (const auto* n = expr.as<Compare>()) {
    restrict_compare(n->op, n->how, *n->left, *n->right, truth);
    if (!contradiction_ && !possible_by_parts(expr).within(truth)) keep();
  } else if (const auto* n = expr.as<IsNull>()) {
    const auto is_null = n->negated ? truth.negated() : truth;
    if (!is_null.has(TruthSet::no())) {
      if (!is_null.has(TruthSet::yes())) return fail();
      restrict_null(*n->operand, true);
    } else if (!is_null.has(TruthSet::yes())) {
      restrict_null(*n->operand, false);
    }
  } else if (const auto* n = expr.as<IsTruth>()) {
    const auto wanted_truth = n->negated ? truth.negated() : truth;
    const auto wanted = n->truth ? TruthSet::yes() : TruthSet::no();
    TruthSet operand;
    if (wanted_truth.has(TruthSet::yes())) operand = operand | wanted;
    if (wanted_truth.has(TruthSet::no())) operand = operand | (TruthSet::any() - wanted);
    if (operand.empty()) return fail();
    restrict(*n->operand, operand);
  } else if (const auto* n = expr.as<InList>()) {
    restrict_in_list(*n, truth);
    if (!contradiction_ && !possible_by_parts(expr).within(truth)) keep();
  } else if (const auto* n = expr.as<Case>(); n != nullptr && !n->operand) {
    restrict_test(expr, truth);
    if (contradiction_) return;
    const auto may = possible_case(*n);
    if ((may & truth).empty()) return fail();
    if (!may.within(truth)) keep();
  } else {
    restrict_test(expr, truth);
  }
}

}  // namespace trustsql::equiv
