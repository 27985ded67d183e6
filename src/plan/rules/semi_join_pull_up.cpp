#include "plan/rules/semi_join_pull_up.hpp"

#include "plan/rules/cluster.hpp"

namespace trustsql::plan::rules {

namespace {

// The left side of a semi- or anti-join; nullptr for other operators.
Box<Rel>* chosen_rows(Rel& rel) {
  if (auto* join = rel.as<Join>(); join != nullptr && (join->type == JoinType::semi || join->type == JoinType::anti))
    return &join->left;
  if (auto* apply = rel.as<Apply>();
      apply != nullptr && (apply->type == ApplyType::semi || apply->type == ApplyType::anti))
    return &apply->left;
  return nullptr;
}

bool pull_from(Rel& rel, Box<Rel>& side) {
  Box<Rel>* rows = chosen_rows(*side);
  if (rows == nullptr) return false;
  Rel choice = std::move(*side);
  rows = chosen_rows(choice);
  side = std::move(*rows);
  *rows = std::move(rel);
  rel = std::move(choice);
  return true;
}

bool pull_up_semi_join(Rel& rel, RuleContext&) {
  auto* join = rel.as<Join>();
  if (join->type != JoinType::inner && join->type != JoinType::left) return false;
  if (pull_from(rel, join->left)) return true;
  return join->type == JoinType::inner && pull_from(rel, join->right);
}

}  // namespace

const Rule semi_join_pull_up{
    .name = "semi_join_pull_up",
    .kinds = rel_kinds<Join>,
    .apply = pull_up_semi_join,
    .example = semi_join_pull_up_example,
};

}  // namespace trustsql::plan::rules
