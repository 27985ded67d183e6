#include "plan/rules/aggregate_to_distinct.hpp"

namespace trustsql::plan::rules {

namespace {

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

}  // namespace

const Rule aggregate_to_distinct{
    .name = "aggregate_to_distinct",
    .kinds = rel_kinds<Aggregate>,
    .apply = to_distinct,
    .example = aggregate_to_distinct_example,
};

}  // namespace trustsql::plan::rules
