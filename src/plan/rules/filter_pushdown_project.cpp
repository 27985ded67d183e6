#include "plan/rules/filter_pushdown_project.hpp"

#include <algorithm>

#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

bool push(Rel& rel, RuleContext&) {
  auto* filter = rel.as<Filter>();
  auto* project = filter->input->as<Project>();
  if (project == nullptr) return false;
  std::vector<Expr> moving;
  std::vector<Expr> staying;
  for (auto& conjunct : filter->conjuncts) {
    const auto used = references(conjunct);
    bool movable = !is_volatile(conjunct);
    for (const auto& item : project->items) {
      if (used.contains(item.id) && !item.is_pass_through()) movable = movable && is_copyable(item.expr);
    }
    (movable ? moving : staying).push_back(std::move(conjunct));
  }
  if (moving.empty()) {
    filter->conjuncts = std::move(staying);
    return false;
  }
  for (auto& conjunct : moving) {
    substitute(conjunct, [&](AttributeId id) -> const Expr* {
      for (const auto& item : project->items) {
        if (item.id == id && !item.is_pass_through()) return &item.expr;
      }
      return nullptr;
    });
  }
  Rel below = std::move(*filter->input);
  auto& moved = *below.as<Project>();
  moved.input = with_filter(std::move(*moved.input), std::move(moving));
  rel = with_filter(std::move(below), std::move(staying));
  return true;
}

}  // namespace

const Rule filter_pushdown_project{
    .name = "filter_pushdown_project",
    .kinds = rel_kinds<Filter>,
    .on_rel = push,
};

}  // namespace trustsql::plan::rules
