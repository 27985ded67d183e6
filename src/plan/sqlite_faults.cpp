#include "plan/sqlite_faults.hpp"

#include <algorithm>

#include "plan/types.hpp"
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

// Whether `x IN (SELECT ...)` stands above an aggregation, x a column of its result: SQLite gives x itself the affinity of the
// comparison, which all later uses of x see (SELECT sum(r) IN (SELECT text FROM y), sum(r) FROM z has a text for the latter).
bool converts_aggregated(const Rel& rel, const Plan& plan) {
  if (!rel.is<Project>() && !rel.is<Filter>() && !rel.is<Sort>()) return false;
  const Rel* input = &rel;
  while (!input->is<Aggregate>()) {
    const Rel* next = nullptr;
    if (const auto* project = input->as<Project>()) next = project->input.get();
    if (const auto* filter = input->as<Filter>()) next = filter->input.get();
    if (const auto* sort = input->as<Sort>()) next = sort->input.get();
    if (const auto* window = input->as<Window>()) next = window->input.get();
    if (next == nullptr) return false;
    input = next;
  }
  const auto columns = output_set(*input);
  const auto converts_one = [&](const InSubquery& in) {
    for (std::size_t i = 0; i < in.operands.size() && i < in.how.size(); ++i) {
      const auto* id = column_id(in.operands[i]);
      if (id != nullptr && columns.contains(*id) && converts(in.operands[i], in.how[i].affinity, plan)) return true;
    }
    return false;
  };
  const auto visit = [&](const auto& self, const Expr& expr) -> bool {
    const auto* in = expr.as<InSubquery>();
    bool found = in != nullptr && converts_one(*in);
    for_each_expr(expr, [&](const Expr& operand) { found = found || self(self, operand); });
    return found;
  };
  bool found = false;
  for_each_expr(rel, [&](const Expr& expr) { found = found || visit(visit, expr); });
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

bool is_sqlite_fault(const Rel& rel, const Plan& plan) {
  if (converts_aggregated(rel, plan)) return true;
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
