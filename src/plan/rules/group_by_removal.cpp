#include "plan/rules/group_by_removal.hpp"

#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

// The result of the call for a group of one row; nullopt if there is no simple expression for it.
std::optional<Expr> of_one_row(AggregateCall& call, const Plan& plan) {
  if (call.filter) return std::nullopt;
  if (call.name == "count" && call.arguments.empty()) return literal(std::int64_t{1});
  if (call.arguments.size() != 1) return std::nullopt;
  auto& argument = call.arguments.front();
  if (call.is_bare() || call.name == "min" || call.name == "max") return std::move(argument);
  if (call.name == "count") return is_null(std::move(argument), true);
  if (call.name == "sum" && types_of(argument, plan, {}).without_null().is_subset_of(types::integer))
    return std::move(argument);
  return std::nullopt;
}

bool remove_keys(Rel& rel, RuleContext& context) {
  auto* aggregate = rel.as<Aggregate>();
  if (!aggregate->grouped || aggregate->keys.empty()) return false;
  auto calls = aggregate->calls;
  Project project;
  for (const auto& key : aggregate->keys) project.items.push_back({key.id, key.expr});
  for (auto& call : calls) {
    auto value = of_one_row(call, context.plan());
    if (!value) return false;
    project.items.push_back({call.id, *std::move(value)});
  }
  if (!context.superkey(agreed_columns(*aggregate), context.facts(*aggregate->input))) return false;
  project.input = std::move(*aggregate->input);
  rel = Rel{std::move(project)};
  return true;
}

}  // namespace

const Rule group_by_removal{
    .name = "group_by_removal",
    .kinds = rel_kinds<Aggregate>,
    .apply = remove_keys,
    .example = group_by_removal_example,
};

}  // namespace trustsql::plan::rules
