#include "plan/rules/filter_pushdown_project.hpp"

#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

bool push_below_project(Rel& rel, RuleContext&) {
  auto* filter = rel.as<Filter>();
  auto* project = filter->input->as<Project>();
  if (project == nullptr) return false;
  auto moving = take_if(filter->conjuncts, [&](const Expr& conjunct) {
    const auto used = references(conjunct);
    bool movable = !is_volatile(conjunct) && may_grow(conjunct);
    for (const auto& item : project->items) {
      if (used.contains(item.id) && !item.is_pass_through()) movable = movable && is_copyable(item.expr);
    }
    return movable;
  });
  for (auto& conjunct : moving) {
    substitute(conjunct, [&](AttributeId id) -> const Expr* {
      for (const auto& item : project->items) {
        if (item.id == id && !item.is_pass_through()) return &item.expr;
      }
      return nullptr;
    });
  }
  if (!put_filter(project->input, std::move(moving))) return false;
  drop_if_empty(rel);
  return true;
}

}  // namespace

const Rule filter_pushdown_project{
    .name = "filter_pushdown_project",
    .kinds = rel_kinds<Filter>,
    .apply = push_below_project,
    .example = filter_pushdown_project_example,
};

}  // namespace trustsql::plan::rules
