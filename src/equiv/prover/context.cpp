#include "equiv/prover/context.hpp"

#include <algorithm>
#include <unordered_map>

#include "plan/evaluate.hpp"
#include "plan/facts.hpp"
#include "plan/strictness.hpp"
#include "plan/types.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv {

using namespace plan;

namespace {

// The value of `expr` for these operands.
std::optional<Value> value_of(const Expr& expr, const std::vector<const Value*>& operands) {
  Expr copy = expr;
  std::size_t at = 0;
  for_each_expr(copy, [&](Expr& operand) { operand = literal(*operands[at++]); });
  return evaluate(copy);
}

// Whether a NULL operand makes the result NULL, whatever the others are.
bool is_strict(const Expr& expr) {
  if (expr.is<Unary>() || expr.is<Not>() || expr.is<Cast>()) return true;
  if (const auto* n = expr.as<Binary>()) return n->op != ast::BinaryOp::arrow && n->op != ast::BinaryOp::double_arrow;
  if (const auto* n = expr.as<Compare>()) return n->op != CompareOp::is && n->op != CompareOp::is_not;
  if (const auto* n = expr.as<Like>()) {
    const bool known = (n->op == ast::LikeOp::like || n->op == ast::LikeOp::glob) &&
                       (!n->escape || literal_value(*n->escape) != nullptr);
    return known && literal_value(*n->pattern) != nullptr && !is_null_literal(*n->pattern) &&
           is_never_blob(*n->pattern);
  }
  if (const auto* n = expr.as<Function>())
    return n->info != nullptr && n->info->returns == SqlFunction::Returns::null_if_any;
  return false;
}

}  // namespace

void Context::extend() {
  while (parent_.size() < terms_->size()) {
    const auto id = static_cast<TermId>(parent_.size());
    parent_.push_back(id);
    classes_.emplace_back();
    const auto& new_term = (*terms_)[id];
    if (const auto* value = literal_value(*new_term.expr)) {
      auto& new_class = classes_.back();
      new_class.value = value;
      if (value->index() == 0) {
        new_class.null = true;
        new_class.truth = TruthSet::null();
      } else {
        new_class.non_null = true;
        const auto truth = truth_of(*value);
        new_class.truth = !truth                 ? TruthSet::yes() | TruthSet::no()
                          : *truth == Truth::yes ? TruthSet::yes()
                                                 : TruthSet::no();
      }
    }
    if (!new_term.operands.empty()) changed_ = true;  // the term may be congruent to an existing one
  }
}

TermId Context::find(TermId term) {
  extend();
  while (parent_[term] != term) term = parent_[term] = parent_[parent_[term]];
  return term;
}

TermId Context::term(const Expr& expr) { return find(terms_->intern(expr)); }

void Context::set_null(TermId id) {
  auto& term_class = classes_[find(id)];
  if (term_class.null) return;
  if (term_class.non_null) return fail();
  term_class.null = true;
  term_class.truth = term_class.truth & TruthSet::null();
  if (term_class.truth.empty()) return fail();
  orders_current_ = false;
  merge(id, terms_->intern_literal(Value{}));
}

void Context::set_non_null(TermId id) {
  const auto root = find(id);
  auto& term_class = classes_[root];
  if (term_class.non_null) return;
  if (term_class.null) return fail();
  term_class.non_null = true;
  term_class.truth = term_class.truth - TruthSet::null();
  if (term_class.truth.empty()) return fail();
  orders_current_ = false;
  changed_ = true;  // axioms may apply now
  // A NULL operand would have made a term NULL.
  const auto size = parent_.size();
  for (TermId other = 0; other < size; ++other) {
    if (find(other) != root || !is_strict(*(*terms_)[other].expr)) continue;
    const auto operands = (*terms_)[other].operands;
    for (const auto operand : operands) set_non_null(operand);
    if (contradiction_) return;
  }
}

void Context::merge(TermId a, TermId b) {
  a = find(a);
  b = find(b);
  if (a == b) return;
  if (b < a) std::swap(a, b);
  const auto merged_class = classes_[b];
  parent_[b] = a;
  changed_ = true;
  orders_current_ = false;
  auto& kept_class = classes_[a];
  // Two literals are different terms because they are not identical (0.0 and -0.0 are treated as identical here).
  if (kept_class.value != nullptr && merged_class.value != nullptr &&
      !trustsql::equal(view(*kept_class.value), view(*merged_class.value)))
    return fail();
  if (kept_class.value == nullptr) kept_class.value = merged_class.value;
  const bool null = kept_class.null || merged_class.null;
  const bool non_null = kept_class.non_null || merged_class.non_null;
  kept_class.truth = kept_class.truth & merged_class.truth;
  if ((null && non_null) || kept_class.truth.empty()) return fail();
  // Apply it again, for the terms that were merged into the class.
  kept_class.null = kept_class.non_null = false;
  if (null) set_null(a);
  if (non_null) set_non_null(a);
}

void Context::close_under_congruence() {
  std::unordered_map<std::string, TermId> representatives;
  for (bool again = true; again && !contradiction_;) {
    again = changed_ = false;
    representatives.clear();
    extend();
    changed_ = false;
    if (!budget_->spend(1 + static_cast<int>(terms_->size() / 16))) return;
    for (TermId id = 0; id < terms_->size(); ++id) {
      const auto& current_term = (*terms_)[id];
      if (current_term.operands.empty()) continue;
      std::vector<TermId> operands;
      operands.reserve(current_term.operands.size());
      for (const auto operand : current_term.operands) operands.push_back(find(operand));
      if (current_term.commutes) std::sort(operands.begin(), operands.end());
      std::string key(reinterpret_cast<const char*>(&current_term.head), sizeof current_term.head);
      key.append(reinterpret_cast<const char*>(operands.data()), operands.size() * sizeof(TermId));
      const auto [at, is_new] = representatives.emplace(std::move(key), id);
      if (!is_new && find(at->second) != find(id)) {
        merge(at->second, id);
        again = true;
      }
    }
    if (!contradiction_ && apply_axioms()) again = true;
    if (changed_) again = true;
  }
}

// Applies what operators are known to return, given what is known of their operands.
bool Context::apply_axioms() {
  bool changed = false;
  for (TermId id = 0; id < parent_.size() && !contradiction_; ++id) changed = apply_axioms_to(id) || changed;
  return changed;
}

bool Context::apply_axioms_to(TermId id) {
  const auto& expr = *(*terms_)[id].expr;
  const auto operands = (*terms_)[id].operands;
  if (operands.empty()) return false;
  const auto becomes = [&](TermId other) {
    if (find(other) == find(id)) return false;
    merge(id, other);
    return true;
  };
  if ((*terms_)[id].negation) {
    const auto truth = classes_[find(operands.front())].truth;
    if (truth == TruthSet::yes()) return becomes(terms_->intern_literal(Value(std::int64_t{0})));
    if (truth == TruthSet::no()) return becomes(terms_->intern_literal(Value(std::int64_t{1})));
    if (truth == TruthSet::null()) return becomes(terms_->intern_literal(Value{}));
    return false;
  }
  if (is_strict(expr) &&
      std::any_of(operands.begin(), operands.end(), [&](TermId operand) { return classes_[find(operand)].null; })) {
    return becomes(terms_->intern_literal(Value{}));
  }
  if (!has_subquery(expr)) {
    std::vector<const Value*> values;
    for (const auto operand : operands) values.push_back(classes_[find(operand)].value);
    // The operands of a mirrored or sorted term are not in the order of the expression.
    const auto* compare = expr.as<Compare>();
    const bool in_order =
        !(*terms_)[id].commutes &&
        (compare == nullptr || (compare->op != CompareOp::greater && compare->op != CompareOp::greater_equal));
    if (std::all_of(values.begin(), values.end(), [](const Value* value) { return value != nullptr; })) {
      const bool symmetric = (*terms_)[id].commutes && operands.size() <= 2;
      if (in_order || symmetric) {
        if (const auto value = value_of(expr, values)) return becomes(terms_->intern_literal(*value));
      }
    }
  }
  if (const auto* choice = expr.as<Case>(); choice != nullptr && !choice->operand) {
    for (const auto& branch : choice->branches) {
      const auto truth = possible(*branch.condition);
      if (!truth.has(TruthSet::yes())) continue;
      return truth == TruthSet::yes() ? becomes(term(*branch.result)) : false;
    }
    return becomes(choice->otherwise ? term(*choice->otherwise) : terms_->intern_literal(Value{}));
  }
  if (const auto* call = expr.as<Function>();
      call != nullptr && call->info != nullptr && call->info->returns == SqlFunction::Returns::first_not_null) {
    for (const auto operand : operands) {
      const auto& operand_class = classes_[find(operand)];
      if (operand_class.null) continue;
      return operand_class.non_null ? becomes(operand) : false;
    }
    return becomes(terms_->intern_literal(Value{}));
  }
  if (expr.is<Exists>() || expr.is<InSubquery>()) {
    // A true condition has the value 1 if it is not analysed.
    const auto truth = classes_[find(id)].truth;
    if (truth == TruthSet::yes()) return becomes(terms_->intern_literal(Value(std::int64_t{1})));
    if (truth == TruthSet::no()) return becomes(terms_->intern_literal(Value(std::int64_t{0})));
  }
  if (is_formula(expr)) {
    const auto possible_truth = possible(expr);
    const auto known_truth = classes_[find(id)].truth;
    const auto truth = possible_truth & known_truth;
    if (truth.empty()) {
      fail();
      return true;
    }
    // What is known of the value is also known of the condition.
    const bool noted =
        std::any_of(conditions_.begin(), conditions_.end(), [&](const Condition& c) { return c.expr == &expr; });
    if (!possible_truth.within(known_truth) && !noted) conditions_.push_back({&expr, known_truth});
    const auto is_exactly = [&](TruthSet only) { return truth == only; };
    if (is_exactly(TruthSet::yes())) return becomes(terms_->intern_literal(Value(std::int64_t{1})));
    if (is_exactly(TruthSet::no())) return becomes(terms_->intern_literal(Value(std::int64_t{0})));
    if (is_exactly(TruthSet::null())) return becomes(terms_->intern_literal(Value{}));
  }
  return false;
}

void Context::propagate() {
  for (bool again = true; again && !contradiction_;) {
    if (!budget_->spend()) return;
    again = false;
    if (changed_ || parent_.size() < terms_->size()) close_under_congruence();
    if (contradiction_) return;
    if (!orders_current_) build_orders();
    if (use_orders()) again = true;
    const auto conditions = std::exchange(conditions_, {});
    for (const auto& condition : conditions) {
      if (contradiction_) return;
      const auto truth = possible(*condition.expr);
      if ((truth & condition.truth).empty()) return fail();
      if (possible_by_parts(*condition.expr).within(condition.truth)) continue;
      restrict(*condition.expr, condition.truth);
    }
    if (changed_ || !orders_current_) again = true;
  }
}

void Context::assume(const Expr& condition, TruthSet truth) {
  if (contradiction_) return;
  restrict(condition, truth);
  changed_ = true;  // a CASE may be decided now
  propagate();
}

void Context::assume_non_null(AttributeId id) {
  if (contradiction_) return;
  restrict_null(*(*terms_)[terms_->intern(column(id))].expr, false);
}

void Context::assume_same(const Expr& a, const Expr& b) {
  if (contradiction_) return;
  merge(term(a), term(b));
  propagate();
}

bool Context::contradictory() {
  if (!contradiction_ && (changed_ || !orders_current_)) propagate();
  return contradiction_;
}

const Value* Context::constant(const Expr& expr) {
  const auto id = term(expr);
  if (changed_) propagate();
  return classes_[find(id)].value;
}

}  // namespace trustsql::equiv
