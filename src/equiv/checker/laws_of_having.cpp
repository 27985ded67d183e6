// Conditions on groups.
#include <algorithm>
#include <array>
#include <limits>

#include "equiv/checker/aggregates.hpp"
#include "equiv/checker/agreement.hpp"
#include "equiv/checker/evaluator.hpp"
#include "equiv/checker/laws.hpp"
#include "equiv/checker/products.hpp"
#include "equiv/checker/values.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv::checker {

using namespace plan;

namespace {

// Whether the condition cannot tell values of columns apart that are equal but not identical.
bool is_same_for_equals(const Expr& condition, const Given& given) {
  if (const auto* test = condition.as<IsNull>()) return column_id(*test->operand) != nullptr;
  const auto* compare = condition.as<Compare>();
  if (compare == nullptr || !compares_plainly(*compare, given.attributes)) return false;
  return std::ranges::all_of(std::array{&*compare->left, &*compare->right}, [](const Expr* operand) {
    return column_id(*operand) != nullptr || literal_value(*operand) != nullptr;
  });
}

// Whether conditions on groups now filter rows, or drop groups without values.
bool moves_condition(const Change& c, bool of_keys) {
  const auto* filter = c.before.as<Filter>();
  const auto* aggregate = filter != nullptr ? filter->input->as<Aggregate>() : nullptr;
  const auto* after = unfiltered(c.after).as<Aggregate>();
  if (aggregate == nullptr || after == nullptr || !(aggregate->keys == after->keys) ||
      !(aggregate->calls == after->calls) || aggregate->grouped != after->grouped ||
      !(unfiltered(*after->input) == *aggregate->input))
    return false;
  const auto moved = difference(filter->conjuncts, conditions_of(c.after));
  const auto& below = conditions_of(*after->input);
  if (!moved) return false;
  if (of_keys) {
    if (!aggregate->grouped || moved->size() != below.size()) return false;
    const auto inside = output_set(*filter->input);
    for (std::size_t i = 0; i < below.size(); ++i) {
      Expr condition = (*moved)[i];
      bool fine = !is_volatile(condition);
      const bool any_spelling = is_same_for_equals(condition, c.given);
      (references(condition) & inside).for_each([&](AttributeId id) {
        const auto* key = key_of(*aggregate, id);
        fine = fine && key != nullptr && key->collation == binary_collation && is_fixed(key->expr) &&
               ((any_spelling && column_id(key->expr) != nullptr) || has_one_spelling(key->expr, c.given.attributes));
      });
      if (!fine) return false;
      substitute(condition, [&](AttributeId id) -> const Expr* {
        const auto* key = key_of(*aggregate, id);
        return key != nullptr ? &key->expr : nullptr;
      });
      if (!(condition == below[i])) return false;
    }
    return true;
  }
  const auto* test = below.size() == 1 ? below.front().as<IsNull>() : nullptr;
  const auto* id = test != nullptr && test->negated ? column_id(*test->operand) : nullptr;
  if (!moved->empty() || id == nullptr) return false;
  std::vector<Expr> values;
  for (const auto& call : aggregate->calls) {
    if (!skips_nulls(call) || call.arguments.size() != 1 || !(call.arguments.front() == column(*id))) return false;
    values.push_back(literal(value_over_no_rows(call)));
  }
  for (const auto& key : aggregate->keys) {
    if (key.collation != binary_collation || !has_one_spelling(key.expr, c.given.attributes)) return false;
  }
  // At least one condition must not be true of a group without values.
  return std::any_of(filter->conjuncts.begin(), filter->conjuncts.end(), [&](Expr condition) {
    substitute(condition, [&](AttributeId each) -> const Expr* {
      const auto* call = call_of(*aggregate, each);
      return call != nullptr ? &values[static_cast<std::size_t>(call - aggregate->calls.data())] : nullptr;
    });
    return agree(condition, literal(std::int64_t{0}), true, {}, c.given);
  });
}

bool having_to_where(const Change& c) { return moves_condition(c, true); }
bool having_not_null(const Change& c) { return moves_condition(c, false); }

// The expression over the input of `groups` whose value all rows of a group, or of each partition of a window, share in
// the column `id`; nullopt if there is none.
std::optional<Expr> shared_value(const Rel& groups, AttributeId id) {
  if (const auto* aggregate = groups.as<Aggregate>()) {
    const auto* key = key_of(*aggregate, id);
    return key != nullptr && key->collation == binary_collation ? std::optional(key->expr) : std::nullopt;
  }
  const auto* window = groups.as<Window>();
  const bool partitioned =
      window != nullptr && std::all_of(window->calls.begin(), window->calls.end(), [&](const WindowCall& call) {
        return std::any_of(call.partition_by.begin(), call.partition_by.end(), [&](const GroupKey& key) {
          return key.expr == column(id) && key.collation == binary_collation;
        });
      });
  return partitioned ? std::optional(column(id)) : std::nullopt;
}

// Semi- and anti-joins on keys move below the groups, or below windows.
bool semi_join_below_groups(const Change& c) {
  const auto* join = c.before.as<Join>();
  if (join == nullptr || (join->type != JoinType::semi && join->type != JoinType::anti) || is_volatile(*join->right) ||
      !(conditions_of(*join->left) == conditions_of(c.after)))
    return false;
  const auto& groups = unfiltered(*join->left);
  const auto* aggregate = groups.as<Aggregate>();
  if (aggregate != nullptr ? !aggregate->grouped : !groups.is<Window>()) return false;
  // The same operator over the rows that are left.
  Rel expected = groups;
  Join below = *join;
  for_each_rel(expected, [&](Rel& input) { below.left = std::move(input); });
  const auto columns = output_set(groups);
  for (auto& condition : below.on) {
    bool fine = is_fixed(condition);
    const bool any_spelling = is_same_for_equals(condition, c.given);
    std::vector<std::pair<AttributeId, Expr>> values;
    (references(condition) & columns).for_each([&](AttributeId id) {
      auto value = shared_value(groups, id);
      fine = fine && value && is_fixed(*value) &&
             ((any_spelling && column_id(*value) != nullptr) || has_one_spelling(*value, c.given.attributes));
      if (fine) values.emplace_back(id, *std::move(value));
    });
    if (!fine) return false;
    substitute(condition, [&](AttributeId id) -> const Expr* {
      const auto found = std::find_if(values.begin(), values.end(), [&](const auto& each) { return each.first == id; });
      return found != values.end() ? &found->second : nullptr;
    });
  }
  for_each_rel(expected, [&](Rel& input) { input = Rel{std::move(below)}; });
  return expected == unfiltered(c.after);
}

bool count_bounds(const Change& c) {
  const auto* filter = c.before.as<Filter>();
  const auto* aggregate = filter != nullptr ? filter->input->as<Aggregate>() : nullptr;
  if (aggregate == nullptr || !(unfiltered(c.after) == *filter->input)) return false;
  auto left = conditions_of(c.after);
  Evaluator evaluator(c.given.attributes);
  for (const auto& condition : filter->conjuncts) {
    if (const auto same = std::find(left.begin(), left.end(), condition); same != left.end()) {
      left.erase(same);
      continue;
    }
    // Try the possible values of a count: from the smallest on, and around the bound.
    const auto used = references(condition).to_vector();
    const auto* call = used.size() == 1 ? call_of(*aggregate, used.front()) : nullptr;
    const auto* compare = condition.as<Compare>();
    if (call == nullptr || call->name != "count" || compare == nullptr || !is_fixed(condition)) return false;
    const auto* bound = literal_as<std::int64_t>(compare->right->is<Literal>() ? *compare->right : *compare->left);
    if (bound == nullptr) return false;
    const std::int64_t least = aggregate->grouped && call->arguments.empty() && !call->filter ? 1 : 0;
    bool always = true;
    bool never = true;
    for (const std::int64_t count : {least, least + 1, *bound, *bound > least ? *bound - 1 : least,
                                     *bound + (*bound < 1'000'000 ? 1 : 0), std::numeric_limits<std::int64_t>::max()}) {
      if (count < least) continue;
      evaluator.enter_world(0);
      evaluator.assign(call->id, ValueView::of_integer(count));
      const bool holds = evaluator.truth(condition) == Truth::yes;
      always = always && holds;
      never = never && !holds;
    }
    if (always) continue;
    const auto zero = std::find(left.begin(), left.end(), literal(std::int64_t{0}));
    if (!never || zero == left.end()) return false;
    left.erase(zero);
  }
  return left.empty();
}

// Whether `condition` is true of the largest count alone, of those from 1 to `most`.
bool asks_for_most(const Expr& condition, AttributeId count, std::size_t most) {
  if (references(condition).to_vector() != std::vector<AttributeId>{count} || !is_fixed(condition)) return false;
  Evaluator evaluator({});
  for (std::size_t n = 1; n <= most; ++n) {
    evaluator.enter_world(0);
    evaluator.assign(count, ValueView::of_integer(static_cast<std::int64_t>(n)));
    if ((evaluator.truth(condition) == Truth::yes) != (n == most)) return false;
  }
  return true;
}

// The groups that have a row of each set become the rows of the first that the others have.
bool counted_union_to_semi_join(const Change& c) {
  const auto* filter = c.before.as<Filter>();
  const auto* aggregate = filter != nullptr ? filter->input->as<Aggregate>() : nullptr;
  const auto* set = aggregate != nullptr ? aggregate->input->as<SetOp>() : nullptr;
  const auto* project = unfiltered(c.after).as<Project>();
  if (set == nullptr || project == nullptr || set->op != ast::SetOp::union_all || !aggregate->grouped ||
      aggregate->calls.size() != 1 || outputs(c.before) != outputs(c.after))
    return false;
  const auto& count = aggregate->calls.front();
  const auto most = set->inputs.size();
  const auto gone = difference(filter->conjuncts, conditions_of(c.after));
  if (count.name != "count" || !count.arguments.empty() || count.filter || !gone || gone->size() != 1 ||
      !asks_for_most(gone->front(), count.id, most))
    return false;
  std::vector<std::vector<Expr>> columns(most);  // the key columns of each input
  for (std::size_t n = 0; n < most; ++n) {
    const auto& input = set->inputs[n];
    const auto ids = outputs(input);
    AttributeSet keys;
    for (const auto& key : aggregate->keys) {
      const auto place =
          std::find_if(set->ids.begin(), set->ids.end(), [&](AttributeId id) { return key.expr == column(id); });
      if (place == set->ids.end() || key.collation != binary_collation) return false;
      const auto id = ids[static_cast<std::size_t>(place - set->ids.begin())];
      keys.add(id);
      columns[n].push_back(column(id));
      if (!has_one_spelling(columns.front()[columns[n].size() - 1], columns[n].back(), c.given.attributes))
        return false;
    }
    // A count says in how many inputs the row is, if each has it once.
    if (keys.empty() || is_volatile(input) || !knowledge_of(input, c.given).is_key(keys)) return false;
  }
  for (std::size_t i = 0; i < aggregate->keys.size(); ++i) {
    const auto* item = item_of(*project, aggregate->keys[i].id);
    if (item == nullptr || !(*item == columns.front()[i])) return false;
  }
  const auto* shown = item_of(*project, count.id);
  if (shown == nullptr || !(*shown == literal(static_cast<std::int64_t>(most)))) return false;
  const Rel* current = project->input.get();
  for (std::size_t n = most; n-- > 1;) {
    const auto* join = current->as<Join>();
    if (join == nullptr || join->type != JoinType::semi || !(*join->right == set->inputs[n]) ||
        join->on.size() != columns[n].size())
      return false;
    for (std::size_t i = 0; i < join->on.size(); ++i) {
      if (!(join->on[i] == compare(CompareOp::is, columns.front()[i], columns[n][i]))) return false;
    }
    current = join->left.get();
  }
  return *current == set->inputs.front();
}

// The list of different constants that `expr` is one of, in `conditions`; nullptr if there is none of `count`
// constants.
const Expr* list_of_values(const std::vector<Expr>& conditions, const Expr& expr, std::size_t count) {
  for (const auto& condition : conditions) {
    const auto* list = condition.as<InList>();
    if (list == nullptr || list->negated || list->items.size() != count || !(*list->operand == expr) ||
        list->how.affinity != Affinity::none || list->how.collation != binary_collation)
      continue;
    bool differ = true;
    for (std::size_t i = 0; i < count; ++i) {
      const auto* value = literal_value(list->items[i]);
      differ = differ && value != nullptr && !view(*value).is_null();
      for (std::size_t k = 0; k < i && differ; ++k)
        differ = checker::order_of(view(*value), view(*literal_value(list->items[k])), binary_collation) != 0;
    }
    if (differ) return &condition;
  }
  return nullptr;
}

// HAVING count(DISTINCT x) = n, where x is one of n constants: the group has a row with each of them.
bool counted_values_to_semi_join(const Change& c) {
  const auto* filter = c.before.as<Filter>();
  const auto* aggregate = filter != nullptr ? filter->input->as<Aggregate>() : nullptr;
  const auto* project = unfiltered(c.after).as<Project>();
  if (aggregate == nullptr || project == nullptr || !aggregate->grouped || aggregate->keys.empty() ||
      aggregate->calls.size() != 1 || is_volatile(c.before))
    return false;
  const auto& count = aggregate->calls.front();
  if (count.name != "count" || count.info == nullptr || !count.distinct || count.filter ||
      count.arguments.size() != 1 || count.collation != binary_collation)
    return false;
  std::vector<const Join*> joins;  // from the last to the first
  const Rel* current = project->input.get();
  for (const auto* join = current->as<Join>(); join != nullptr; join = current->as<Join>()) {
    if (join->type != JoinType::semi) return false;
    joins.push_back(join);
    current = join->left.get();
  }
  const auto* groups = current->as<Aggregate>();
  if (groups == nullptr || !groups->grouped || !(groups->keys == aggregate->keys) || !groups->calls.empty())
    return false;
  const auto most = joins.size() + 1;
  const auto removed = difference(filter->conjuncts, conditions_of(c.after));
  if (!removed || removed->size() != 1 || !asks_for_most(removed->front(), count.id, most)) return false;
  // The rows of the groups are those with the first value.
  std::vector<const Rel*> leaves;
  std::vector<const Rel*> leaves_after;
  std::vector<Expr> conditions;
  std::vector<Expr> conditions_after;
  split_product(*aggregate->input, leaves, conditions);
  split_product(*groups->input, leaves_after, conditions_after);
  const auto& values = count.arguments.front();
  const auto* listed = list_of_values(conditions, values, most);
  if (listed == nullptr || !values.is<plan::Column>() || !are_equal(leaves, leaves_after)) return false;
  const auto items = listed->as<InList>()->items;
  const Expr has_first = compare(CompareOp::equal, values, items.front());
  conditions[static_cast<std::size_t>(listed - conditions.data())] = has_first;
  const auto rest = difference(conditions, conditions_after);
  if (!rest || !rest->empty()) return false;
  // Each join asks for a row with another value.
  for (std::size_t i = 0; i < joins.size(); ++i) {
    const auto& join = *joins[joins.size() - 1 - i];
    const auto renaming = renaming_of_copy(*groups->input, *join.right);
    if (!renaming || join.on.size() != groups->keys.size()) return false;
    Rel expected = *groups->input;
    walk(expected, [&](Expr& expr) {
      if (expr == has_first) expr = compare(CompareOp::equal, values, items[i + 1]);
    });
    rename(expected, *renaming);
    if (!(expected == *join.right)) return false;
    for (std::size_t k = 0; k < join.on.size(); ++k) {
      const auto& key = groups->keys[k];
      Expr partner = key.expr;
      rename(partner, *renaming);
      if (!key.expr.is<plan::Column>() || key.collation != binary_collation ||
          !has_one_spelling(key.expr, c.given.attributes) ||
          !(join.on[k] == compare(CompareOp::is, column(key.id), std::move(partner))))
        return false;
    }
  }
  return std::all_of(project->items.begin(), project->items.end(), [&](const ProjectItem& item) {
    return item.id == count.id ? item.expr == literal(static_cast<std::int64_t>(most)) : item.is_pass_through();
  });
}

// Groups of the rows of a left join: those without matches.
bool unmatched_groups(const Change& c) {
  const auto* filter = c.before.as<Filter>();
  const auto* aggregate = filter != nullptr ? filter->input->as<Aggregate>() : nullptr;
  const auto* after = unfiltered(c.after).as<Aggregate>();
  if (aggregate == nullptr || after == nullptr || !aggregate->grouped || !after->grouped ||
      !(aggregate->keys == after->keys) || !(aggregate->calls == after->calls) ||
      !(unfiltered(*after->input) == *aggregate->input))
    return false;
  const auto moved = difference(filter->conjuncts, conditions_of(c.after));
  const auto& below = conditions_of(*after->input);
  const auto* test = below.size() == 1 ? below.front().as<IsNull>() : nullptr;
  const auto* id = test != nullptr && !test->negated ? column_id(*test->operand) : nullptr;
  const auto* join = below_renamings(*aggregate->input).as<Join>();
  if (!moved || moved->size() != 1 || id == nullptr || join == nullptr || join->type != JoinType::left) return false;
  // The condition must be true of the count 0 alone.
  const auto used = references(moved->front()).to_vector();
  const auto* call = used.size() == 1 ? call_of(*aggregate, used.front()) : nullptr;
  if (call == nullptr || call->name != "count" || call->info == nullptr || call->filter ||
      call->arguments.size() != 1 || !(call->arguments.front() == column(*id)) || !is_fixed(moved->front()) ||
      !moved->front().is<Compare>())
    return false;
  Evaluator evaluator(c.given.attributes);
  for (const std::int64_t count :
       {std::int64_t{0}, std::int64_t{1}, std::int64_t{2}, std::int64_t{3}, std::numeric_limits<std::int64_t>::max()}) {
    evaluator.enter_world(0);
    evaluator.assign(call->id, ValueView::of_integer(count));
    if ((evaluator.truth(moved->front()) == Truth::yes) != (count == 0)) return false;
  }
  auto matches = knowledge_of(*join->right, c.given);
  if (!matches.columns.contains(*id)) return false;
  learn(matches, join->on, c.given);
  AttributeSet keys;
  for (const auto& key : aggregate->keys) {
    const auto* column = column_id(key.expr);
    if (column != nullptr && key.collation == binary_collation) keys.add(*column);
  }
  const auto rows = knowledge_of(*join->left, c.given);
  return matches.non_null.contains(*id) && rows.is_key(keys & rows.columns);
}

constexpr Law having_laws[] = {
    {"having_to_where", having_to_where},
    {"having_not_null", having_not_null},
    {"semi_join_below_groups", semi_join_below_groups},
    {"unmatched_groups", unmatched_groups},
    {"count_bounds", count_bounds},
    {"counted_union_to_semi_join", counted_union_to_semi_join},
    {"counted_values_to_semi_join", counted_values_to_semi_join},
};

}  // namespace

std::span<const Law> laws_of_having() { return having_laws; }

}  // namespace trustsql::equiv::checker
