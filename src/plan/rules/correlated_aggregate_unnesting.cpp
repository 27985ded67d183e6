#include "plan/rules/correlated_aggregate_unnesting.hpp"

#include <algorithm>

#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

bool is_known(const AggregateCall& call, const Plan& plan) {
  // NULL as a result of total() may be Inf - Inf, or represent a missing group.
  if (call.name == "total" && plan.attributes[call.id].types.may_be_null()) return false;
  for (const std::string_view name : {"count", "sum", "avg", "total", "min", "max", "group_concat"}) {
    if (call.info != nullptr && call.name == name) return true;
  }
  return false;
}

bool all_known(const Aggregate& aggregate, const Plan& plan) {
  return std::all_of(aggregate.calls.begin(), aggregate.calls.end(),
                     [&](const AggregateCall& call) { return is_known(call, plan); });
}

// The expression for the value of `call` over the groups: 0 if there is no group.
std::optional<Expr> with_default(AggregateCall& call, Plan& plan) {
  if (call.name != "count" && call.name != "total") return std::nullopt;
  const auto* coalesce = FunctionTable::latest().find("coalesce", 2);
  if (coalesce == nullptr) return std::nullopt;
  const auto group_value = plan.add_attribute_like(call.id);
  Function value;
  value.name = coalesce->name;
  value.info = coalesce;
  value.arguments.push_back(column(group_value));
  value.arguments.push_back(call.name == "count" ? literal(std::int64_t{0}) : literal(0.0));
  call.id = group_value;
  return Expr{std::move(value)};
}

}  // namespace

const AttributeId* equated_inner_column(const Expr& conjunct, const AttributeSet& outside, const AttributeSet& inside,
                                        const Plan& plan) {
  const auto* compare = conjunct.as<Compare>();
  if (compare == nullptr || compare->op != CompareOp::equal || !is_plain(*compare, plan) || !is_repeatable(conjunct))
    return nullptr;
  const auto fits = [&](const Expr& inner, const Expr& outer) {
    const auto* id = column_id(inner);
    return id != nullptr && inside.contains(*id) && references(outer).is_subset_of(outside);
  };
  if (fits(*compare->left, *compare->right)) return column_id(*compare->left);
  if (fits(*compare->right, *compare->left)) return column_id(*compare->right);
  return nullptr;
}

bool unnest_correlated_aggregate(Rel& rel, RuleContext& context) {
  auto* apply = rel.as<Apply>();
  if (apply->type != ApplyType::scalar) return false;
  auto* project = apply->right->as<Project>();
  Rel& below = project != nullptr ? *project->input : *apply->right;
  auto* aggregate = below.as<Aggregate>();
  if (aggregate == nullptr || aggregate->grouped || !all_known(*aggregate, context.plan())) return false;
  const auto outside = output_set(*apply->left);
  if (references_of_operator(below).intersects(outside)) return false;
  if (project != nullptr && !std::all_of(project->items.begin(), project->items.end(),
                                         [](const ProjectItem& item) { return is_repeatable(item.expr); })) {
    return false;
  }
  // The input may depend on the outer rows only through equalities among its topmost conditions.
  const auto inside = output_set(*aggregate->input);
  Rel input = *aggregate->input;
  auto cluster = take_apart(input);
  std::vector<Expr> on;
  std::vector<GroupKey> keys;
  std::vector<Expr> rest;
  for (auto& conjunct : cluster.conjuncts) {
    if (!references(conjunct).intersects(outside)) {
      rest.push_back(std::move(conjunct));
      continue;
    }
    const auto* id = equated_inner_column(conjunct, outside, inside, context.plan());
    if (id == nullptr) return false;
    if (std::none_of(keys.begin(), keys.end(), [&](const GroupKey& key) { return key.id == *id; }))
      keys.push_back({*id, column(*id), binary_collation});
    on.push_back(std::move(conjunct));
  }
  if (keys.empty()) return false;
  cluster.conjuncts = std::move(rest);
  input = put_together(std::move(cluster));
  if (free_attributes(input).intersects(outside)) return false;

  Project result;
  for (const auto id : outputs(*apply->left)) result.items.push_back({id, column(id)});
  Aggregate groups{.input = std::move(input), .grouped = true, .keys = std::move(keys), .calls = aggregate->calls};
  std::vector<ProjectItem> values;
  for (auto& call : groups.calls) {
    const auto id = call.id;
    auto value = with_default(call, context.plan());
    values.push_back({id, value ? *std::move(value) : column(id)});
  }
  if (project != nullptr) {
    for (auto& item : project->items) {
      substitute(item.expr, [&](AttributeId id) -> const Expr* {
        for (const auto& value : values) {
          if (value.id == id && !value.is_pass_through()) return &value.expr;
        }
        return nullptr;
      });
      result.items.push_back(std::move(item));
    }
  } else {
    for (auto& value : values) result.items.push_back(std::move(value));
  }
  result.input = Rel{Join{JoinType::left, std::move(*apply->left), Rel{std::move(groups)}, std::move(on)}};
  rel = Rel{std::move(result)};
  return true;
}

const Rule correlated_aggregate_unnesting{
    .name = "correlated_aggregate_unnesting",
    .kinds = rel_kinds<Apply>,
    .apply = unnest_correlated_aggregate,
    .example = correlated_aggregate_unnesting_example,
};

}  // namespace trustsql::plan::rules
