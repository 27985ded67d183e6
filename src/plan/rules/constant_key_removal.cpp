#include "plan/rules/constant_key_removal.hpp"

namespace trustsql::plan::rules {

namespace {

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

}  // namespace

const Rule constant_key_removal{
    .name = "constant_key_removal",
    .kinds = rel_kinds<Aggregate>,
    .apply = remove_constants,
    .example = constant_key_removal_example,
};

}  // namespace trustsql::plan::rules
