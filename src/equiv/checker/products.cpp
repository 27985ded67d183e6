#include "equiv/checker/products.hpp"

#include <algorithm>

#include "equiv/checker/agreement.hpp"
#include "equiv/checker/laws.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv::checker {

using namespace plan;

void split_product(const Rel& rel, std::vector<const Rel*>& leaves, std::vector<Expr>& conditions) {
  const auto* join = rel.as<Join>();
  if (join != nullptr && join->type == JoinType::inner) {
    split_product(*join->left, leaves, conditions);
    split_product(*join->right, leaves, conditions);
    conditions.insert(conditions.end(), join->on.begin(), join->on.end());
  } else if (const auto* filter = rel.as<Filter>()) {
    split_product(*filter->input, leaves, conditions);
    conditions.insert(conditions.end(), filter->conjuncts.begin(), filter->conjuncts.end());
  } else {
    leaves.push_back(&rel);
  }
}

Rel product(const std::vector<const Rel*>& leaves, std::vector<Expr> conditions) {
  Rel result = *leaves.front();
  for (std::size_t i = 1; i < leaves.size(); ++i)
    result = Rel{Join{JoinType::inner, std::move(result), *leaves[i], {}}};
  return conditions.empty() ? result : Rel{Filter{std::move(result), std::move(conditions)}};
}

bool are_equal(const std::vector<const Rel*>& a, const std::vector<const Rel*>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Rel* x, const Rel* y) { return *x == *y; });
}

const Rel& below_renamings(const Rel& rel) {
  const auto* project = rel.as<Project>();
  const bool hands_on =
      project != nullptr && std::all_of(project->items.begin(), project->items.end(),
                                        [](const ProjectItem& item) { return item.is_pass_through(); });
  return hands_on ? below_renamings(*project->input) : rel;
}

bool is_basic_call(const AggregateCall& call) {
  return call.info != nullptr && (call.name == "count" || call.name == "sum" || call.name == "avg" ||
                                  call.name == "total" || call.name == "min" || call.name == "max");
}

namespace {

// Adds conditions that hold for all rows of `rel`.
void add_conditions(const Rel& rel, std::vector<Expr>& conditions) {
  std::vector<const Rel*> leaves;
  split_product(rel, leaves, conditions);
  for (const auto* leaf : leaves) {
    const auto* join = leaf->as<Join>();
    if (join != nullptr &&
        (join->type == JoinType::semi || join->type == JoinType::anti || join->type == JoinType::left))
      add_conditions(*join->left, conditions);
  }
}

}  // namespace

bool is_pinned(AttributeId id, const Expr& value, const Rel& rel, const Given& given) {
  std::vector<Expr> conditions;
  add_conditions(rel, conditions);
  const auto where = [](const Expr& condition, Expr of_row) {
    Case choice;
    choice.branches.push_back({condition, std::move(of_row), {}});
    return Expr{std::move(choice)};
  };
  return value.is<Literal>() && std::any_of(conditions.begin(), conditions.end(), [&](const Expr& condition) {
           return references(condition) == AttributeSet{id} && is_fixed(condition) &&
                  agree(where(condition, column(id)), where(condition, value), false, {}, given);
         });
}

}  // namespace trustsql::equiv::checker
