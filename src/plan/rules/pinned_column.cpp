#include "plan/rules/pinned_column.hpp"

#include <algorithm>
#include <map>

#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

// The columns that conditions below the aggregate fix, and their values.
std::map<AttributeId, Expr> pinned_columns(const Aggregate& aggregate, const Plan& plan) {
  Rel copy = *aggregate.input;
  std::map<AttributeId, Expr> constants;
  for (const auto& condition : take_apart(copy).conjuncts) {
    if (auto pinned = pinned_by(condition, plan)) constants.insert(*std::move(pinned));
  }
  return constants;
}

// Replaces the arguments of MIN and MAX; returns whether there were any.
bool pin_extremes(Aggregate& aggregate, const std::map<AttributeId, Expr>& constants) {
  bool changed = false;
  for (auto& call : aggregate.calls) {
    if (call.info == nullptr || (call.name != "min" && call.name != "max") || call.arguments.size() != 1) continue;
    const auto* id = column_id(call.arguments.front());
    const auto value = id != nullptr ? constants.find(*id) : constants.end();
    if (value == constants.end()) continue;
    call.arguments.front() = value->second;
    changed = true;
  }
  return changed;
}

bool pin_columns(Rel& rel, RuleContext& context) {
  auto* aggregate = rel.as<Aggregate>();
  if (aggregate->calls.empty() || aggregate->has_bare_columns() ||
      !(aggregate->input->is<Filter>() || aggregate->input->is<Join>()))
    return false;
  auto constants = pinned_columns(*aggregate, context.plan());
  if (constants.empty()) return false;
  if (pin_extremes(*aggregate, constants)) return true;
  std::erase_if(constants, [&](const auto& each) {
    return std::none_of(aggregate->keys.begin(), aggregate->keys.end(), [&](const GroupKey& key) {
      return key.id == each.first && key.expr == column(key.id) && key.collation == binary_collation;
    });
  });
  if (constants.empty()) return false;
  const auto ids = outputs(rel);
  std::erase_if(aggregate->keys, [&](const GroupKey& key) { return constants.contains(key.id); });
  // Below, the columns get other names; above, the constants have theirs.
  Renaming fresh;
  for (const auto& [id, value] : constants) fresh[id] = context.plan().add_attribute_like(id);
  rename(rel, fresh);
  project_above(rel, ids, constants);
  return true;
}

}  // namespace

const Rule pinned_column{
    .name = "pinned_column",
    .kinds = rel_kinds<Aggregate>,
    .apply = pin_columns,
    .example = pinned_column_example,
};

}  // namespace trustsql::plan::rules
