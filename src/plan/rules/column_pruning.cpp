#include "plan/rules/column_pruning.hpp"

#include <algorithm>

#include "plan/rules/cluster.hpp"

namespace trustsql::plan::rules {

namespace {

template <class List>
bool keep(List& list, const AttributeSet& needed) {
  const auto before = list.size();
  std::erase_if(list, [&](const auto& element) { return !needed.contains(element.id); });
  return list.size() != before;
}

bool prune_values(Values& values, const AttributeSet& needed) {
  bool changed = false;
  for (std::size_t i = values.ids.size(); i-- > 0;) {
    if (needed.contains(values.ids[i])) continue;
    const auto at = static_cast<std::ptrdiff_t>(i);
    values.ids.erase(values.ids.begin() + at);
    for (auto& row : values.rows) row.erase(row.begin() + at);
    changed = true;
  }
  return changed;
}

bool prune_aggregate(Aggregate& aggregate, const AttributeSet& needed) {
  // MIN and MAX choose the row of bare columns.
  const bool bare = std::any_of(aggregate.calls.begin(), aggregate.calls.end(),
                                [&](const AggregateCall& c) { return c.is_bare() && needed.contains(c.id); });
  const auto before = aggregate.calls.size();
  std::erase_if(aggregate.calls, [&](const AggregateCall& c) {
    if (needed.contains(c.id)) return false;
    return !bare || (c.name != "min" && c.name != "max");
  });
  return aggregate.calls.size() != before;
}

// Removes the unneeded columns from the branches of a UNION ALL.
bool prune_union(SetOp& set, const AttributeSet& needed) {
  if (set.op != ast::SetOp::union_all) return false;
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < set.ids.size(); ++i) {
    if (needed.contains(set.ids[i])) kept.push_back(i);
  }
  if (kept.size() == set.ids.size()) return false;
  for (auto& input : set.inputs) {
    const auto ids = outputs(input);
    std::vector<AttributeId> remaining;
    for (const auto i : kept) remaining.push_back(ids[i]);
    input = with_outputs(std::move(input), remaining);
  }
  std::vector<AttributeId> ids;
  for (const auto i : kept) ids.push_back(set.ids[i]);
  set.ids = std::move(ids);
  return true;
}

bool prune(Rel& rel, const Usage& usage, RuleContext&) {
  if (usage.positional) return false;
  if (auto* n = rel.as<Scan>()) return keep(n->columns, usage.needed);
  if (auto* n = rel.as<Project>()) return keep(n->items, usage.needed);
  if (auto* n = rel.as<Values>()) return prune_values(*n, usage.needed);
  if (auto* n = rel.as<Aggregate>()) return prune_aggregate(*n, usage.needed);
  if (auto* n = rel.as<SetOp>()) return prune_union(*n, usage.needed);
  auto* n = rel.as<Window>();
  if (!keep(n->calls, usage.needed)) return false;
  if (n->calls.empty()) replace_by_descendant(rel, *n->input);
  return true;
}

}  // namespace

const Rule column_pruning{
    .name = "column_pruning",
    .kinds = rel_kinds<Scan, Project, Values, Aggregate, SetOp, Window>,
    .apply = prune,
    .example = column_pruning_example,
};

}  // namespace trustsql::plan::rules
