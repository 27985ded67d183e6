#include "plan/rules/constant_aggregate.hpp"

#include <algorithm>

#include "plan/aggregates.hpp"
#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

bool simplify_constant_aggregate(Rel& rel, RuleContext&) {
  auto* aggregate = rel.as<Aggregate>();
  const bool bare = aggregate->has_bare_columns();
  bool changed = false;
  std::vector<std::pair<AttributeId, Value>> constants;
  for (auto& call : aggregate->calls) {
    if (call.info == nullptr || call.is_bare()) continue;
    const bool sees_nothing = (call.arguments.size() == 1 && is_null_literal(call.arguments.front())) ||
                              (call.filter && is_untrue_literal(*call.filter));
    if (sees_nothing && !(bare && (call.name == "min" || call.name == "max"))) {
      if (auto value = value_over_empty_input(call)) constants.emplace_back(call.id, *std::move(value));
    } else if (call.filter && is_true_literal(*call.filter)) {
      call.filter = {};
      changed = true;
    }
  }
  if (constants.empty()) return changed;
  const auto value_of = [&](AttributeId id) -> const Value* {
    const auto found =
        std::find_if(constants.begin(), constants.end(), [&](const auto& each) { return each.first == id; });
    return found != constants.end() ? &found->second : nullptr;
  };
  Project project;
  for (const auto id : outputs(rel)) {
    const auto* value = value_of(id);
    project.items.push_back({id, value != nullptr ? literal(*value) : column(id)});
  }
  std::erase_if(aggregate->calls, [&](const AggregateCall& call) { return value_of(call.id) != nullptr; });
  project.input = std::move(rel);
  rel = Rel{std::move(project)};
  return true;
}

}  // namespace

const Rule constant_aggregate{
    .name = "constant_aggregate",
    .kinds = rel_kinds<Aggregate>,
    .apply = simplify_constant_aggregate,
    .example = constant_aggregate_example,
};

}  // namespace trustsql::plan::rules
