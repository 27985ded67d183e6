#include "plan/rules/group_simplification.hpp"

#include <algorithm>

#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

// The columns in which the rows of a group agree under BINARY, ignoring the key `without`.
AttributeSet agreed(const Aggregate& aggregate, const GroupKey* without = nullptr) {
  AttributeSet columns;
  for (const auto& key : aggregate.keys) {
    const auto* id = column_id(key.expr);
    if (&key != without && id != nullptr && key.collation == binary_collation) columns.add(*id);
  }
  return columns;
}

bool add_keys(Rel& rel, RuleContext& context) {
  auto* aggregate = rel.as<Aggregate>();
  if (!aggregate->grouped || aggregate->keys.empty() || !aggregate->has_bare_columns()) return false;
  const auto known = agreed(*aggregate);
  const auto facts = context.facts(*aggregate->input);
  const auto ids = outputs(rel);
  bool changed = false;
  std::vector<AggregateCall> calls;
  for (auto& call : aggregate->calls) {
    const auto* id = call.is_bare() ? column_id(call.arguments.front()) : nullptr;
    if (id == nullptr || !context.determines(known, *id, facts)) {
      calls.push_back(std::move(call));
      continue;
    }
    aggregate->keys.push_back({call.id, column(*id), binary_collation});
    changed = true;
  }
  aggregate->calls = std::move(calls);
  if (changed) rel = with_outputs(std::move(rel), ids);
  return changed;
}

bool reduce_keys(Rel& rel, const Usage& usage, RuleContext& context) {
  auto* aggregate = rel.as<Aggregate>();
  if (usage.positional || aggregate->keys.size() < 2) return false;
  auto& keys = aggregate->keys;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    for (std::size_t j = i + 1; j < keys.size(); ++j) {
      if (!(keys[i].expr == keys[j].expr) || keys[i].collation != keys[j].collation || !is_repeatable(keys[i].expr) ||
          keys[i].id == keys[j].id)
        continue;
      // A key that is a column of the input keeps its own id.
      const auto* column = column_id(keys[j].expr);
      const bool keep_second = column != nullptr && *column == keys[j].id;
      const auto dropped = keep_second ? i : j;
      context.rename_later({{keys[dropped].id, keys[keep_second ? j : i].id}});
      keys.erase(keys.begin() + static_cast<std::ptrdiff_t>(dropped));
      return true;
    }
  }
  std::optional<Facts> facts;
  for (std::size_t i = keys.size(); i-- > 0;) {
    const auto& key = keys[i];
    if (usage.needed.contains(key.id) || !is_repeatable(key.expr)) continue;
    if (!facts) facts = context.facts(*aggregate->input);
    const auto known = agreed(*aggregate, &key);
    bool determined = true;
    const bool is_column = column_id(key.expr) != nullptr;
    (references(key.expr) & facts->outputs).for_each([&](AttributeId id) {
      determined = determined && (is_column || equal_is_identical(column(id), context.plan())) &&
                   context.determines(known, id, *facts);
    });
    if (!determined) continue;
    keys.erase(keys.begin() + static_cast<std::ptrdiff_t>(i));
    return true;
  }
  return false;
}

bool to_distinct(Rel& rel, RuleContext&) {
  auto* aggregate = rel.as<Aggregate>();
  if (!aggregate->grouped || aggregate->keys.empty() || !aggregate->calls.empty()) return false;
  Project project;
  std::vector<std::string_view> collations;
  bool binary = true;
  for (auto& key : aggregate->keys) {
    collations.push_back(key.collation);
    binary = binary && key.collation == binary_collation;
    project.items.push_back({key.id, std::move(key.expr)});
  }
  if (binary) collations.clear();
  project.input = std::move(*aggregate->input);
  rel = Rel{Distinct{Rel{std::move(project)}, std::move(collations)}};
  return true;
}

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
  if (!context.superkey(agreed(*aggregate), context.facts(*aggregate->input))) return false;
  project.input = std::move(*aggregate->input);
  rel = Rel{std::move(project)};
  return true;
}

bool remove_constants(Rel& rel, RuleContext&) {
  auto* aggregate = rel.as<Aggregate>();
  if (aggregate->calls.empty()) return false;
  Project project;
  std::vector<GroupKey> keys;
  for (auto& key : aggregate->keys) {
    const bool constant = key.expr.is<Literal>();
    project.items.push_back({key.id, constant ? key.expr : column(key.id)});
    if (!constant) keys.push_back(std::move(key));
  }
  if (keys.size() == project.items.size()) {
    aggregate->keys = std::move(keys);
    return false;
  }
  for (const auto& call : aggregate->calls) project.items.push_back({call.id, column(call.id)});
  aggregate->keys = std::move(keys);
  project.input = std::move(rel);
  rel = Rel{std::move(project)};
  return true;
}

bool ungroup(Rel& rel, RuleContext& context) {
  auto* aggregate = rel.as<Aggregate>();
  if (!aggregate->grouped || !aggregate->keys.empty() || aggregate->calls.empty()) return false;
  if (!context.facts(*aggregate->input).non_empty) return false;
  aggregate->grouped = false;
  return true;
}

}  // namespace

const Rule bare_column_to_key{
    .name = "bare_column_to_key",
    .kinds = rel_kinds<Aggregate>,
    .on_rel = add_keys,
};

const Rule group_key_reduction{
    .name = "group_key_reduction",
    .kinds = rel_kinds<Aggregate>,
    .on_use = reduce_keys,
};

const Rule aggregate_to_distinct{
    .name = "aggregate_to_distinct",
    .kinds = rel_kinds<Aggregate>,
    .on_rel = to_distinct,
};

const Rule group_by_removal{
    .name = "group_by_removal",
    .kinds = rel_kinds<Aggregate>,
    .on_rel = remove_keys,
};

const Rule constant_key_removal{
    .name = "constant_key_removal",
    .kinds = rel_kinds<Aggregate>,
    .on_rel = remove_constants,
};

const Rule single_group{
    .name = "single_group",
    .kinds = rel_kinds<Aggregate>,
    .on_rel = ungroup,
};

}  // namespace trustsql::plan::rules
