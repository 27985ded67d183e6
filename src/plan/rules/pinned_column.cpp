#include "plan/rules/pinned_column.hpp"

#include <algorithm>
#include <map>

#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

// Adds the columns that conditions on all rows of `rel` fix, and their values.
void add_pinned(const Rel& rel, const Plan& plan, std::map<AttributeId, Expr>& constants) {
  const auto add = [&](const std::vector<Expr>& conditions) {
    for (const auto& condition : conditions) {
      if (auto pinned = pinned_by(condition, plan)) constants.insert(*std::move(pinned));
    }
  };
  if (const auto* filter = rel.as<Filter>()) {
    add(filter->conjuncts);
    add_pinned(*filter->input, plan, constants);
  } else if (const auto* join = rel.as<Join>(); join != nullptr) {
    if (join->type == JoinType::inner) {
      add(join->on);
      add_pinned(*join->right, plan, constants);
    }
    if (join->type != JoinType::right && join->type != JoinType::full) add_pinned(*join->left, plan, constants);
  }
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
  std::map<AttributeId, Expr> constants;
  add_pinned(*aggregate->input, context.plan(), constants);
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
