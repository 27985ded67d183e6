#include "plan/rules/scalar_aggregate_merging.hpp"

#include <algorithm>

#include "plan/aggregates.hpp"
#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

bool is_single_row(const Rel& leaf) {
  const auto* aggregate = leaf.as<Aggregate>();
  return aggregate != nullptr && !aggregate->grouped && !aggregate->calls.empty() &&
         std::all_of(aggregate->calls.begin(), aggregate->calls.end(), is_basic) && !is_volatile(leaf);
}

// Moves conditions on the rows into the FILTER of the call.
void add_filter(AggregateCall& call, std::vector<Expr> conditions) {
  if (conditions.empty()) return;
  if (call.filter) conditions.insert(conditions.begin(), std::move(*call.filter));
  call.filter = conjunction(std::move(conditions));
}

// Computes the calls of `other` in `aggregate`, if both are over rows of the same tables; `same_rows`: only if they are
// over the same rows.
bool compute_together(Aggregate& aggregate, const Aggregate& other, bool same_rows) {
  Rel input = below_renamings(std::as_const(*aggregate.input));
  Rel copied = below_renamings(std::as_const(*other.input));
  auto rows = take_apart(input);
  auto other_rows = take_apart(copied);
  const auto columns = unite_tables(rows, other_rows);
  if (!columns) return false;
  auto own = std::move(rows.conjuncts);
  auto others = std::move(other_rows.conjuncts);
  for (auto& conjunct : others) rename(conjunct, *columns);
  rows.conjuncts = take_if(others, [&](const Expr& conjunct) {
    const auto same = std::find(own.begin(), own.end(), conjunct);
    if (same == own.end()) return false;
    own.erase(same);
    return true;
  });
  if (same_rows && !(own.empty() && others.empty())) return false;
  for (const auto* list : {&rows.conjuncts, &own, &others}) {
    if (!std::all_of(list->begin(), list->end(), is_repeatable)) return false;
  }
  aggregate.input = put_together(std::move(rows));
  for (auto& call : aggregate.calls) add_filter(call, own);
  for (auto call : other.calls) {
    for (auto& argument : call.arguments) rename(argument, *columns);
    if (call.filter) rename(*call.filter, *columns);
    add_filter(call, others);
    aggregate.calls.push_back(std::move(call));
  }
  return true;
}

// Computes as many of the single rows behind `first` together with it as possible, and removes them from the leaves.
bool merge_into(Rel& first, std::vector<Rel>& leaves, std::size_t behind, const AttributeSet& compared) {
  const auto before = leaves.size();
  for (auto i = behind; i < leaves.size();) {
    const bool same_rows = compared.intersects(output_set(first)) || compared.intersects(output_set(leaves[i]));
    if (is_single_row(leaves[i]) && compute_together(*first.as<Aggregate>(), *leaves[i].as<Aggregate>(), same_rows)) {
      leaves.erase(leaves.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      ++i;
    }
  }
  return leaves.size() < before;
}

bool merge_single_rows(Rel& rel, RuleContext& context) {
  if (is_part_of_cluster(context.parent()) || !is_cluster(rel)) return false;
  Rel copy = rel;
  auto cluster = take_apart(copy);
  const auto compared = references(cluster.conjuncts);
  for (std::size_t i = 0; i < cluster.leaves.size(); ++i) {
    if (!is_single_row(cluster.leaves[i]) || !merge_into(cluster.leaves[i], cluster.leaves, i + 1, compared)) continue;
    const auto ids = outputs(rel);
    rel = with_outputs(put_together(std::move(cluster)), ids);
    return true;
  }
  return false;
}

}  // namespace

const Rule scalar_aggregate_merging{
    .name = "scalar_aggregate_merging",
    .kinds = rel_kinds<Filter, Join>,
    .apply = merge_single_rows,
    .example = scalar_aggregate_merging_example,
};

}  // namespace trustsql::plan::rules
