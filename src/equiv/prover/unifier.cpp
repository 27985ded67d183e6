#include "equiv/prover/unifier.hpp"

#include "plan/walk.hpp"

namespace trustsql::equiv {

using namespace plan;

namespace {
constexpr int max_subquery_comparisons = 6;  // nested
}

Unifier::Unifier(Plan& plan, const Assume& assume, const std::vector<Assumption>& denied, Budget& budget)
    : same_subquery_([this](const Expr& expr, const Rel& a, const Rel& b) { return same_subquery(expr, a, b); }),
      state_(plan, assume, denied, budget, same_subquery_),
      chase_(state_),
      leaves_(state_, chase_, *this),
      containment_(state_, chase_, leaves_),
      bags_(state_, chase_, leaves_, containment_) {}

bool Unifier::sets(const Rel& a, const Columns& a_columns, const Rel& b, const Columns& b_columns, bool identical) {
  if (a_columns.size() != b_columns.size()) return false;
  return containment_.contained(a, a_columns, b, b_columns, identical) &&
         containment_.contained(b, b_columns, a, a_columns, identical);
}

// Whether `expr`, an expression with a subquery, has the same value with `a` as with `b` as its relation.
bool Unifier::same_subquery(const Expr& expr, const Rel& a, const Rel& b) {
  if (a == b) return true;
  AttributeSet a_produced;
  AttributeSet b_produced;
  add_produced(a, a_produced);
  add_produced(b, b_produced);
  // Two copies of one subquery under different bindings share the attributes that they produce.
  if (a_produced.intersects(b_produced)) return false;
  // Comparing them may require comparing the subqueries in them, and new copies of these.
  const Budget::Level level(state_.budget());
  if (!level || subquery_comparisons_ >= max_subquery_comparisons || !state_.budget().spend()) return false;
  const auto a_columns = outputs(a);
  const auto b_columns = outputs(b);
  ++subquery_comparisons_;
  const bool same_value = state_.probe([&] {
    add(a);
    add(b);
    if (expr.is<InSubquery>()) return sets(a, a_columns, b, b_columns, true);
    if (expr.is<Exists>())
      return containment_.contained(a, {}, b, {}, false) && containment_.contained(b, {}, a, {}, false);
    if (a_columns.size() != b_columns.size()) return false;
    return bags(a, b, [&] {
      auto given = conditions_of(a);
      for (std::size_t i = 0; i < a_columns.size(); ++i) {
        if (!given.same(state_.apply(a_columns[i]), state_.apply(b_columns[i]))) return false;
      }
      return true;
    });
  });
  --subquery_comparisons_;
  return same_value;
}

}  // namespace trustsql::equiv
