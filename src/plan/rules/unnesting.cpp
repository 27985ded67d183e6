#include "plan/rules/unnesting.hpp"

#include <algorithm>

#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

bool takes_a_row(const Limit& limit) {
  const auto* rows = literal_as<std::int64_t>(*limit.count);
  return rows != nullptr && *rows != 0 && !limit.offset;
}

// Whether DISTINCT merges only rows that `on` cannot distinguish.
bool merges_indistinguishable_rows(const Distinct& distinct, const Plan& plan) {
  if (!distinct.collations.empty()) return false;
  const auto ids = outputs(*distinct.input);
  return std::all_of(ids.begin(), ids.end(), [&](AttributeId id) { return equal_is_identical(column(id), plan); });
}

}  // namespace

void strip_for_existence(Rel& rel, std::vector<Expr>& on, const Plan& plan) {
  while (true) {
    if (auto* sort = rel.as<Sort>()) {
      replace_by_descendant(rel, *sort->input);
    } else if (auto* derived = rel.as<Derived>();
               derived != nullptr && (derived->definition < 0 || !is_volatile(*derived->input))) {
      replace_by_descendant(rel, *derived->input);
    } else if (auto* distinct = rel.as<Distinct>();
               distinct != nullptr && (on.empty() || merges_indistinguishable_rows(*distinct, plan))) {
      replace_by_descendant(rel, *distinct->input);
    } else if (auto* limit = rel.as<Limit>(); limit != nullptr && on.empty() && takes_a_row(*limit)) {
      replace_by_descendant(rel, *limit->input);
    } else if (auto* aggregate = rel.as<Aggregate>(); aggregate != nullptr && on.empty() && aggregate->grouped) {
      replace_by_descendant(rel, *aggregate->input);
    } else if (auto* project = rel.as<Project>()) {
      AttributeSet used = references(on);
      const bool movable = std::all_of(project->items.begin(), project->items.end(), [&](const ProjectItem& item) {
        return item.is_pass_through() || (used.contains(item.id) ? is_copyable(item.expr) : is_repeatable(item.expr));
      });
      if (!movable || !std::all_of(on.begin(), on.end(), may_grow)) return;
      for (auto& conjunct : on) {
        substitute(conjunct, [&](AttributeId id) -> const Expr* {
          for (const auto& item : project->items) {
            if (item.id == id && !item.is_pass_through()) return &item.expr;
          }
          return nullptr;
        });
      }
      replace_by_descendant(rel, *project->input);
    } else {
      return;
    }
  }
}

Rel existence_join(Rel left, Rel right, std::vector<Expr> on, bool anti) {
  const auto outside = output_set(left);
  if (free_attributes(right).intersects(outside)) {
    auto cluster = take_apart(right);
    std::vector<Expr> inside;
    for (auto& conjunct : cluster.conjuncts) {
      const bool correlated = references(conjunct).intersects(outside);
      (correlated ? on : inside).push_back(std::move(conjunct));
    }
    cluster.conjuncts = std::move(inside);
    right = put_together(std::move(cluster));
  }
  if (free_attributes(right).intersects(outside)) {
    return Rel{Apply{anti ? ApplyType::anti : ApplyType::semi, std::move(left), std::move(right), std::move(on)}};
  }
  return Rel{Join{anti ? JoinType::anti : JoinType::semi, std::move(left), std::move(right), std::move(on)}};
}

}  // namespace trustsql::plan::rules
