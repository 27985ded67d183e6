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

// If `rows` and `other` are the same rows of tables: reads the columns of `other` in `rows` as well, and returns what
// they are called there.
std::optional<Renaming> unite_rows_of(Cluster& rows, Cluster other) {
  if (rows.conjuncts.size() != other.conjuncts.size()) return std::nullopt;
  auto columns = unite_tables(rows, other);
  if (!columns) return std::nullopt;
  auto unpaired = rows.conjuncts;
  for (auto& conjunct : other.conjuncts) {
    rename(conjunct, *columns);
    const auto same = std::find(unpaired.begin(), unpaired.end(), conjunct);
    if (same == unpaired.end() || has_subquery(conjunct)) return std::nullopt;
    unpaired.erase(same);
  }
  return columns;
}

// Computes the calls of `other` in `aggregate`, if it is over the same rows.
bool compute_together(Aggregate& aggregate, const Aggregate& other) {
  Rel input = below_renamings(std::as_const(*aggregate.input));
  Rel copied = below_renamings(std::as_const(*other.input));
  auto rows = take_apart(input);
  const auto columns = unite_rows_of(rows, take_apart(copied));
  if (!columns) return false;
  aggregate.input = put_together(std::move(rows));
  for (auto call : other.calls) {
    for (auto& argument : call.arguments) rename(argument, *columns);
    if (call.filter) rename(*call.filter, *columns);
    aggregate.calls.push_back(std::move(call));
  }
  return true;
}

bool merge_single_rows(Rel& rel, RuleContext& context) {
  if (is_part_of_cluster(context.parent()) || !is_cluster(rel)) return false;
  Rel copy = rel;
  auto cluster = take_apart(copy);
  auto& leaves = cluster.leaves;
  for (auto first = leaves.begin(); first != leaves.end(); ++first) {
    if (!is_single_row(*first)) continue;
    for (auto second = first + 1; second != leaves.end(); ++second) {
      if (!is_single_row(*second) || !compute_together(*first->as<Aggregate>(), *second->as<Aggregate>())) continue;
      leaves.erase(second);
      const auto ids = outputs(rel);
      rel = with_outputs(put_together(std::move(cluster)), ids);
      return true;
    }
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
