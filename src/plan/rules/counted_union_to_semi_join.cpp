#include "plan/rules/counted_union_to_semi_join.hpp"

#include <algorithm>

#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

// Whether `conjunct` is `id = count`.
bool is_count_equal_to(const Expr& conjunct, AttributeId id, std::size_t count) {
  const auto bound = as_bound(conjunct);
  const auto* integer = bound ? std::get_if<std::int64_t>(bound->value) : nullptr;
  const auto* counted = bound ? column_id(*bound->operand) : nullptr;
  return integer != nullptr && counted != nullptr && *counted == id && bound->op == CompareOp::equal &&
         bound->how.affinity != Affinity::text && *integer == static_cast<std::int64_t>(count);
}

// The places of the keys among the columns of the UNION ALL.
std::optional<std::vector<std::size_t>> places_of_keys(const Aggregate& aggregate, const SetOp& set) {
  std::vector<std::size_t> places;
  for (const auto& key : aggregate.keys) {
    const auto* id = column_id(key.expr);
    const auto place = id != nullptr ? std::find(set.ids.begin(), set.ids.end(), *id) : set.ids.end();
    if (place == set.ids.end() || key.collation != binary_collation) return std::nullopt;
    places.push_back(static_cast<std::size_t>(place - set.ids.begin()));
  }
  return places;
}

bool intersect_counted(Rel& rel, RuleContext& context) {
  auto& filter = *rel.as<Filter>();
  auto* aggregate = filter.input->as<Aggregate>();
  if (aggregate == nullptr || !aggregate->grouped || aggregate->keys.empty() || aggregate->calls.size() != 1)
    return false;
  const auto& count = aggregate->calls.front();
  auto* set = aggregate->input->as<SetOp>();
  if (count.name != "count" || !count.arguments.empty() || count.filter || set == nullptr ||
      set->op != ast::SetOp::union_all)
    return false;
  const auto test = std::find_if(filter.conjuncts.begin(), filter.conjuncts.end(), [&](const Expr& conjunct) {
    return is_count_equal_to(conjunct, count.id, set->inputs.size());
  });
  const auto places = places_of_keys(*aggregate, *set);
  if (test == filter.conjuncts.end() || !places) return false;
  std::vector<std::vector<AttributeId>> columns;  // the key columns of each input
  for (const auto& input : set->inputs) {
    const auto ids = outputs(input);
    auto& of_input = columns.emplace_back();
    AttributeSet keys;
    for (const auto place : *places) {
      of_input.push_back(ids[place]);
      keys.add(ids[place]);
    }
    for (std::size_t i = 0; i < of_input.size(); ++i) {
      if (!equal_is_identical(column(columns.front()[i]), column(of_input[i]), context.plan())) return false;
    }
    if (is_volatile(input) || !context.superkey(keys, context.facts(input))) return false;
  }

  Project project;
  for (std::size_t i = 0; i < places->size(); ++i)
    project.items.push_back({aggregate->keys[i].id, column(columns.front()[i])});
  project.items.push_back({count.id, literal(static_cast<std::int64_t>(set->inputs.size()))});
  Rel result = std::move(set->inputs.front());
  for (std::size_t n = 1; n < set->inputs.size(); ++n) {
    std::vector<Expr> on;
    for (std::size_t i = 0; i < places->size(); ++i)
      on.push_back(compare(CompareOp::is, column(columns.front()[i]), column(columns[n][i])));
    result = Rel{Join{JoinType::semi, std::move(result), std::move(set->inputs[n]), std::move(on)}};
  }
  project.input = std::move(result);
  filter.conjuncts.erase(test);
  auto others = std::move(filter.conjuncts);
  rel = with_filter(Rel{std::move(project)}, std::move(others));
  return true;
}

}  // namespace

const Rule counted_union_to_semi_join{
    .name = "counted_union_to_semi_join",
    .kinds = rel_kinds<Filter>,
    .apply = intersect_counted,
    .example = counted_union_to_semi_join_example,
};

}  // namespace trustsql::plan::rules
