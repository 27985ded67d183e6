#include "plan/rules/exclusive_union.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"
#include "plan/rules/range_merging.hpp"
#include "plan/strictness.hpp"

namespace trustsql::plan::rules {

namespace {

// Whether `b` is true only where `a` is not, by its form.
bool is_negation(const Expr& a, const Expr& b) {
  if (const auto* n = b.as<Not>()) return *n->operand == a;
  if (const auto* n = b.as<IsTruth>()) return *n->operand == a && n->truth == n->negated;
  const auto* left = a.as<Compare>();
  const auto* right = b.as<Compare>();
  if (left != nullptr && right != nullptr) {
    auto opposite = *left;
    opposite.op = negated(left->op);
    return opposite == *right;
  }
  const auto* like = a.as<Like>();
  const auto* unlike = b.as<Like>();
  if (like == nullptr || unlike == nullptr) return false;
  auto opposite = *like;
  opposite.negated = !like->negated;
  return opposite == *unlike;
}

// Whether `test` is true only for a NULL with which `other` is not true.
bool is_null_beside(const Expr& test, const Expr& other, const Plan& plan) {
  const auto* null = test.as<IsNull>();
  const auto* id = null != nullptr && !null->negated ? column_id(*null->operand) : nullptr;
  return id != nullptr && null_rejected(other, plan).contains(*id);
}

// Whether the two conditions are never true of one row.
bool exclude_each_other(const Expr& a, const Expr& b, const Plan& plan) {
  const std::array<std::pair<const Expr*, const Expr*>, 2> ways = {{{&a, &b}, {&b, &a}}};
  for (const auto& way : ways) {
    const auto excludes = [&](const Expr& term) { return exclude_each_other(term, *way.second, plan); };
    if (const auto* choice = way.first->as<Or>())
      return std::all_of(choice->terms.begin(), choice->terms.end(), excludes);
  }
  for (const auto& way : ways) {
    const auto excludes = [&](const Expr& term) { return exclude_each_other(term, *way.second, plan); };
    if (const auto* both = way.first->as<And>()) return std::any_of(both->terms.begin(), both->terms.end(), excludes);
  }
  return is_negation(a, b) || is_negation(b, a) || is_null_beside(a, b, plan) || is_null_beside(b, a, plan) ||
         are_exclusive_bounds(a, b);
}

// An input of the UNION ALL: expressions over the rows of a cluster.
struct UnionInput {
  std::vector<ProjectItem> items;
  Cluster rows;
};

UnionInput read_input(const Rel& input) {
  UnionInput result;
  Rel copy = input;
  if (auto* project = copy.as<Project>()) {
    result.items = std::move(project->items);
    result.rows = take_apart(*project->input);
  } else {
    for (const auto id : outputs(input)) result.items.push_back({id, column(id)});
    result.rows = take_apart(copy);
  }
  return result;
}

// Both inputs as one; nullopt if the law does not hold for them.
std::optional<Rel> united(const Rel& first, const Rel& second, const Plan& plan) {
  auto a = read_input(first);
  auto b = read_input(second);
  const auto columns = unite_tables(a.rows, b.rows);
  if (!columns) return std::nullopt;
  for (std::size_t i = 0; i < a.items.size(); ++i) {
    rename(b.items[i].expr, *columns);
    if (!(a.items[i].expr == b.items[i].expr) || !is_repeatable(a.items[i].expr)) return std::nullopt;
  }
  for (auto& conjunct : b.rows.conjuncts) rename(conjunct, *columns);
  auto of_b = std::move(b.rows.conjuncts);
  const auto is_shared = [&](const Expr& conjunct) {
    const auto same = std::find(of_b.begin(), of_b.end(), conjunct);
    if (same == of_b.end()) return false;
    of_b.erase(same);
    return true;
  };
  const auto shared = take_if(a.rows.conjuncts, is_shared);
  auto of_a = std::move(a.rows.conjuncts);
  const bool repeatable = std::all_of(of_a.begin(), of_a.end(), is_repeatable) &&
                          std::all_of(of_b.begin(), of_b.end(), is_repeatable) &&
                          std::all_of(shared.begin(), shared.end(), is_repeatable);
  if (!repeatable || of_a.empty() || of_b.empty()) return std::nullopt;
  const Expr p = conjunction(std::move(of_a));
  const Expr q = conjunction(std::move(of_b));
  if (!exclude_each_other(p, q, plan)) return std::nullopt;
  a.rows.conjuncts = shared;
  a.rows.conjuncts.push_back(disjunction({p, q}));
  Project project;
  project.items = std::move(a.items);
  project.input = put_together(std::move(a.rows));
  return Rel{std::move(project)};
}

bool unite_inputs(Rel& rel, RuleContext& context) {
  auto& set = *rel.as<SetOp>();
  if (set.op != ast::SetOp::union_all) return false;
  auto& inputs = set.inputs;
  for (auto first = inputs.begin(); first != inputs.end(); ++first) {
    for (auto second = first + 1; second != inputs.end(); ++second) {
      auto both = united(*first, *second, context.plan());
      if (!both) continue;
      *first = *std::move(both);
      inputs.erase(second);
      if (inputs.size() > 1) return true;
      Project project;
      const auto ids = outputs(inputs.front());
      for (std::size_t i = 0; i < ids.size(); ++i) project.items.push_back({set.ids[i], column(ids[i])});
      project.input = std::move(inputs.front());
      rel = Rel{std::move(project)};
      return true;
    }
  }
  return false;
}

}  // namespace

const Rule exclusive_union{
    .name = "exclusive_union",
    .kinds = rel_kinds<SetOp>,
    .apply = unite_inputs,
    .example = exclusive_union_example,
};

}  // namespace trustsql::plan::rules
