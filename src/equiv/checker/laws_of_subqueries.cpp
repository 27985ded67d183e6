// Subqueries that are evaluated for each row and become joins.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "equiv/checker/agreement.hpp"
#include "equiv/checker/evaluator.hpp"
#include "equiv/checker/form.hpp"
#include "equiv/checker/laws.hpp"
#include "equiv/checker/products.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv::checker {

using namespace plan;

namespace {

bool apply_to_join(const Change& c) {
  const auto* apply = c.before.as<Apply>();
  const auto* join = c.after.as<Join>();
  if (apply == nullptr || join == nullptr || apply->type != ApplyType::scalar || !(*apply->left == *join->left) ||
      !(*apply->right == *join->right) || !join->on.empty() ||
      free_attributes(*apply->right).intersects(output_set(*apply->left)))
    return false;
  const auto known = knowledge_of(*apply->right, c.given);
  return known.has_one_row_at_most() &&
         (join->type == JoinType::left || (join->type == JoinType::inner && known.has_rows));
}

// The left side of a scalar Apply, and the right side of the left join under a Project that replaces the Apply.
struct Unnesting {
  const Apply* apply = nullptr;
  const Project* computed = nullptr;  // by the subquery; may be missing
  const Rel* body = nullptr;          // what it computes from
  const Project* project = nullptr;
  const Join* join = nullptr;

  Unnesting(const Rel& before, const Rel& after) : apply(before.as<Apply>()), project(after.as<Project>()) {
    if (project != nullptr) join = project->input->as<Join>();
    if (apply == nullptr || apply->type != ApplyType::scalar) return;
    computed = apply->right->as<Project>();
    body = computed != nullptr ? computed->input.get() : apply->right.get();
  }
  bool fits() const {
    if (body == nullptr || join == nullptr || join->type != JoinType::left || !(*join->left == *apply->left))
      return false;
    const auto ids = outputs(*apply->left);
    if (project->items.size() < ids.size()) return false;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (project->items[i].id != ids[i] || !project->items[i].is_pass_through()) return false;
    }
    return !free_attributes(*join->right).intersects(output_set(*apply->left)) &&
           std::all_of(join->on.begin(), join->on.end(), is_fixed);
  }
  // The items for the subquery's columns.
  std::span<const ProjectItem> values() const {
    return std::span(project->items).subspan(outputs(*apply->left).size());
  }
};

bool correlated_row_unnesting(const Change& c) {
  const Unnesting u(c.before, c.after);
  if (!u.fits() || outputs(c.before) != outputs(c.after) || is_volatile(*u.apply->right)) return false;
  const auto inside = output_set(*u.body);
  for (const auto& item : u.values()) {
    const Expr expected = u.computed != nullptr ? *item_of(*u.computed, item.id) : column(item.id);
    const auto* id = column_id(expected);
    // Without a match it is NULL on both sides.
    if (!(item.expr == expected) || id == nullptr || !inside.contains(*id)) return false;
  }
  const Rel matches{Filter{*u.join->right, u.join->on}};
  return knowledge_of(*u.apply->right, c.given).has_one_row_at_most() &&
         same_rows(*u.body, matches, outputs(*u.body), false, c.given);
}

// Whether the join compares each row with all keys of the groups, and with nothing else.
bool compares_all_keys(const Unnesting& u, const Aggregate& groups, const Given& given) {
  const auto outside = output_set(*u.apply->left);
  AttributeSet keys;
  AttributeSet compared;
  for (const auto& key : groups.keys) {
    if (!(key.expr == column(key.id)) || key.collation != binary_collation) return false;
    keys.add(key.id);
  }
  for (const auto& condition : u.join->on) {
    const auto* equation = condition.as<Compare>();
    if (equation == nullptr || equation->op != CompareOp::equal || !compares_plainly(*equation, given.attributes))
      return false;
    const auto* left = column_id(*equation->left);
    const auto* right = column_id(*equation->right);
    const bool by_left = left != nullptr && keys.contains(*left) && references(*equation->right).is_subset_of(outside);
    const bool by_right =
        right != nullptr && keys.contains(*right) && references(*equation->left).is_subset_of(outside);
    if (!by_left && !by_right) return false;
    compared.add(by_left ? *left : *right);
  }
  return compared == keys;
}

// The value of each call of the aggregate of the subquery, over the row's group, if it has one; nullopt if the groups
// lack a call, or its value without a group is not known.
using CallValues = std::vector<std::pair<AttributeId, Expr>>;
std::optional<CallValues> values_of_calls(const Aggregate& aggregate, const Aggregate& groups, const Given& given) {
  CallValues values;
  for (std::size_t i = 0; i < aggregate.calls.size(); ++i) {
    const auto& call = aggregate.calls[i];
    auto same = groups.calls[i];
    const auto group_id = same.id;
    same.id = call.id;
    if (!(same == call) || call.info == nullptr ||
        (call.name == "total" && given.attributes[call.id].types.may_be_null()))
      return std::nullopt;
    Expr value = column(group_id);
    if (call.name == "count" || call.name == "total") {
      Case choice;
      choice.branches.push_back(
          {is_null(column(group_id)), call.name == "count" ? literal(std::int64_t{0}) : literal(0.0), {}});
      choice.otherwise = column(group_id);
      value = Expr{std::move(choice)};
    } else if (call.name != "sum" && call.name != "avg" && call.name != "min" && call.name != "max" &&
               call.name != "group_concat") {
      return std::nullopt;
    }
    values.emplace_back(call.id, std::move(value));
  }
  return values;
}

bool correlated_aggregate_unnesting(const Change& c) {
  const Unnesting u(c.before, c.after);
  if (!u.fits() || outputs(c.before) != outputs(c.after)) return false;
  const auto* aggregate = u.body->as<Aggregate>();
  const auto* groups = u.join->right->as<Aggregate>();
  if (aggregate == nullptr || groups == nullptr || aggregate->grouped || !groups->grouped || groups->keys.empty() ||
      aggregate->calls.size() != groups->calls.size() ||
      references_of_operator(*u.body).intersects(output_set(*u.apply->left)))
    return false;
  if (!compares_all_keys(u, *groups, c.given)) return false;
  const Rel matches{Filter{*groups->input, u.join->on}};
  if (!same_rows(*aggregate->input, matches, outputs(*aggregate->input), false, c.given)) return false;
  const auto values = values_of_calls(*aggregate, *groups, c.given);
  if (!values) return false;
  return std::all_of(u.values().begin(), u.values().end(), [&](const ProjectItem& item) {
    Expr expected = u.computed != nullptr ? *item_of(*u.computed, item.id) : column(item.id);
    if (!is_fixed(expected)) return false;
    substitute(expected, [&](AttributeId id) -> const Expr* {
      const auto value =
          std::find_if(values->begin(), values->end(), [&](const auto& each) { return each.first == id; });
      return value != values->end() ? &value->second : nullptr;
    });
    return agree(item.expr, expected, false, {}, c.given);
  });
}

// Whether `lifted`, groups by further columns, filtered by those `conditions` that use these columns, has the rows of
// `groups`, whose input is filtered. Adds the conditions to `used`.
bool groups_by_lifted_columns(const Rel& groups, const Rel& lifted, const std::vector<Expr>& conditions,
                              const AttributeSet& outside, std::vector<Expr>& used, const Given& given) {
  const auto* a = below_renamings(groups).as<Aggregate>();
  const auto* b = below_renamings(lifted).as<Aggregate>();
  if (a == nullptr || b == nullptr || !a->grouped || !b->grouped || a->has_bare_columns() || !(a->calls == b->calls) ||
      b->keys.size() < a->keys.size() || !std::equal(a->keys.begin(), a->keys.end(), b->keys.begin()) ||
      !output_set(groups).is_subset_of(output_set(lifted)) || is_volatile(groups))
    return false;
  const auto keys = output_set(lifted);
  AttributeSet fixed;
  std::vector<Expr> own;
  for (const auto& condition : conditions) {
    const auto* compare = condition.as<Compare>();
    if (!references(condition).intersects(keys) || compare == nullptr || compare->op != CompareOp::equal ||
        !compares_plainly(*compare, given.attributes) || !is_fixed(condition))
      continue;
    for (const bool left : {true, false}) {
      const Expr& side = left ? *compare->left : *compare->right;
      const Expr& other = left ? *compare->right : *compare->left;
      const auto* id = column_id(side);
      if (id == nullptr || !keys.contains(*id) || !references(other).is_subset_of(outside) ||
          !has_one_spelling(side, given.attributes))
        continue;
      fixed.add(*id);
      own.push_back(condition);
    }
  }
  for (std::size_t i = a->keys.size(); i < b->keys.size(); ++i) {
    const auto& key = b->keys[i];
    if (!fixed.contains(key.id) || !(key.expr == column(key.id)) || key.collation != binary_collation) return false;
  }
  // The conditions use keys, so that they can be asked of the rows as well.
  for (const auto& key : b->keys) {
    if (fixed.contains(key.id) && !(key.expr == column(key.id))) return false;
  }
  used.insert(used.end(), own.begin(), own.end());
  return !own.empty() && same_rows(*a->input, Rel{Filter{*b->input, own}}, outputs(*a->input), false, given);
}

bool correlation_above_groups(const Change& c) {
  const auto* before = c.before.as<Apply>();
  const auto* after = c.after.as<Apply>();
  if (before == nullptr || after == nullptr || before->type != ApplyType::scalar || after->type != before->type ||
      !(*before->left == *after->left))
    return false;
  const auto* project = before->right->as<Project>();
  const auto* project_after = after->right->as<Project>();
  const auto* aggregate = (project != nullptr ? *project->input : *before->right).as<Aggregate>();
  const auto* aggregate_after = (project_after != nullptr ? *project_after->input : *after->right).as<Aggregate>();
  if (aggregate == nullptr || aggregate_after == nullptr || (project == nullptr) != (project_after == nullptr) ||
      (project != nullptr && !(project->items == project_after->items)) || aggregate->grouped ||
      aggregate_after->grouped || !(aggregate->calls == aggregate_after->calls) || aggregate->has_bare_columns())
    return false;
  std::vector<const Rel*> leaves;
  std::vector<const Rel*> leaves_after;
  std::vector<Expr> conditions;
  std::vector<Expr> conditions_after;
  split_product(*aggregate->input, leaves, conditions);
  split_product(*aggregate_after->input, leaves_after, conditions_after);
  const auto added = difference(conditions_after, conditions);
  if (!added || leaves.size() != leaves_after.size()) return false;
  std::vector<Expr> used;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if (*leaves[i] == *leaves_after[i]) continue;
    if (!groups_by_lifted_columns(*leaves[i], *leaves_after[i], *added, output_set(*before->left), used, c.given))
      return false;
  }
  const auto rest = difference(*added, used);
  return rest && rest->empty();
}

bool grouped_scalar_applied(const Change& c) {
  const auto* before = c.before.as<Apply>();
  const auto* after = c.after.as<Apply>();
  return before != nullptr && after != nullptr && before->type == ApplyType::scalar && after->type == before->type &&
         *before->left == *after->left && is_same_scalar(*before->right, *after->right, c.given);
}

constexpr Law subquery_laws[] = {
    {"apply_to_join", apply_to_join},
    {"correlated_row_unnesting", correlated_row_unnesting},
    {"correlated_aggregate_unnesting", correlated_aggregate_unnesting},
    {"correlation_above_groups", correlation_above_groups},
    {"grouped_scalar", grouped_scalar_applied},
};

}  // namespace

bool is_same_scalar(const Rel& before, const Rel& after, const Given& given) {
  const auto* project = before.as<Project>();
  const auto* project_after = after.as<Project>();
  const auto* aggregate = (project != nullptr ? *project->input : before).as<Aggregate>();
  const auto* ungrouped = (project_after != nullptr ? *project_after->input : after).as<Aggregate>();
  if (aggregate == nullptr || ungrouped == nullptr || (project == nullptr) != (project_after == nullptr) ||
      !aggregate->grouped || ungrouped->grouped || !aggregate->keys.empty() || aggregate->calls.empty() ||
      !ungrouped->keys.empty() || !(aggregate->calls == ungrouped->calls) || !(*aggregate->input == *ungrouped->input))
    return false;
  for (const auto& call : aggregate->calls) {
    const bool null_of_nothing = call.name == "min" || call.name == "max" || call.name == "sum" || call.name == "avg";
    if (!null_of_nothing || call.info == nullptr) return false;
  }
  if (project == nullptr) return true;
  if (!(project->items == project_after->items)) return false;
  // Computed from NULLs, everything is NULL, as it is if there is no row.
  const Expr null = literal({});
  const auto calls = output_set(*project->input);
  return std::all_of(project->items.begin(), project->items.end(), [&](const ProjectItem& item) {
    Expr value = item.expr;
    if (!is_fixed(value) || !references(value).is_subset_of(calls)) return false;
    substitute(value, [&](AttributeId) { return &null; });
    return agree(value, null, false, {}, given);
  });
}

bool is_same_subquery(std::string_view rule, const Expr& before, const Expr& after, bool truth_only,
                      const AttributeSet& non_null, const Given& given) {
  if (rule == "grouped_scalar") {
    const auto* a = before.as<ScalarSubquery>();
    const auto* b = after.as<ScalarSubquery>();
    return a != nullptr && b != nullptr && is_same_scalar(*a->rel, *b->rel, given);
  }
  if (rule == "scalar_subquery_inlining") {
    const auto* subquery = before.as<ScalarSubquery>();
    const auto* project = subquery != nullptr ? subquery->rel->as<Project>() : nullptr;
    const auto* values = project != nullptr ? project->input->as<Values>() : nullptr;
    return values != nullptr && values->rows.size() == 1 && values->ids.empty() && project->items.size() == 1 &&
           project->items.front().expr == after;
  }
  if (rule == "count_to_exists") return is_same_count_test(before, after, given);
  if (rule == "null_test_to_exists") {
    const auto* test = before.as<IsNull>();
    const auto* subquery = test != nullptr ? test->operand->as<ScalarSubquery>() : nullptr;
    const auto* tested = after.as<Exists>();
    if (subquery == nullptr || tested == nullptr || tested->negated == test->negated || is_volatile(before))
      return false;
    const auto columns = output_set(*subquery->rel);
    return columns.size() == 1 && columns.is_subset_of(knowledge_of(*subquery->rel, given).non_null) &&
           same_existence(*subquery->rel, {}, *tested->rel, {}, given);
  }
  if (rule == "existence_union") return is_same_existence_of_union(before, after);
  if (rule == "existence_absorption") return is_same_absence(before, after, truth_only, given);
  const auto* in = before.as<InSubquery>();
  const auto* exists = after.as<Exists>();
  if (in == nullptr || exists == nullptr || in->negated != exists->negated || in->operands.size() != in->how.size() ||
      is_volatile(before))
    return false;
  const auto ids = outputs(*in->rel);
  if (ids.size() != in->operands.size() || !std::all_of(in->operands.begin(), in->operands.end(), is_fixed))
    return false;
  if (!truth_only || in->negated) {
    const auto known = knowledge_of(*in->rel, given);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (given.may_be_null(column(ids[i]), known.non_null) || given.may_be_null(in->operands[i], non_null))
        return false;
    }
  }
  std::vector<Expr> on;
  for (std::size_t i = 0; i < ids.size(); ++i)
    on.push_back(compare(CompareOp::equal, in->operands[i], column(ids[i]), in->how[i]));
  return same_existence(*in->rel, on, *exists->rel, {}, given);
}

std::span<const Law> laws_of_subqueries() { return subquery_laws; }

}  // namespace trustsql::equiv::checker
