#include "plan/sqlite_faults.hpp"

#include <algorithm>

#include "plan/walk.hpp"

namespace trustsql::plan {

namespace {

bool takes_all_before(const Join& join) { return join.type == JoinType::right || join.type == JoinType::full; }

bool has_table_function(const Rel& rel) {
  bool found = rel.is<TableFunction>();
  if (rel.is<Join>() || rel.is<Apply>() || rel.is<Project>())
    for_each_rel(rel, [&](const Rel& input) { found = found || has_table_function(input); });
  return found;
}

}  // namespace

bool has_condition_without_columns(const Rel& rel) {
  if (const auto* n = rel.as<Project>()) return has_condition_without_columns(*n->input);
  const auto of_sides = [](const Rel& left, const Rel& right, const std::vector<Expr>& on, bool inner) {
    const auto columns = output_set(left) | output_set(right);
    const auto is_without = [&](const Expr& conjunct) { return !references(conjunct).intersects(columns); };
    return (inner && std::any_of(on.begin(), on.end(), is_without)) || has_condition_without_columns(left) || has_condition_without_columns(right);
  };
  if (const auto* n = rel.as<Join>()) return of_sides(*n->left, *n->right, n->on, n->type == JoinType::inner);
  if (const auto* n = rel.as<Apply>()) return of_sides(*n->left, *n->right, n->on, n->type == ApplyType::lateral);
  return false;
}

bool selects_from_right_join(const Rel& rel) {
  if (const auto* n = rel.as<Project>()) return selects_from_right_join(*n->input);
  if (const auto* n = rel.as<Filter>()) return selects_from_right_join(*n->input);
  if (const auto* n = rel.as<Apply>()) return selects_from_right_join(*n->left);
  const auto* n = rel.as<Join>();
  return n != nullptr && (takes_all_before(*n) || selects_from_right_join(*n->left) || selects_from_right_join(*n->right));
}

bool is_sqlite_fault(const Rel& rel) {
  if (const auto* n = rel.as<Join>(); n != nullptr && takes_all_before(*n)) {
    return has_condition_without_columns(*n->left) || has_table_function(*n->left) || has_table_function(*n->right);
  }
  const auto* derived = rel.as<Derived>();
  if (derived == nullptr) return false;
  const Rel* input = derived->input.get();
  while (const auto* sort = input->as<Sort>()) input = sort->input.get();
  const auto* n = input->as<SetOp>();
  return n != nullptr && n->op == ast::SetOp::union_all && std::any_of(n->inputs.begin(), n->inputs.end(), selects_from_right_join);
}

}  // namespace trustsql::plan
