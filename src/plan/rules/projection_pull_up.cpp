#include "plan/rules/projection_pull_up.hpp"

#include <algorithm>

#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"
#include "plan/strictness.hpp"

namespace trustsql::plan::rules {

namespace {

// Removes projections of computed columns from `rel`, below operators that only filter, join, sort or limit rows. The
// removed expressions are added to `computed`; the operators in between are rewritten. Afterwards `rel` has different
// outputs: the caller must name its columns itself.
bool take_out(Rel& rel, std::vector<ProjectItem>& computed) {
  if (auto* project = rel.as<Project>()) {
    const bool all_copyable = std::all_of(project->items.begin(), project->items.end(), [](const ProjectItem& item) {
      return item.is_pass_through() || is_copyable(item.expr);
    });
    const bool any_computed = std::any_of(project->items.begin(), project->items.end(),
                                          [](const ProjectItem& item) { return !item.is_pass_through(); });
    if (!all_copyable || !any_computed) return false;
    for (auto& item : project->items) {
      if (!item.is_pass_through()) computed.push_back(std::move(item));
    }
    replace_by_descendant(rel, *project->input);
    return true;
  }
  std::vector<ProjectItem> own_items;
  bool changed = false;
  if (auto* n = rel.as<Filter>()) {
    changed = take_out(*n->input, own_items);
  } else if (auto* n = rel.as<Sort>()) {
    changed = take_out(*n->input, own_items);
  } else if (auto* n = rel.as<Limit>()) {
    changed = take_out(*n->input, own_items);
  } else if (auto* n = rel.as<Window>()) {
    changed = take_out(*n->input, own_items);
  } else if (auto* n = rel.as<Join>()) {
    const bool semi = n->type == JoinType::semi || n->type == JoinType::anti;
    if (n->type == JoinType::inner || n->type == JoinType::left || semi) changed = take_out(*n->left, own_items);
    std::vector<ProjectItem> of_right;
    if (n->type == JoinType::inner || n->type == JoinType::right || semi)
      changed = take_out(*n->right, of_right) || changed;
    for (auto& item : of_right) {
      own_items.push_back(item);
      // The right side of a semi-join is not visible above it.
      if (!semi) computed.push_back(std::move(item));
    }
    const auto of_left = own_items.size() - of_right.size();
    for (std::size_t i = 0; i < of_left; ++i) computed.push_back(own_items[i]);
  } else if (auto* n = rel.as<Apply>()) {
    changed = take_out(*n->left, own_items);
    for (const auto& item : own_items) computed.push_back(item);
    if (changed)
      substitute(*n->right, [&](AttributeId id) -> const Expr* {
        for (const auto& item : own_items) {
          if (item.id == id) return &item.expr;
        }
        return nullptr;
      });
  }
  if (!changed) return false;
  for_each_expr(rel, [&](Expr& expr) {
    substitute(expr, [&](AttributeId id) -> const Expr* {
      for (const auto& item : own_items) {
        if (item.id == id) return &item.expr;
      }
      return nullptr;
    });
  });
  if (!rel.is<Join>() && !rel.is<Apply>()) {
    for (auto& item : own_items) computed.push_back(std::move(item));
  }
  return true;
}

// A projection that only leaves out columns moves above a semi- or anti-join.
bool pull_out_of_semi_join(Rel& rel) {
  auto* join = rel.as<Join>();
  if (join == nullptr || (join->type != JoinType::semi && join->type != JoinType::anti)) return false;
  auto* project = join->left->as<Project>();
  if (project == nullptr || !passes_all_through(*project)) return false;
  Rel above = std::move(*join->left);
  auto& input = above.as<Project>()->input;
  join->left = std::move(*input);
  input = std::move(rel);
  rel = std::move(above);
  return true;
}

bool pull_up_projection(Rel& rel, RuleContext& context) {
  if (pull_out_of_semi_join(rel)) return true;
  std::vector<ProjectItem> computed;
  const auto replacement = [&](AttributeId id) -> const Expr* {
    for (const auto& item : computed) {
      if (item.id == id) return &item.expr;
    }
    return nullptr;
  };
  if (auto* project = rel.as<Project>()) {
    if (!take_out(*project->input, computed)) return false;
    for (auto& item : project->items) substitute(item.expr, replacement);
    return true;
  }
  if (auto* aggregate = rel.as<Aggregate>()) {
    if (aggregate->grouped || !aggregate->has_bare_columns()) {
      if (!take_out(*aggregate->input, computed)) return false;
    } else {
      Rel input = *aggregate->input;
      if (!take_out(input, computed)) return false;
      for (const auto& call : aggregate->calls) {
        if (!call.is_bare()) continue;
        Expr argument = call.arguments.front();
        substitute(argument, replacement);
        if (strict(argument).empty()) return false;
      }
      aggregate->input = std::move(input);
    }
    for_each_expr(rel, [&](Expr& expr) { substitute(expr, replacement); });
    return true;
  }
  // A computing projection directly below a sort or a limit at the top of a query: the rows are the same above it.
  if (context.parent() != nullptr && !context.parent()->is<Distinct>() && !context.parent()->is<SetOp>()) return false;
  const auto ids = outputs(rel);
  if (!take_out(rel, computed)) return false;
  Project project;
  for (const auto id : ids) {
    const auto* by = replacement(id);
    project.items.push_back({id, by != nullptr ? Expr(*by) : column(id)});
  }
  project.input = std::move(rel);
  rel = Rel{std::move(project)};
  return true;
}

}  // namespace

const Rule projection_pull_up{
    .name = "projection_pull_up",
    .kinds = rel_kinds<Project, Aggregate, Sort, Limit, Filter, Join, Window, Apply>,
    .apply = pull_up_projection,
    .example = projection_pull_up_example,
};

}  // namespace trustsql::plan::rules
