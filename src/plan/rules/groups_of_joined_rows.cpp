#include "plan/rules/groups_of_joined_rows.hpp"

#include <algorithm>

#include "plan/aggregates.hpp"
#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

// The leaf as groups of a table by columns; nullptr if it is something else.
const Aggregate* groups_of_table(const Rel& leaf, const Plan& plan) {
  const auto* groups = leaf.as<Aggregate>();
  if (groups == nullptr || !groups->grouped || groups->keys.empty() || groups->calls.empty() || is_volatile(leaf) ||
      !free_attributes(leaf).empty() || !std::all_of(groups->calls.begin(), groups->calls.end(), is_basic) ||
      !std::all_of(groups->keys.begin(), groups->keys.end(), [&](const GroupKey& key) {
        return key.expr == column(key.id) && key.collation == binary_collation && equal_is_identical(key.expr, plan);
      }))
    return nullptr;
  const auto* filter = groups->input->as<Filter>();
  const auto* scan = (filter != nullptr ? *filter->input : *groups->input).as<Scan>();
  return scan != nullptr && scan->table != nullptr ? groups : nullptr;
}

// The columns that a plain equality compares; nullopt for another condition.
std::optional<std::pair<AttributeId, AttributeId>> equated_columns(const Expr& condition, const Plan& plan) {
  const auto* compare = condition.as<Compare>();
  if (compare == nullptr || compare->op != CompareOp::equal || !is_plain(*compare, plan)) return std::nullopt;
  const auto* left = column_id(*compare->left);
  const auto* right = column_id(*compare->right);
  return left != nullptr && right != nullptr ? std::optional(std::pair(*left, *right)) : std::nullopt;
}

// All columns that the conditions make equal to `id`.
AttributeSet equated_with(AttributeId id, const std::vector<Expr>& conditions, const Plan& plan) {
  AttributeSet equal{id};
  for (bool again = true; again;) {
    again = false;
    for (const auto& condition : conditions) {
      const auto pair = equated_columns(condition, plan);
      if (!pair || equal.contains(pair->first) == equal.contains(pair->second)) continue;
      equal.add(pair->first);
      equal.add(pair->second);
      again = true;
    }
  }
  return equal;
}

// An aggregate over a cluster that has groups of one of its tables as a leaf.
class JoinedGroups {
 public:
  JoinedGroups(const Aggregate& aggregate, Cluster cluster, RuleContext& context)
      : aggregate_(aggregate), cluster_(std::move(cluster)), context_(context) {}

  // Computes the groups, leaf number `at`, together with the aggregate; false if the law does not hold.
  bool merge(std::size_t at, std::size_t with) {
    const auto& plan = context_.plan();
    groups_ = groups_of_table(cluster_.leaves[at], plan);
    if (groups_ == nullptr || !cluster_.leaves[with].is<Scan>()) return false;
    Rel input = *groups_->input;
    const auto table = take_apart(input);
    Cluster rows{{cluster_.leaves[with]}, {}};
    const auto names = unite_tables(rows, table);
    if (!names || !is_unused(output_set(cluster_.leaves[at]))) return false;
    names_ = *names;
    rows_ = rows.leaves.front();
    AttributeSet keys;
    for (const auto& key : groups_->keys) {
      const auto name = names_.find(key.id);
      if (name == names_.end() || !equated_with(key.id, cluster_.conjuncts, plan).contains(name->second)) return false;
      keys.add(name->second);
    }
    auto required = table.conjuncts;
    for (auto& condition : required) rename(condition, names_);
    return split_conditions(keys, required) && have_rows_once(at, with, keys) && have_same_groups(keys);
  }

  // The aggregate that computes both, under the conditions on the groups.
  Rel result() {
    Aggregate both = aggregate_;
    both.input = rows_of_both_;
    for (auto call : groups_->calls) {
      for (auto& argument : call.arguments) rename(argument, names_);
      if (call.filter) rename(*call.filter, names_);
      both.calls.push_back(std::move(call));
    }
    return with_filter(Rel{std::move(both)}, having_);
  }

 private:
  bool is_unused(const AttributeSet& columns) const {
    return std::none_of(aggregate_.keys.begin(), aggregate_.keys.end(),
                        [&](const GroupKey& key) { return references(key.expr).intersects(columns); }) &&
           std::none_of(aggregate_.calls.begin(), aggregate_.calls.end(), [&](const AggregateCall& call) {
             return (call.filter && references(*call.filter).intersects(columns)) ||
                    std::any_of(call.arguments.begin(), call.arguments.end(),
                                [&](const Expr& argument) { return references(argument).intersects(columns); });
           });
  }

  // Splits the conditions into those on the groups and those on the rows, which must not compare anything but the keys
  // of the rows that are grouped twice, except for `required`.
  bool split_conditions(const AttributeSet& keys, const std::vector<Expr>& required) {
    AttributeSet results;
    for (const auto& call : groups_->calls) results.add(call.id);
    Renaming to_rows;
    for (const auto& key : groups_->keys) to_rows.emplace(key.id, names_.at(key.id));
    const auto of_rows = output_set(rows_);
    for (auto condition : cluster_.conjuncts) {
      if (!is_repeatable(condition)) return false;
      const auto used = references(condition);
      if (used.intersects(results)) {
        if (!used.is_subset_of(results)) return false;
        having_.push_back(std::move(condition));
        continue;
      }
      rename(condition, to_rows);
      const bool is_required = std::find(required.begin(), required.end(), condition) != required.end();
      if (references(condition).intersects(of_rows) && !is_required) {
        if (!equated_columns(condition, context_.plan()) || !(references(condition) & of_rows).is_subset_of(keys))
          return false;
      }
      conditions_.push_back(std::move(condition));
    }
    return std::all_of(required.begin(), required.end(), [&](const Expr& condition) {
      return std::find(conditions_.begin(), conditions_.end(), condition) != conditions_.end();
    });
  }

  // Whether each row that is grouped twice is joined with one row at most, which its keys decide about.
  bool have_rows_once(std::size_t at, std::size_t with, const AttributeSet& keys) {
    Cluster others;
    Cluster all;
    for (std::size_t i = 0; i < cluster_.leaves.size(); ++i) {
      if (i == at) continue;
      all.leaves.push_back(i == with ? rows_ : cluster_.leaves[i]);
      if (i != with) others.leaves.push_back(cluster_.leaves[i]);
    }
    all.conjuncts = conditions_;
    rows_of_both_ = put_together(std::move(all));
    if (others.leaves.empty()) return true;
    AttributeSet compared;
    const auto of_rows = output_set(rows_);
    for (const auto& condition : conditions_) {
      if (!references(condition).intersects(of_rows)) others.conjuncts.push_back(condition);
      const auto pair = equated_columns(condition, context_.plan());
      if (!pair) continue;
      if (keys.contains(pair->first)) compared.add(pair->second);
      if (keys.contains(pair->second)) compared.add(pair->first);
    }
    const Rel partners = put_together(std::move(others));
    return !is_volatile(partners) && context_.superkey(compared & output_set(partners), context_.facts(partners));
  }

  // Whether the keys of the aggregate and those of the groups determine each other.
  bool have_same_groups(const AttributeSet& keys) {
    const auto facts = context_.facts(rows_of_both_);
    AttributeSet own;
    for (const auto& key : aggregate_.keys) {
      const auto* id = column_id(key.expr);
      if (id == nullptr || key.collation != binary_collation || !context_.determines(keys, *id, facts)) return false;
      own.add(*id);
    }
    bool determined = true;
    keys.for_each([&](AttributeId id) { determined = determined && context_.determines(own, id, facts); });
    return determined;
  }

  const Aggregate& aggregate_;
  Cluster cluster_;
  RuleContext& context_;
  const Aggregate* groups_ = nullptr;
  Rel rows_{};        // the table that is grouped twice
  Renaming names_{};  // of the columns of the grouped table in `rows_`
  std::vector<Expr> having_{};
  std::vector<Expr> conditions_{};
  Rel rows_of_both_{};
};

bool merge_groups_with_rows(Rel& rel, RuleContext& context) {
  const auto& aggregate = *rel.as<Aggregate>();
  if (!aggregate.grouped || aggregate.keys.empty() || aggregate.has_bare_columns() || !is_cluster(*aggregate.input) ||
      !std::all_of(aggregate.calls.begin(), aggregate.calls.end(), is_basic))
    return false;
  Rel input = *aggregate.input;
  const auto cluster = take_apart(input);
  for (std::size_t at = 0; at < cluster.leaves.size(); ++at) {
    if (groups_of_table(cluster.leaves[at], context.plan()) == nullptr) continue;
    for (std::size_t with = 0; with < cluster.leaves.size(); ++with) {
      JoinedGroups joined(aggregate, cluster, context);
      if (at == with || !joined.merge(at, with)) continue;
      const auto ids = outputs(rel);
      Rel result = with_outputs(joined.result(), ids);
      rel = std::move(result);
      return true;
    }
  }
  return false;
}

}  // namespace

const Rule groups_of_joined_rows{
    .name = "groups_of_joined_rows",
    .kinds = rel_kinds<Aggregate>,
    .apply = merge_groups_with_rows,
    .example = groups_of_joined_rows_example,
};

}  // namespace trustsql::plan::rules
