// Aggregates of aggregates, and joined aggregates.
#include <algorithm>

#include "equiv/checker/aggregates.hpp"
#include "equiv/checker/agreement.hpp"
#include "equiv/checker/evaluator.hpp"
#include "equiv/checker/form.hpp"
#include "equiv/checker/laws.hpp"
#include "equiv/checker/products.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv::checker {

using namespace plan;

namespace {

template <class List>
auto by_id(const List& list, AttributeId id) -> decltype(list.data()) {
  const auto element = std::find_if(list.begin(), list.end(), [&](const auto& each) { return each.id == id; });
  return element != list.end() ? &*element : nullptr;
}

bool all_binary(const Aggregate& aggregate) {
  return std::all_of(aggregate.keys.begin(), aggregate.keys.end(),
                     [](const GroupKey& key) { return key.collation == binary_collation; });
}

// The inputs of an aggregate: the branches of a UNION ALL, or a single input.
std::vector<const Rel*> arms_of(const Rel& input) {
  std::vector<const Rel*> arms;
  const auto* set = input.as<SetOp>();
  if (set == nullptr) return {&input};
  if (set->op != ast::SetOp::union_all) return {};
  for (const auto& each : set->inputs) arms.push_back(&each);
  return arms;
}

std::optional<std::size_t> place_of(const Expr& expr, const std::vector<AttributeId>& ids) {
  const auto* id = column_id(expr);
  const auto place = id != nullptr ? std::find(ids.begin(), ids.end(), *id) : ids.end();
  if (place == ids.end()) return std::nullopt;
  return static_cast<std::size_t>(place - ids.begin());
}

// A branch before and after the change.
struct MergedBranch {
  Aggregate partial{};
  std::vector<AttributeId> columns{};
  const Project* rows = nullptr;

  const GroupKey* key(std::size_t place) const { return by_id(partial.keys, columns[place]); }
  // Whether the column of the rows has the value of `expr`.
  bool has(std::size_t place_now, const Expr& expr, const Given& given) const {
    const auto& now = rows->items[place_now].expr;
    const auto* id = column_id(now);
    return now == expr || (id != nullptr && is_pinned(*id, expr, *partial.input, given));
  }
  const AggregateCall* call(std::size_t place) const { return by_id(partial.calls, columns[place]); }
};

// The partial results that a branch has; a constant beside them is a key of all groups. nullopt if it is something
// else.
std::optional<Aggregate> partial_results(const Rel& arm) {
  const auto* project = arm.as<Project>();
  const auto* aggregate = below_renamings(project != nullptr ? *project->input : arm).as<Aggregate>();
  if (aggregate == nullptr) return std::nullopt;
  Aggregate result = *aggregate;
  if (project == nullptr) return result;
  for (const auto& item : project->items) {
    if (item.is_pass_through()) continue;
    if (!item.expr.is<Literal>() || !result.grouped) return std::nullopt;
    result.keys.push_back({item.id, item.expr, binary_collation});
  }
  return result;
}

// Whether `b` over the rows has the same result as `a` over the partial results, column `place` of all branches; `now`:
// the column of the rows that `b` uses, if any.
bool is_merged(const AggregateCall& a, const AggregateCall& b, std::size_t place, std::optional<std::size_t> place_now,
               const std::vector<MergedBranch>& branches, const std::vector<std::size_t>& keys, const Given& given) {
  std::optional<Affinity> affinity;
  const bool of_key = std::all_of(branches.begin(), branches.end(),
                                  [&](const MergedBranch& branch) { return branch.key(place) != nullptr; });
  for (const auto& branch : branches) {
    const Expr* argument = nullptr;
    if (of_key) {
      argument = &branch.key(place)->expr;
      const bool extreme = a.name == "min" || a.name == "max";
      // Each value occurs once in each group above.
      const bool once = branches.size() == 1 &&
                        std::all_of(branch.partial.keys.begin(), branch.partial.keys.end(), [&](const GroupKey& key) {
                          return key.id == branch.columns[place] ||
                                 std::any_of(keys.begin(), keys.end(),
                                             [&](std::size_t above) { return branch.columns[above] == key.id; });
                        });
      if (!is_basic_call(a) || a.name != b.name || b.collation != a.collation) return false;
      if (extreme ? b.distinct && !a.distinct
                  : !b.distinct || b.collation != binary_collation || (!a.distinct && !once))
        return false;
    } else {
      const auto* inner = branch.call(place);
      if (inner == nullptr || a.distinct || b.distinct || inner->distinct || inner->filter || inner->is_bare() ||
          !inner->order_by.empty() || b.name != inner->name || inner->arguments.size() > 1)
        return false;
      const bool adds_up = a.name == "sum" && (inner->name == "count" || inner->name == "sum");
      const bool extreme = (a.name == "min" || a.name == "max") && inner->name == a.name &&
                           inner->collation == a.collation && b.collation == a.collation;
      if (!adds_up && !extreme) return false;
      if (!inner->arguments.empty()) argument = &inner->arguments.front();
    }
    if ((argument != nullptr) != place_now.has_value()) return false;
    if (argument == nullptr) continue;
    if (!branch.has(*place_now, *argument, given)) return false;
    const auto* id = column_id(*argument);
    const auto own = id != nullptr ? given.attributes[*id].affinity : Affinity::none;
    if (affinity && *affinity != own) return false;
    affinity = own;
  }
  return true;
}

// The column of the branch that holds the only lower key that is not an upper one, if it is never NULL.
std::optional<std::size_t> place_of_only_other_key(const MergedBranch& branch, const std::vector<std::size_t>& keys,
                                                   const Given& given) {
  std::optional<std::size_t> found;
  std::size_t upper = 0;
  for (const auto& key : branch.partial.keys) {
    const bool is_upper =
        std::any_of(keys.begin(), keys.end(), [&](std::size_t place) { return branch.columns[place] == key.id; });
    if (is_upper) {
      ++upper;
      continue;
    }
    found = place_of(column(key.id), branch.columns);
    if (!found || given.may_be_null(key.expr, knowledge_of(*branch.partial.input, given).non_null)) return std::nullopt;
  }
  return upper + 1 == branch.partial.keys.size() ? found : std::nullopt;
}

bool partial_aggregate_merging(const Change& c) {
  const auto* before = c.before.as<Aggregate>();
  const auto* after = c.after.as<Aggregate>();
  if (before == nullptr || after == nullptr || before->grouped != after->grouped || !(before->keys == after->keys) ||
      !all_binary(*before) || before->calls.size() != after->calls.size())
    return false;
  const auto arms = arms_of(*before->input);
  const auto arms_now = arms_of(*after->input);
  if (arms.empty() || arms.size() != arms_now.size()) return false;
  std::vector<MergedBranch> branches;
  for (std::size_t i = 0; i < arms.size(); ++i) {
    auto partial = partial_results(*arms[i]);
    if (!partial) return false;
    MergedBranch branch{*std::move(partial), outputs(*arms[i]), arms_now[i]->as<Project>()};
    if (branch.rows == nullptr || branch.partial.grouped != before->grouped || !all_binary(branch.partial) ||
        !(*branch.rows->input == *branch.partial.input))
      return false;
    branches.push_back(std::move(branch));
  }
  const auto ids = outputs(*before->input);
  const auto ids_now = outputs(*after->input);
  std::vector<std::size_t> keys;
  for (const auto& key : before->keys) {
    const auto place = place_of(key.expr, ids);
    const auto place_now = place_of(key.expr, ids_now);
    if (!place || !place_now) return false;
    keys.push_back(*place);
    for (const auto& branch : branches) {
      if (branch.key(*place) == nullptr || !branch.has(*place_now, branch.key(*place)->expr, c.given)) return false;
    }
  }
  for (std::size_t i = 0; i < before->calls.size(); ++i) {
    const auto& a = before->calls[i];
    const auto& b = after->calls[i];
    if (a.id != b.id || a.filter || b.filter || a.is_bare() || a.arguments.size() > 1 || !a.order_by.empty())
      return false;
    if (a.arguments.empty() && branches.size() != 1) return false;
    // count(*) counts the values of a key.
    const auto place = a.arguments.empty() ? place_of_only_other_key(branches.front(), keys, c.given)
                                           : place_of(a.arguments.front(), ids);
    const auto place_now = b.arguments.empty() ? std::nullopt : place_of(b.arguments.front(), ids_now);
    if (!place || (!b.arguments.empty() && !place_now) || !is_merged(a, b, *place, place_now, branches, keys, c.given))
      return false;
  }
  return true;
}

// Replaces the keys of `group` in an expression over groups by the expressions over rows that they are computed from.
Expr over_rows(Expr expr, const Aggregate& group) {
  substitute(expr, [&](AttributeId id) -> const Expr* {
    const auto* key = by_id(group.keys, id);
    return key != nullptr ? &key->expr : nullptr;
  });
  return expr;
}

// Whether each key of `group` is a plain column that `conditions` equate with one of `others`: each row then has one
// group.
bool is_joined_by_keys(const Aggregate& group, const std::vector<Expr>& conditions, const AttributeSet& others,
                       const Given& given) {
  return group.grouped && !group.keys.empty() &&
         std::all_of(group.keys.begin(), group.keys.end(), [&](const GroupKey& key) {
           if (!key.expr.is<plan::Column>() || key.collation != binary_collation ||
               !has_one_spelling(key.expr, given.attributes))
             return false;
           return std::any_of(conditions.begin(), conditions.end(), [&](const Expr& condition) {
             const auto* equation = condition.as<Compare>();
             if (equation == nullptr || equation->op != CompareOp::equal ||
                 !compares_plainly(*equation, given.attributes))
               return false;
             const auto* left = column_id(*equation->left);
             const auto* right = column_id(*equation->right);
             return left != nullptr && right != nullptr &&
                    ((*left == key.id && others.contains(*right)) || (*right == key.id && others.contains(*left)));
           });
         });
}

// Whether `merged` groups by exactly `rows` and the keys of `group`.
bool has_keys_of(const Aggregate& merged, const AttributeSet& rows, const Aggregate& group) {
  std::size_t of_group = 0;
  AttributeSet row_keys;
  for (const auto& key : merged.keys) {
    if (const auto* old = by_id(group.keys, key.id); old != nullptr && *old == key) {
      ++of_group;
    } else if (rows.contains(key.id) && key.expr == column(key.id) && key.collation == binary_collation) {
      row_keys.add(key.id);
    } else {
      return false;
    }
  }
  return of_group == group.keys.size() && row_keys == rows && merged.grouped;
}

// The joined relations before and after groups are pulled up: some stay joined with the groups.
struct PulledGroups {
  std::vector<const Rel*> leaves{};
  std::vector<Expr> conditions{};
  const Aggregate* merged = nullptr;
  std::vector<const Rel*> kept{};
  std::vector<Expr> above{};  // the conditions on the groups

  PulledGroups(const Rel& before, const Rel& after) {
    split_product(before, leaves, conditions);
    std::vector<const Rel*> leaves_after;
    split_product(below_renamings(after), leaves_after, above);
    for (const auto* leaf : leaves_after) {
      const bool same = std::any_of(leaves.begin(), leaves.end(), [&](const Rel* each) { return *each == *leaf; });
      if (same) {
        kept.push_back(leaf);
      } else {
        merged = merged == nullptr ? leaf->as<Aggregate>() : nullptr;
      }
    }
    if (merged == nullptr || kept.size() + 1 != leaves_after.size()) merged = nullptr;
  }
  bool is_kept(const Rel& leaf) const {
    return std::any_of(kept.begin(), kept.end(), [&](const Rel* each) { return *each == leaf; });
  }
};

bool pulled_from_joins(const Change& c) {
  const PulledGroups pulled(c.before, c.after);
  const auto* merged = pulled.merged;
  if (merged == nullptr || outputs(c.before) != outputs(c.after)) return false;
  for (const auto* leaf : pulled.leaves) {
    const auto* group = leaf->as<Aggregate>();
    if (group == nullptr || pulled.is_kept(*leaf) || !(group->calls == merged->calls) ||
        !std::all_of(group->calls.begin(), group->calls.end(), is_basic_call) || is_volatile(*leaf))
      continue;
    std::vector<const Rel*> rows;
    std::vector<const Rel*> joined;
    AttributeSet others;
    AttributeSet outside;  // what conditions above may use
    for (const auto* each : pulled.leaves) {
      if (pulled.is_kept(*each)) {
        outside |= output_set(*each);
        continue;
      }
      joined.push_back(each == leaf ? group->input.get() : each);
      if (each == leaf) continue;
      rows.push_back(each);
      others |= output_set(*each);
    }
    for (const auto& call : group->calls) outside.add(call.id);
    std::vector<Expr> above;
    std::vector<Expr> of_rows;
    std::vector<Expr> inside;
    std::vector<Expr> below;
    bool random = false;
    AttributeSet keys;
    for (const auto& key : group->keys) keys.add(key.id);
    for (const auto& condition : pulled.conditions) {
      const auto used = references(condition);
      random = random || is_volatile(condition);
      if (used.intersects(outside)) {
        above.push_back(condition);
        continue;
      }
      if (!used.intersects(keys)) of_rows.push_back(condition);
      inside.push_back(condition);
      below.push_back(over_rows(condition, *group));
    }
    if (rows.empty() || random || free_attributes(*leaf).intersects(others | outside) ||
        !is_joined_by_keys(*group, inside, others, c.given) || !has_keys_of(*merged, others, *group))
      continue;
    const auto left = difference(above, pulled.above);
    if (!left || !left->empty() || above.size() != pulled.above.size()) continue;
    // Identical rows would fall into one group.
    if (!knowledge_of(product(rows, of_rows), c.given).is_key(others)) continue;
    if (same_rows(product(joined, below), *merged->input, outputs(*merged->input), false, c.given)) return true;
  }
  return false;
}

bool pulled_from_left_join(const Change& c) {
  const auto* join = c.before.as<Join>();
  const auto* group = join->right->as<Aggregate>();
  const auto* project = c.after.as<Project>();
  const auto* merged = project != nullptr ? project->input->as<Aggregate>() : nullptr;
  const auto* joined = merged != nullptr ? merged->input->as<Join>() : nullptr;
  if (group == nullptr || joined == nullptr || joined->type != JoinType::left || !(*joined->left == *join->left) ||
      !(*joined->right == *group->input) || outputs(c.before) != outputs(c.after) ||
      merged->calls.size() < group->calls.size() || merged->calls.size() > group->calls.size() + 1 ||
      is_volatile(*join->right))
    return false;
  const auto others = output_set(*join->left);
  if (free_attributes(*join->right).intersects(others) || !is_joined_by_keys(*group, join->on, others, c.given) ||
      !has_keys_of(*merged, others, *group) || !knowledge_of(*join->left, c.given).is_key(others))
    return false;
  std::vector<Expr> on;
  AttributeSet calls;
  for (const auto& call : group->calls) calls.add(call.id);
  for (const auto& condition : join->on) {
    if (references(condition).intersects(calls) || is_volatile(condition)) return false;
    on.push_back(over_rows(condition, *group));
  }
  if (!(on == joined->on)) return false;
  const auto inside = output_set(*group->input);
  const auto is_nothing_without_match = [&](const AggregateCall& call) {
    return ignores_row_of_nulls(call, inside, c.given);
  };
  for (std::size_t i = 0; i < group->calls.size(); ++i) {
    const auto& a = group->calls[i];
    const auto& b = merged->calls[i];
    const auto* item = item_of(*project, a.id);
    if (item == nullptr || !is_basic_call(a)) return false;
    if (a.name == "count") {
      // Without a match the count is NULL. What tells is a count of a key, which a match compares.
      const auto counts_keys = [&](const AggregateCall& call) {
        return call.name == "count" && call.info != nullptr && call.arguments.size() == 1 && !call.filter &&
               !call.distinct && std::any_of(group->keys.begin(), group->keys.end(), [&](const GroupKey& key) {
                 return key.expr == call.arguments.front();
               });
      };
      const bool of_rows = a.arguments.empty() && !a.filter;
      const auto& matches = of_rows ? b : merged->calls.back();
      auto same = a;
      same.id = b.id;
      if (!counts_keys(matches) || (!of_rows && (!(same == b) || !is_nothing_without_match(a))) ||
          a.distinct != b.distinct)
        return false;
      Case choice;
      choice.branches.push_back(
          {compare(CompareOp::equal, column(matches.id), literal(std::int64_t{0})), literal({}), {}});
      choice.otherwise = column(b.id);
      if (!agree(*item, Expr{std::move(choice)}, false, {b.id, matches.id}, c.given)) return false;
      continue;
    }
    // The summand is NULL in the row without a match.
    if (!(a == b) || a.name == "total" || a.arguments.size() != 1 || !(*item == column(a.id)) ||
        !rejects_nulls(is_null(a.arguments.front(), true), inside, c.given))
      return false;
  }
  return std::all_of(project->items.begin(), project->items.end(),
                     [&](const ProjectItem& item) { return item.is_pass_through() || calls.contains(item.id); });
}

bool aggregate_pull_up(const Change& c) {
  const auto* join = c.before.as<Join>();
  return join != nullptr && join->type == JoinType::left ? pulled_from_left_join(c) : pulled_from_joins(c);
}

constexpr Law merging_laws[] = {
    {"partial_aggregate_merging", partial_aggregate_merging},
    {"aggregate_pull_up", aggregate_pull_up},
};

}  // namespace

std::span<const Law> laws_of_merging() { return merging_laws; }

}  // namespace trustsql::equiv::checker
