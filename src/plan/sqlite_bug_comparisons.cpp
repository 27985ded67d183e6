// Comparisons that SQLite gets wrong: under other collations than those of the columns, and with constants that it puts
// in the place of columns.
#include <algorithm>

#include "db/catalog/catalog.hpp"
#include "plan/sqlite_bug_patterns.hpp"
#include "plan/sqlite_bug_search.hpp"
#include "plan/types.hpp"

namespace trustsql::plan {

namespace {

bool equates(const Compare& compare) { return compare.op == CompareOp::equal || compare.op == CompareOp::is; }

// A list of one item is compared like =.
bool equates(const InList& list) { return list.items.size() == 1; }

bool has_right_join(const Plan& plan) {
  bool found = false;
  walk(plan.root,
       [&found](const Join& join) { found = found || join.type == JoinType::right || join.type == JoinType::full; });
  return found;
}

}  // namespace

bool compares_column_by_rtrim(const Rel& rel, const Plan&) {
  const auto has_columns = [](const Expr& a, const Expr& b) {
    return !references(a).empty() || !references(b).empty();
  };
  return any_value(rel, [&](const Expr& expr) {
    if (const auto* list = expr.as<InList>())
      return equates(*list) && list->how.collation == "RTRIM" && has_columns(*list->operand, list->items.front());
    const auto* n = expr.as<Compare>();
    return n != nullptr && equates(*n) && n->how.collation == "RTRIM" && has_columns(*n->left, *n->right);
  });
}

namespace {

// Whether the operand is a column that may hold texts and has another collation than the comparison.
bool has_other_collation(const Expr& operand, const Comparison& how, const Plan& plan) {
  const auto* id = column_id(operand);
  return id != nullptr && plan.attributes[*id].collation != how.collation &&
         (plan.attributes[*id].types & types::text) != TypeSet();
}

bool is_under_other_collation(const Expr& expr, const Plan& plan) {
  if (const auto* list = expr.as<InList>())
    return has_other_collation(*list->operand, list->how, plan) ||
           std::any_of(list->items.begin(), list->items.end(),
                       [&](const Expr& item) { return has_other_collation(item, list->how, plan); });
  const auto* compare = expr.as<Compare>();
  return compare != nullptr && equates(*compare) &&
         (has_other_collation(*compare->left, compare->how, plan) ||
          has_other_collation(*compare->right, compare->how, plan));
}

}  // namespace

// Answers for the whole plan, at its root, since SQLite moves conditions.
bool infers_under_other_collation(const Rel& rel, const Plan& plan) {
  if (&rel != &plan.root) return false;
  int others = 0;     // comparisons of two columns under a collation that one of them has not
  int equations = 0;  // all conditions that a column is equal to something
  walk(plan.root, [&](const Expr& expr) {
    const auto* compare = expr.as<Compare>();
    const auto* list = expr.as<InList>();
    equations +=
        (compare != nullptr && equates(*compare)) || (list != nullptr && !list->negated) || expr.is<InSubquery>();
    const bool of_columns = compare != nullptr
                                ? column_id(*compare->left) != nullptr && column_id(*compare->right) != nullptr
                                : list != nullptr && equates(*list) && column_id(list->items.front()) != nullptr;
    others += of_columns && is_under_other_collation(expr, plan);
  });
  return others > 0 && equations > 1;
}

bool is_choice_under_other_collation(const Rel& rel, const Plan& plan) {
  return any_value(rel, [&](const Expr& expr) {
    const auto* choice = expr.as<Or>();
    bool found = false;
    if (choice != nullptr) walk(expr, [&](const Expr& part) { found = found || is_under_other_collation(part, plan); });
    return found;
  });
}

bool is_equivalence_beside_right_join(const Rel& rel, const Plan& plan) {
  const bool found = any_value(rel, [](const Expr& expr) {
    if (const auto* row = expr.as<RowCompare>()) return row->op == CompareOp::is;
    const auto* compare = expr.as<Compare>();
    return compare != nullptr && compare->op == CompareOp::is && !references(*compare->left).empty() &&
           !references(*compare->right).empty();
  });
  return found && has_right_join(plan);
}

namespace {

// Calls `visit(column, constant, conjunct)` for each condition on rows of FROM that a column is equal to an expression
// without columns.
template <class Visit>
void visit_equations(const Plan& plan, const Visit& visit) {
  const auto look = [&](const std::vector<Expr>& conjuncts) {
    for (const auto& conjunct : conjuncts) {
      const auto* compare = conjunct.as<Compare>();
      if (compare == nullptr || !equates(*compare)) continue;
      for (const auto& [side, other] :
           {std::pair(&*compare->left, &*compare->right), std::pair(&*compare->right, &*compare->left)}) {
        const auto* id = column_id(*side);
        if (id != nullptr && references(*other).empty() && !has_subquery(*other)) visit(*id, *other, conjunct);
      }
    }
  };
  walk(plan.root, [&](const Filter& filter) { look(filter.conjuncts); });
  walk(plan.root, [&](const Join& join) { look(join.on); });
}

}  // namespace

// Answers for the whole plan, at its root.
bool passes_constant_to_subquery(const Rel& rel, const Plan& plan) {
  if (&rel != &plan.root) return false;
  const auto is_real = [&](AttributeId id) {
    return plan.attributes[id].affinity == Affinity::real || plan.attributes[id].storage == Affinity::real;
  };
  bool equated = false;
  visit_equations(plan, [&](AttributeId id, const Expr&, const Expr&) { equated = equated || is_real(id); });
  if (!equated) return false;
  bool found = false;
  walk(plan.root, [&](const Expr& expr) {
    for_each_rel(expr, [&](const Rel& subquery) {
      free_attributes(subquery).for_each([&](AttributeId id) { found = found || is_real(id); });
    });
  });
  return found;
}

// Answers for the whole plan, at its root.
bool puts_constant_for_untyped_column(const Rel& rel, const Plan& plan) {
  if (&rel != &plan.root) return false;
  bool found = false;
  visit_equations(plan, [&](AttributeId id, const Expr& constant, const Expr& conjunct) {
    const auto& attribute = plan.attributes[id];
    if (found || attribute.table != nullptr || attribute.affinity != Affinity::none) return;
    const auto values = attribute.types | types_of(constant, plan, {});
    const bool same = (values & types::real) == TypeSet() || (values & types::number) == TypeSet();
    if (same) return;
    const auto is_used_in = [&](const std::vector<Expr>& conjuncts) {
      return std::any_of(conjuncts.begin(), conjuncts.end(),
                         [&](const Expr& other) { return &other != &conjunct && references(other).contains(id); });
    };
    walk(plan.root, [&](const Filter& filter) { found = found || is_used_in(filter.conjuncts); });
    walk(plan.root, [&](const Join& join) { found = found || is_used_in(join.on); });
  });
  return found;
}

}  // namespace trustsql::plan
