#include "equiv/prover/condition_solver.hpp"

#include <algorithm>
#include <utility>

#include "equiv/prover/arithmetic.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv {

using namespace plan;

namespace {
// How many undecided conditions are decided at once.
constexpr int max_alternatives = 5;
// How deep in an expression an undecided CASE is looked for.
constexpr int max_case_depth = 3;
}  // namespace

// --- assumptions

void ConditionSolver::assume(const Expr& condition, TruthSet truth) {
  if (store_.classes().is_contradictory()) return;
  store_.restrict(condition, truth);
  store_.classes().mark_changed();  // a CASE may be decided now
  store_.propagate();
}

void ConditionSolver::assume_non_null(AttributeId id) {
  if (store_.classes().is_contradictory()) return;
  auto& terms = store_.terms();
  store_.restrict_null(*terms[terms.intern(column(id))].expr, false);
}

void ConditionSolver::assume_same(const Expr& a, const Expr& b) {
  auto& classes = store_.classes();
  if (classes.is_contradictory()) return;
  classes.merge(classes.find(a), classes.find(b));
  store_.propagate();
}

// --- alternatives

// Whether the conditions contradict each other together with what `assume` adds to a copy of them.
template <class Assume>
bool ConditionSolver::fails(int depth, Assume&& assume) {
  ConditionSolver alternative = *this;
  assume(alternative);
  return alternative.refute(depth - 1);
}

bool ConditionSolver::fails_either_way(int depth, const Expr& choice) {
  return fails(depth, [&](ConditionSolver& other) { other.assume(choice, TruthSet::yes()); }) &&
         fails(depth, [&](ConditionSolver& other) { other.assume(choice, TruthSet::not_true()); });
}

// Whether the conditions contradict each other, with up to `depth` undecided ones decided.
bool ConditionSolver::refute(int depth) {
  if (contradictory()) return true;
  const Budget::Level level(store_.budget());
  if (!level || depth == 0 || !store_.budget().spend()) return false;
  for (std::size_t i = 0; i < store_.conditions().size(); ++i) {
    if (refute_by_condition(ConditionStore::Condition(store_.conditions()[i]), depth)) return true;
  }
  for (const auto* value : store_.choices()) {
    if (const Expr* choice = store_.undecided(*value, max_case_depth)) return fails_either_way(depth, *choice);
  }
  return false;
}

// Whether none of the ways in which the condition can hold is possible.
bool ConditionSolver::refute_by_condition(const ConditionStore::Condition& condition, int depth) {
  const Expr& expr = *condition.expr;
  const auto* list = expr.as<InList>();
  if (list != nullptr && (list->negated ? condition.truth.negated() : condition.truth) == TruthSet::yes()) {
    return std::all_of(list->items.begin(), list->items.end(), [&](const Expr& item) {
      return fails(depth, [&](ConditionSolver& other) {
        other.store_.restrict_compare(CompareOp::equal, list->how, *list->operand, item, TruthSet::yes());
      });
    });
  }
  const auto* terms = expr.is<And>() ? &expr.as<And>()->terms : expr.is<Or>() ? &expr.as<Or>()->terms : nullptr;
  if (terms != nullptr) {
    const bool conjunction = expr.is<And>();
    const auto wanted = conjunction ? condition.truth : condition.truth.negated();
    if (wanted.has(TruthSet::yes())) return false;
    const auto each = conjunction ? wanted : wanted.negated();
    return std::all_of(terms->begin(), terms->end(), [&](const Expr& term) {
      return fails(depth, [&](ConditionSolver& other) { other.assume(term, each); });
    });
  }
  if (const Expr* choice = store_.undecided(expr, max_case_depth)) return fails_either_way(depth, *choice);
  if (const auto* n = expr.as<Compare>()) {
    // NULL or not NULL: for IS, and for comparisons that may be NULL.
    return store_.nullness(*n->left).may_be_null && store_.nullness(*n->left).may_be_value &&
           fails(depth, [&](ConditionSolver& other) { other.store_.restrict_null(*n->left, true); }) &&
           fails(depth, [&](ConditionSolver& other) { other.store_.restrict_null(*n->left, false); });
  }
  return false;
}

// --- questions

bool ConditionSolver::non_null(const Expr& expr) { return contradictory() || !store_.nullness(expr).may_be_null; }

const Value* ConditionSolver::constant(const Expr& expr) {
  auto& classes = store_.classes();
  const auto id = classes.find(expr);
  if (classes.changed()) store_.propagate();
  return classes.class_of(id).value;
}

bool ConditionSolver::implies(const Expr& condition) {
  if (contradictory()) return true;
  if (store_.possible(condition) == TruthSet::yes()) return true;
  if (store_.classes().changed()) store_.propagate();
  ConditionSolver against = *this;
  against.assume(condition, TruthSet::not_true());
  return against.refute(max_alternatives) || refuted_by_arithmetic(against.store_);
}

bool ConditionSolver::implies_one_of(const std::vector<Conjuncts>& conditions) {
  if (contradictory()) return true;
  // Each list has a term that is not true: all combinations of such terms must be impossible.
  ConditionSolver against = *this;
  return against.refutes_one_of_each(conditions, 0);
}

// Whether it is impossible that each of the lists from number `list` on has a term that is not true.
bool ConditionSolver::refutes_one_of_each(const std::vector<Conjuncts>& lists, std::size_t list) {
  if (refute(list == lists.size() ? max_alternatives : 1)) return true;
  const Budget::Level level(store_.budget());
  if (!level || list == lists.size() || !store_.budget().spend()) return false;
  for (const auto* condition : lists[list]) {
    if (store_.possible(*condition) == TruthSet::yes()) continue;
    ConditionSolver next = *this;
    next.assume(*condition, TruthSet::not_true());
    if (!next.refutes_one_of_each(lists, list + 1)) return false;
  }
  return true;
}

bool ConditionSolver::same_truth(const Expr& a, const Expr& b) {
  if (contradictory()) return true;
  const auto one_way = [&](const Expr& from, const Expr& to) {
    ConditionSolver given = *this;
    given.assume(from);
    return given.implies(to);
  };
  return one_way(a, b) && one_way(b, a);
}

bool ConditionSolver::same(const Expr& a, const Expr& b, int depth, bool identical) {
  if (contradictory()) return true;
  auto& classes = store_.classes();
  const auto left = classes.find(a);
  const auto right = classes.find(b);
  if (classes.changed() || classes.has_new_terms()) store_.propagate();
  if (classes.is_contradictory() || classes.find(left) == classes.find(right)) return true;
  if (!identical) {
    const auto a_nullness = store_.nullness(a);
    const auto b_nullness = store_.nullness(b);
    if (!a_nullness.may_be_value && !b_nullness.may_be_value) return true;
    if (!a_nullness.may_be_null && !b_nullness.may_be_null &&
        store_.relation(Comparison{}, left, right) == Relations::equal())
      return true;
  }
  const Budget::Level level(store_.budget());
  if (!level || depth == 0 || !store_.budget().spend()) return false;
  const Expr* choice = store_.undecided(a, max_case_depth);
  if (choice == nullptr) choice = store_.undecided(b, max_case_depth);
  const auto split = [&](const Expr& condition, TruthSet truth) {
    ConditionSolver given = *this;
    given.assume(condition, truth);
    return given.same(a, b, depth - 1, identical);
  };
  if (choice != nullptr) return split(*choice, TruthSet::yes()) && split(*choice, TruthSet::not_true());
  if (!store_.is_formula(a) || !store_.is_formula(b)) return false;
  for (const auto truth : {TruthSet::yes(), TruthSet::no(), TruthSet::null()}) {
    ConditionSolver given = *this;
    given.assume(a, truth);
    given.assume(b, TruthSet::any() - truth);
    if (!given.refute(max_alternatives)) return false;
  }
  return true;
}

bool ConditionSolver::same(const Expr& a, const Expr& b) { return same(a, b, max_alternatives, true); }
bool ConditionSolver::equal(const Expr& a, const Expr& b) { return same(a, b, max_alternatives, false); }

}  // namespace trustsql::equiv
