#include "plan/rules/empty_relation.hpp"

#include <algorithm>

#include "plan/aggregates.hpp"
#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

bool is_empty(const Rel& rel) {
  const auto* values = rel.as<Values>();
  return values != nullptr && values->rows.empty();
}

bool never_true(const std::vector<Expr>& conjuncts) {
  return std::any_of(conjuncts.begin(), conjuncts.end(), is_untrue_literal);
}

bool make_empty(Rel& rel) {
  const auto ids = outputs(rel);
  rel = Rel{Values{ids, {}}};
  return true;
}

// `kept`, one side of the join `rel`, with NULLs replacing the columns of the other side.
bool fill_with_nulls(Rel& rel, Rel& kept) {
  const auto ids = outputs(rel);
  const auto known = output_set(kept);
  Project project;
  for (const auto id : ids) project.items.push_back({id, known.contains(id) ? column(id) : literal({})});
  project.input = std::move(kept);
  rel = Rel{std::move(project)};
  return true;
}

bool simplify_join(Rel& rel, JoinType type, Rel& left, Rel& right, const std::vector<Expr>& on, RuleContext& context) {
  if (type == JoinType::anti && on.empty() && context.facts(right).non_empty) return make_empty(rel);
  const bool no_match = never_true(on) || is_empty(left) || is_empty(right);
  if (!no_match) return false;
  switch (type) {
    case JoinType::inner:
    case JoinType::semi: return make_empty(rel);
    case JoinType::anti: replace_by_descendant(rel, left); return true;
    case JoinType::left: return is_empty(left) ? make_empty(rel) : fill_with_nulls(rel, left);
    case JoinType::right: return is_empty(right) ? make_empty(rel) : fill_with_nulls(rel, right);
    case JoinType::full:
      if (is_empty(left)) return is_empty(right) ? make_empty(rel) : fill_with_nulls(rel, right);
      return is_empty(right) && fill_with_nulls(rel, left);
  }
  return false;
}

bool simplify_set(Rel& rel) {
  auto* set = rel.as<SetOp>();
  // A remaining input with its columns renamed to those of the result.
  const auto as_result = [&](Rel input) {
    const auto ids = outputs(input);
    Project project;
    for (std::size_t i = 0; i < ids.size(); ++i) project.items.push_back({set->ids[i], column(ids[i])});
    project.input = std::move(input);
    return Rel{std::move(project)};
  };
  switch (set->op) {
    case ast::SetOp::union_all: {
      const auto before = set->inputs.size();
      std::erase_if(set->inputs, is_empty);
      if (set->inputs.size() == before) return false;
      if (set->inputs.empty()) {
        rel = Rel{Values{set->ids, {}}};
      } else if (set->inputs.size() == 1) {
        Rel only = as_result(std::move(set->inputs.front()));
        rel = std::move(only);
      }
      return true;
    }
    case ast::SetOp::intersect:
      if (std::none_of(set->inputs.begin(), set->inputs.end(), is_empty)) return false;
      return make_empty(rel);
    case ast::SetOp::except:
      if (is_empty(set->inputs.front())) return make_empty(rel);
      return false;
    case ast::SetOp::union_distinct: return false;
  }
  return false;
}

// An aggregate over no rows: no groups, or without GROUP BY one row of what the calls are then.
bool aggregate_nothing(Rel& rel, const Plan& plan) {
  const auto* aggregate = rel.as<Aggregate>();
  if (aggregate->grouped) return make_empty(rel);
  Project project;
  project.items.reserve(aggregate->calls.size());
  for (const auto& call : aggregate->calls) {
    // A column of a subquery may be a constant, which SQLite puts in its place.
    const auto* bare = call.is_bare() ? column_id(call.arguments.front()) : nullptr;
    if (bare != nullptr && plan.attributes[*bare].table == nullptr) return false;
    auto value = bare != nullptr ? Value{} : value_over_empty_input(call);
    if (!value) return false;
    project.items.push_back({call.id, literal(*std::move(value))});
  }
  project.input = Rel{Values{{}, {{}}}};
  rel = Rel{std::move(project)};
  return true;
}

bool simplify_empty_relation(Rel& rel, RuleContext& context) {
  if (auto* n = rel.as<Filter>()) return (is_empty(*n->input) || never_true(n->conjuncts)) && make_empty(rel);
  if (auto* n = rel.as<Project>()) return is_empty(*n->input) && make_empty(rel);
  if (auto* n = rel.as<Sort>()) return is_empty(*n->input) && make_empty(rel);
  if (auto* n = rel.as<Limit>()) return is_empty(*n->input) && make_empty(rel);
  if (auto* n = rel.as<Distinct>()) return is_empty(*n->input) && make_empty(rel);
  if (auto* n = rel.as<Window>()) return is_empty(*n->input) && make_empty(rel);
  if (auto* n = rel.as<Derived>()) return is_empty(*n->input) && make_empty(rel);
  if (auto* n = rel.as<Aggregate>()) return is_empty(*n->input) && aggregate_nothing(rel, context.plan());
  if (auto* n = rel.as<Join>()) return simplify_join(rel, n->type, *n->left, *n->right, n->on, context);
  if (auto* n = rel.as<Apply>()) {
    switch (n->type) {
      case ApplyType::scalar: return simplify_join(rel, JoinType::left, *n->left, *n->right, {}, context);
      case ApplyType::semi: return simplify_join(rel, JoinType::semi, *n->left, *n->right, n->on, context);
      case ApplyType::anti: return simplify_join(rel, JoinType::anti, *n->left, *n->right, n->on, context);
      case ApplyType::lateral: return simplify_join(rel, JoinType::inner, *n->left, *n->right, n->on, context);
      case ApplyType::lateral_left: return simplify_join(rel, JoinType::left, *n->left, *n->right, n->on, context);
    }
  }
  return simplify_set(rel);
}

}  // namespace

const Rule empty_relation{
    .name = "empty_relation",
    .kinds = rel_kinds<Filter, Project, Sort, Limit, Distinct, Window, Derived, Aggregate, Join, Apply, SetOp>,
    .apply = simplify_empty_relation,
    .example = empty_relation_example,
};

}  // namespace trustsql::plan::rules
