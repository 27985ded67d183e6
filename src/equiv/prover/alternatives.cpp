// Questions to a context, and the alternatives to try if the context does not decide them.
#include <algorithm>

#include "equiv/prover/context.hpp"
#include "plan/types.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv {

using namespace plan;

namespace {
constexpr int deepest = 5;
}

// The condition of a CASE in `expr` that is undecided, or a term of which only its truth as a condition is known.
const Expr* Context::undecided(const Expr& expr, int depth) {
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
  const Expr* found = nullptr;
  for_each_expr(expr, [&](const Expr& operand) {
    if (found == nullptr) found = undecided(operand, depth - 1);
  });
  return found;
}

bool Context::refute(int depth) {
  if (contradictory()) return true;
  const Budget::Level level(*budget_);
  if (!level || depth == 0 || !budget_->spend()) return false;
  const auto fails = [&](auto&& assume) {
    Context alternative = *this;
    assume(alternative);
    return alternative.refute(depth - 1);
  };
  for (std::size_t i = 0; i < conditions_.size(); ++i) {
    const auto condition = conditions_[i];
    const Expr& expr = *condition.expr;
    const auto* list = expr.as<InList>();
    const auto* terms = expr.is<And>() ? &expr.as<And>()->terms : expr.is<Or>() ? &expr.as<Or>()->terms : nullptr;
    if (list != nullptr && (list->negated ? condition.truth.negated() : condition.truth) == TruthSet::yes()) {
      bool all_fail = true;
      for (const auto& item : list->items) {
        all_fail = all_fail && fails([&](Context& other) {
                     other.restrict_compare(CompareOp::equal, list->how, *list->operand, item, TruthSet::yes());
                   });
      }
      if (all_fail) return true;
      continue;
    }
    if (terms != nullptr) {
      const bool conjunction = expr.is<And>();
      const auto wanted = conjunction ? condition.truth : condition.truth.negated();
      if (wanted.has(TruthSet::yes())) continue;
      const auto each = conjunction ? wanted : wanted.negated();
      bool all_fail = true;
      for (const auto& term : *terms) all_fail = all_fail && fails([&](Context& other) { other.assume(term, each); });
      if (all_fail) return true;
      continue;
    }
    if (const Expr* choice = undecided(expr, 3)) {
      if (fails([&](Context& other) { other.assume(*choice, TruthSet::yes()); }) &&
          fails([&](Context& other) { other.assume(*choice, TruthSet::not_true()); })) {
        return true;
      }
      continue;
    }
    if (const auto* n = expr.as<Compare>()) {
      // NULL or not NULL: for IS, and for comparisons that may be NULL.
      if (nullness(*n->left).may_be_null && nullness(*n->left).may_be_value &&
          fails([&](Context& other) { other.restrict_null(*n->left, true); }) &&
          fails([&](Context& other) { other.restrict_null(*n->left, false); })) {
        return true;
      }
    }
  }
  for (const auto* value : choices_) {
    const Expr* choice = undecided(*value, 3);
    if (choice == nullptr) continue;
    return fails([&](Context& other) { other.assume(*choice, TruthSet::yes()); }) &&
           fails([&](Context& other) { other.assume(*choice, TruthSet::not_true()); });
  }
  return false;
}

bool Context::implies(const Expr& condition) {
  if (contradictory()) return true;
  if (possible(condition) == TruthSet::yes()) return true;
  if (changed_) propagate();
  Context against = *this;
  against.assume(condition, TruthSet::not_true());
  return against.refute(deepest) || against.refuted_by_arithmetic();
}

bool Context::implies_one_of(const std::vector<std::vector<const Expr*>>& conditions) {
  if (contradictory()) return true;
  // Each list has a term that is not true: all combinations of such terms must be impossible.
  struct Search {
    const std::vector<std::vector<const Expr*>>& conditions;
    bool fails(Context context, std::size_t list) {
      if (context.refute(list == conditions.size() ? deepest : 1)) return true;
      const Budget::Level level(*context.budget_);
      if (!level || list == conditions.size() || !context.budget_->spend()) return false;
      for (const auto* condition : conditions[list]) {
        if (context.possible(*condition) == TruthSet::yes()) continue;
        Context next = context;
        next.assume(*condition, TruthSet::not_true());
        if (!fails(std::move(next), list + 1)) return false;
      }
      return true;
    }
  };
  return Search{conditions}.fails(*this, 0);
}

bool Context::same_truth(const Expr& a, const Expr& b) {
  if (contradictory()) return true;
  const auto one_way = [&](const Expr& from, const Expr& to) {
    Context given = *this;
    given.assume(from);
    return given.implies(to);
  };
  return one_way(a, b) && one_way(b, a);
}

bool Context::same(const Expr& a, const Expr& b, int depth, bool identical) {
  if (contradictory()) return true;
  const auto left = term(a);
  const auto right = term(b);
  if (changed_ || parent_.size() < terms_->size()) propagate();
  if (contradiction_ || find(left) == find(right)) return true;
  if (!identical) {
    const auto of_left = nullness(a);
    const auto of_right = nullness(b);
    if (!of_left.may_be_value && !of_right.may_be_value) return true;
    if (!of_left.may_be_null && !of_right.may_be_null && relation(Comparison{}, left, right) == Relations::equal())
      return true;
  }
  const Budget::Level level(*budget_);
  if (!level || depth == 0 || !budget_->spend()) return false;
  const Expr* choice = undecided(a, 3);
  if (choice == nullptr) choice = undecided(b, 3);
  const auto split = [&](const Expr& condition, TruthSet truth) {
    Context given = *this;
    given.assume(condition, truth);
    return given.same(a, b, depth - 1, identical);
  };
  if (choice != nullptr) return split(*choice, TruthSet::yes()) && split(*choice, TruthSet::not_true());
  if (is_formula(a) && is_formula(b)) {
    for (const auto truth : {TruthSet::yes(), TruthSet::no(), TruthSet::null()}) {
      Context given = *this;
      given.assume(a, truth);
      given.assume(b, TruthSet::any() - truth);
      if (!given.refute(deepest)) return false;
    }
    return true;
  }
  return false;
}

bool Context::same(const Expr& a, const Expr& b) { return same(a, b, deepest, true); }
bool Context::equal(const Expr& a, const Expr& b) { return same(a, b, deepest, false); }

}  // namespace trustsql::equiv
