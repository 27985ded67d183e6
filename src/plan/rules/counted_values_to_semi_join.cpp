#include "plan/rules/counted_values_to_semi_join.hpp"

#include <algorithm>

#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

// Whether `conjunct` says that `column` is one of several different constants.
bool lists_values(const Expr& conjunct, const Expr& column) {
  const auto* list = conjunct.as<InList>();
  if (list == nullptr || list->negated || list->items.size() < 2 || !(*list->operand == column) ||
      list->how.affinity != Affinity::none || !list->how.is_binary())
    return false;
  for (auto item = list->items.begin(); item != list->items.end(); ++item) {
    const auto* value = literal_value(*item);
    if (value == nullptr || value->index() == 0) return false;
    const bool again = std::any_of(list->items.begin(), item, [&](const Expr& other) {
      return trustsql::equal(view(*literal_value(other)), view(*value));
    });
    if (again) return false;
  }
  return true;
}

// Whether `conjunct` is `id = count`.
bool is_number_of_values(const Expr& conjunct, AttributeId id, std::size_t count) {
  const auto bound = as_bound(conjunct);
  const auto* counted = bound ? column_id(*bound->operand) : nullptr;
  const auto* integer = bound ? std::get_if<std::int64_t>(bound->value) : nullptr;
  return counted != nullptr && *counted == id && integer != nullptr && *integer == static_cast<std::int64_t>(count) &&
         bound->op == CompareOp::equal && bound->how.affinity != Affinity::text;
}

bool has_identical_keys(const Aggregate& aggregate, const Plan& plan) {
  return aggregate.grouped && !aggregate.keys.empty() &&
         std::all_of(aggregate.keys.begin(), aggregate.keys.end(), [&](const GroupKey& key) {
           return key.expr.is<Column>() && key.collation == binary_collation && equal_is_identical(key.expr, plan);
         });
}

bool ask_for_each_value(Rel& rel, RuleContext& context) {
  auto& filter = *rel.as<Filter>();
  const auto* aggregate = filter.input->as<Aggregate>();
  if (aggregate == nullptr || aggregate->calls.size() != 1 || !has_identical_keys(*aggregate, context.plan()) ||
      is_volatile(rel))
    return false;
  const AggregateCall count = aggregate->calls.front();
  if (count.name != "count" || count.info == nullptr || !count.distinct || count.filter ||
      count.arguments.size() != 1 || count.collation != binary_collation)
    return false;
  const Expr column_of_values = count.arguments.front();
  Rel copy = *aggregate->input;
  const auto cluster = take_apart(copy);
  const auto list = std::find_if(cluster.conjuncts.begin(), cluster.conjuncts.end(),
                                 [&](const Expr& conjunct) { return lists_values(conjunct, column_of_values); });
  if (list == cluster.conjuncts.end() || !column_of_values.is<Column>()) return false;
  const auto place = static_cast<std::size_t>(list - cluster.conjuncts.begin());
  const auto values = list->as<InList>()->items;
  const auto test = std::find_if(filter.conjuncts.begin(), filter.conjuncts.end(), [&](const Expr& conjunct) {
    return is_number_of_values(conjunct, count.id, values.size());
  });
  if (test == filter.conjuncts.end()) return false;
  // The rows with the value.
  const auto rows_with = [&](const Expr& value) {
    auto rows = cluster;
    rows.conjuncts[place] = compare(CompareOp::equal, column_of_values, value);
    return put_together(std::move(rows));
  };
  Rel groups{Aggregate{rows_with(values.front()), true, aggregate->keys, {}}};
  Project project;
  for (const auto& key : aggregate->keys) project.items.push_back({key.id, column(key.id)});
  project.items.push_back({count.id, literal(static_cast<std::int64_t>(values.size()))});
  for (std::size_t i = 1; i < values.size(); ++i) {
    Renaming fresh;
    Rel partners = copy_with_new_ids(rows_with(values[i]), context.plan(), &fresh);
    std::vector<Expr> on;
    for (const auto& key : aggregate->keys) {
      Expr partner = key.expr;
      rename(partner, fresh);
      on.push_back(compare(CompareOp::is, column(key.id), std::move(partner)));
    }
    groups = Rel{Join{JoinType::semi, std::move(groups), std::move(partners), std::move(on)}};
  }
  project.input = std::move(groups);
  filter.conjuncts.erase(test);
  auto others = std::move(filter.conjuncts);
  rel = with_filter(Rel{std::move(project)}, std::move(others));
  return true;
}

}  // namespace

const Rule counted_values_to_semi_join{
    .name = "counted_values_to_semi_join",
    .kinds = rel_kinds<Filter>,
    .apply = ask_for_each_value,
    .example = counted_values_to_semi_join_example,
};

}  // namespace trustsql::plan::rules
