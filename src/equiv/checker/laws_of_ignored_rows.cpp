// Rows that aggregates do not use: conditions in FILTER, on the rows, and on the matches of a join.
#include <algorithm>

#include "equiv/checker/aggregates.hpp"
#include "equiv/checker/agreement.hpp"
#include "equiv/checker/evaluator.hpp"
#include "equiv/checker/laws.hpp"
#include "equiv/checker/products.hpp"
#include "equiv/checker/uses.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv::checker {

using namespace plan;

namespace {

bool are_fixed(const std::vector<Expr>& conditions) {
  return std::none_of(conditions.begin(), conditions.end(), [](const Expr& each) { return is_volatile(each); });
}

// Whether equal values of each key are the same in every respect.
bool has_keys_of_one_form(const Aggregate& aggregate, const Given& given) {
  return std::all_of(aggregate.keys.begin(), aggregate.keys.end(), [&](const GroupKey& key) {
    return key.collation == binary_collation && has_one_spelling(key.expr, given.attributes);
  });
}

// Whether no group without contributions satisfies all conditions.
bool drop_empty_groups(const std::vector<Expr>& conditions, const Aggregate& aggregate, const Given& given) {
  return std::any_of(conditions.begin(), conditions.end(), [&](const Expr& condition) {
    Expr over_nothing = condition;
    std::vector<std::pair<AttributeId, Expr>> values;
    for (const auto& call : aggregate.calls) values.emplace_back(call.id, literal(value_over_no_rows(call)));
    substitute(over_nothing, [&](AttributeId id) -> const Expr* {
      const auto found = std::find_if(values.begin(), values.end(), [&](const auto& each) { return each.first == id; });
      return found != values.end() ? &found->second : nullptr;
    });
    return !is_volatile(over_nothing) && agree(over_nothing, literal(std::int64_t{0}), true, {}, given);
  });
}

// What is below the filters of a relation, and their conditions.
struct FilteredRows {
  const Rel* rows = nullptr;
  std::vector<Expr> conditions{};

  explicit FilteredRows(const Rel& rel) : rows(&rel) {
    while (const auto* filter = rows->as<Filter>()) {
      conditions.insert(conditions.end(), filter->conjuncts.begin(), filter->conjuncts.end());
      rows = filter->input.get();
    }
  }
};

void add_terms(const Expr& condition, std::vector<Expr>& terms) {
  if (const auto* all = condition.as<And>()) {
    for (const auto& term : all->terms) add_terms(term, terms);
  } else {
    terms.push_back(condition);
  }
}

// The conditions in the FILTER of the call.
std::vector<Expr> filter_of(const AggregateCall& call) {
  std::vector<Expr> terms;
  if (call.filter) add_terms(*call.filter, terms);
  return terms;
}

bool contains_all(const std::vector<Expr>& list, const std::vector<Expr>& others) {
  return std::all_of(others.begin(), others.end(),
                     [&](const Expr& each) { return std::find(list.begin(), list.end(), each) != list.end(); });
}

// A FILTER of all aggregates becomes a condition on the rows.
bool common_filter(const Change& c) {
  const auto* before = unfiltered(c.before).as<Aggregate>();
  const auto* after = unfiltered(c.after).as<Aggregate>();
  if (before == nullptr || after == nullptr || !(conditions_of(c.before) == conditions_of(c.after)) ||
      before->grouped != after->grouped || !(before->keys == after->keys) ||
      before->calls.size() != after->calls.size() ||
      !std::all_of(before->calls.begin(), before->calls.end(), skips_nulls))
    return false;
  const FilteredRows rows(*before->input);
  const FilteredRows rows_after(*after->input);
  auto added = difference(rows_after.conditions, rows.conditions);
  if (!added || !(*rows.rows == *rows_after.rows) || !are_fixed(*added)) return false;
  for (std::size_t i = 0; i < before->calls.size(); ++i) {
    std::vector<Expr> all;
    for (const auto& condition : *added) add_terms(condition, all);
    for (auto& condition : filter_of(after->calls[i])) all.push_back(std::move(condition));
    const auto own = filter_of(before->calls[i]);
    auto same = after->calls[i];
    same.filter = before->calls[i].filter;
    if (!(same == before->calls[i]) || !contains_all(own, all) || !contains_all(all, own)) return false;
  }
  return !before->grouped ||
         (has_keys_of_one_form(*before, c.given) && drop_empty_groups(conditions_of(c.before), *before, c.given));
}

// Whether `b` over all rows has the result of `a` over those for which the conditions are true.
bool is_call_over_fewer_rows(const AggregateCall& a, const AggregateCall& b, const std::vector<Expr>& conditions,
                             const AttributeSet& non_null, const Given& given) {
  if (!skips_nulls(a) || !skips_nulls(b) || a.id != b.id || a.name != b.name || a.distinct != b.distinct ||
      a.collation != b.collation || a.arguments.size() > 1 || b.arguments.size() > 1)
    return false;
  Case choice;
  choice.branches.push_back({conjunction(conditions), contribution(a), {}});
  const Expr left{std::move(choice)};
  const auto right = contribution(b);
  if (is_volatile(left) || is_volatile(right)) return false;
  if (a.name == "count" && !a.distinct) return agree(is_null(left), is_null(right), false, non_null, given);
  return agree(left, right, false, non_null, given);
}

// Conditions on rows that the aggregates do not use anyway.
bool ignored_nulls(const Change& c) {
  const auto* before = c.before.as<Aggregate>();
  const auto* after = c.after.as<Aggregate>();
  if (before == nullptr || after == nullptr || before->grouped || after->grouped || !before->keys.empty() ||
      !after->keys.empty() || before->calls.size() != after->calls.size())
    return false;
  // The condition is removed, or added.
  for (const bool removed : {true, false}) {
    const auto& fewer = removed ? *before : *after;
    const auto& all = removed ? *after : *before;
    std::vector<const Rel*> leaves;
    std::vector<const Rel*> leaves_of_all;
    std::vector<Expr> of_fewer;
    std::vector<Expr> of_all;
    split_product(*fewer.input, leaves, of_fewer);
    split_product(*all.input, leaves_of_all, of_all);
    const auto conditions = difference(of_fewer, of_all);
    if (!conditions || conditions->empty() || !are_equal(leaves, leaves_of_all) || !are_fixed(*conditions)) continue;
    const auto known = knowledge_of(*all.input, c.given).non_null;
    bool same = true;
    for (std::size_t i = 0; i < fewer.calls.size(); ++i)
      same = same && is_call_over_fewer_rows(fewer.calls[i], all.calls[i], *conditions, known, c.given);
    if (same) return true;
  }
  return false;
}

// A FILTER on the matches of a left join becomes a condition of the join.
bool filter_of_matches(const Change& c) {
  const auto* before = c.before.as<Aggregate>();
  const auto* after = c.after.as<Aggregate>();
  if (before == nullptr || after == nullptr || before->grouped != after->grouped || !(before->keys == after->keys) ||
      before->calls.size() != after->calls.size())
    return false;
  const auto* join = before->input->as<Join>();
  const auto* joined = after->input->as<Join>();
  if (join == nullptr || joined == nullptr || join->type != JoinType::left || joined->type != JoinType::left ||
      !(*join->left == *joined->left) || !(*join->right == *joined->right))
    return false;
  const auto added = difference(joined->on, join->on);
  if (!added || added->empty() || !std::all_of(added->begin(), added->end(), is_fixed)) return false;
  const auto right = output_set(*join->right);
  if (std::any_of(before->keys.begin(), before->keys.end(),
                  [&](const GroupKey& key) { return references(key.expr).intersects(right) || !is_fixed(key.expr); }))
    return false;
  // Nothing comes from the row without a match.
  const auto is_null_without_match = [&](const AggregateCall& call) {
    Expr value = contribution(call);
    const Expr null = literal({});
    substitute(value, [&](AttributeId id) { return right.contains(id) ? &null : nullptr; });
    return agree(value, null, false, {}, c.given);
  };
  for (std::size_t i = 0; i < before->calls.size(); ++i) {
    const auto& a = before->calls[i];
    const auto& b = after->calls[i];
    if (!is_call_over_fewer_rows(b, a, *added, {}, c.given) || !is_null_without_match(a) || !is_null_without_match(b))
      return false;
  }
  return true;
}

// Rows that are looked up for matches are joined with them: the aggregates use no others.
bool joined_matches(const Change& c) {
  const auto* before = c.before.as<Aggregate>();
  const auto* after = c.after.as<Aggregate>();
  const auto* join = before != nullptr ? before->input->as<Join>() : nullptr;
  const auto* joined = after != nullptr ? after->input->as<Join>() : nullptr;
  if (join == nullptr || joined == nullptr || before->grouped != after->grouped || !(before->keys == after->keys) ||
      !(before->calls == after->calls) || !nests_matches(*join, *joined, c.given))
    return false;
  const auto looked_up = output_set(*joined->right);
  const auto last = output_set(*join->right);
  return std::none_of(
             before->keys.begin(), before->keys.end(),
             [&](const GroupKey& key) { return references(key.expr).intersects(looked_up) || !is_fixed(key.expr); }) &&
         std::all_of(before->calls.begin(), before->calls.end(), [&](const AggregateCall& call) {
           return skips_nulls(call) && ignores_row_of_nulls(call, last, c.given);
         });
}

// Aggregates over the set of rows on the left of a left join, and others over their matches.
bool scalars_of_left_join(const Change& c) {
  const auto* before = c.before.as<Aggregate>();
  const auto* project = c.after.as<Project>();
  const auto* product = (project != nullptr ? *project->input : c.after).as<Join>();
  const auto* join = before != nullptr ? before->input->as<Join>() : nullptr;
  if (join == nullptr || product == nullptr || before->grouped || !before->keys.empty() ||
      join->type != JoinType::left || product->type != JoinType::inner || !product->on.empty() ||
      is_volatile(c.before) || outputs(c.before) != outputs(c.after) ||
      (project != nullptr && !std::all_of(project->items.begin(), project->items.end(),
                                          [](const ProjectItem& item) { return item.is_pass_through(); })))
    return false;
  const auto* of_rows = product->left->as<Aggregate>();
  const auto* of_matches = product->right->as<Aggregate>();
  if (of_rows == nullptr || of_matches == nullptr || of_rows->grouped || of_matches->grouped) return false;
  const auto renaming = renaming_of_copy(*join->left, *of_rows->input);
  if (!renaming) return false;
  Rel copy = *join->left;
  rename(copy, *renaming);
  if (!(copy == *of_rows->input) ||
      !(*of_matches->input == Rel{Join{JoinType::inner, join->left, join->right, join->on}}) ||
      of_rows->calls.size() + of_matches->calls.size() != before->calls.size())
    return false;
  const auto left = output_set(*join->left);
  const auto right = output_set(*join->right);
  return std::all_of(before->calls.begin(), before->calls.end(), [&](AggregateCall call) {
    if (!skips_nulls(call)) return false;
    const auto same = [&](const AggregateCall& other) { return other == call; };
    if (std::any_of(of_matches->calls.begin(), of_matches->calls.end(), same))
      return ignores_row_of_nulls(call, right, c.given);
    const auto added = contribution(call);
    const bool ignores_repetitions = call.distinct || call.name == "min" || call.name == "max";
    for (auto& argument : call.arguments) rename(argument, *renaming);
    if (call.filter) rename(*call.filter, *renaming);
    return ignores_repetitions && is_fixed(added) && references(added).is_subset_of(left) &&
           std::any_of(of_rows->calls.begin(), of_rows->calls.end(), same);
  });
}

// A sum of truth values becomes a count, which is NULL over no rows.
bool sum_of_conditions(const Change& c) {
  const auto* before = c.before.as<Aggregate>();
  const auto* project = c.after.as<Project>();
  const auto* after = project != nullptr ? project->input->as<Aggregate>() : nullptr;
  if (before == nullptr || after == nullptr || before->grouped || after->grouped || before->has_bare_columns() ||
      after->has_bare_columns() || !(*before->input == *after->input) || outputs(c.before) != outputs(c.after))
    return false;
  const auto known = knowledge_of(*before->input, c.given).non_null;
  const auto counts = [](const AggregateCall& call) {
    return call.name == "count" && call.info != nullptr && call.arguments.empty() && !call.distinct;
  };
  // NULL if there are no rows, otherwise the number of matches.
  const auto is_sum = [&](const AggregateCall& sum, const Expr& value) {
    const auto* choice = value.as<Case>();
    const bool chooses = choice != nullptr && !choice->operand && choice->branches.size() == 1 && choice->otherwise &&
                         is_null_literal(*choice->branches.front().result);
    const auto* test = chooses ? choice->branches.front().condition->as<Compare>() : nullptr;
    const auto* of_rows = test != nullptr ? column_id(*test->left) : nullptr;
    const auto* of_matches = test != nullptr ? column_id(*choice->otherwise) : nullptr;
    const auto* rows = of_rows != nullptr ? call_of(*after, *of_rows) : nullptr;
    const auto* matches = of_matches != nullptr ? call_of(*after, *of_matches) : nullptr;
    if (rows == nullptr || matches == nullptr || !counts(*rows) || rows->filter || !counts(*matches) ||
        !matches->filter)
      return false;
    Case summand;
    summand.branches.push_back({*matches->filter, literal(std::int64_t{1}), {}});
    summand.otherwise = literal(std::int64_t{0});
    return *test == *compare(CompareOp::equal, column(rows->id), literal(std::int64_t{0})).as<Compare>() &&
           !is_volatile(sum.arguments.front()) &&
           agree(sum.arguments.front(), Expr{std::move(summand)}, false, known, c.given);
  };
  return std::all_of(before->calls.begin(), before->calls.end(), [&](const AggregateCall& call) {
    const auto* value = item_of(*project, call.id);
    if (value == nullptr) return false;
    if (*value == column(call.id)) {
      const auto* same = call_of(*after, call.id);
      return same != nullptr && *same == call;
    }
    return call.name == "sum" && call.info != nullptr && !call.distinct && !call.filter && call.arguments.size() == 1 &&
           is_sum(call, *value);
  });
}

// x, if `expr` is coalesce(x, 0).
const Expr* replaced_by_zero(const Expr& expr) {
  const auto* function = expr.as<Function>();
  const bool fits = function != nullptr && function->info != nullptr &&
                    is_one_of(function->name, {"coalesce", "ifnull"}) && function->arguments.size() == 2 &&
                    function->arguments.back() == literal(std::int64_t{0});
  return fits ? &function->arguments.front() : nullptr;
}

// Whether each row adds to `sum` what it adds to `count`, or NULL instead of 0.
bool counts_what_it_adds(const AggregateCall& sum, const AggregateCall& count, const Aggregate& aggregate,
                         const Given& given) {
  if (sum.name != "sum" || sum.info == nullptr || sum.distinct || sum.arguments.size() != 1 ||
      !is_plain_count(&count) || !count.arguments.empty())
    return false;
  const Expr added = contribution(sum);
  if (!is_fixed(added)) return false;
  Case or_zero;
  or_zero.branches.push_back({is_null(added), literal(std::int64_t{0}), {}});
  or_zero.otherwise = added;
  Case counted;
  counted.branches.push_back({count.filter ? *count.filter : literal(std::int64_t{1}), literal(std::int64_t{1}), {}});
  counted.otherwise = literal(std::int64_t{0});
  return agree(Expr{std::move(or_zero)}, Expr{std::move(counted)}, false,
               knowledge_of(*aggregate.input, given).non_null, given);
}

// Whether `rows` is not 0 over a left join whose rows have a match, and `count` counts none of the others.
bool counts_only_matches(const AggregateCall& rows, const AggregateCall& count, const Rel& input, const Given& given) {
  const auto* join = input.as<Join>();
  const auto* id = column_id(rows.arguments.front());
  if (join == nullptr || join->type != JoinType::left || id == nullptr) return false;
  auto matches = knowledge_of(*join->right, given);
  learn(matches, join->on, given);
  return matches.columns.contains(*id) && matches.non_null.contains(*id) &&
         ignores_row_of_nulls(count, output_set(*join->right), given);
}

// Whether `value` is NULL if a count of `groups` is 0, and `count` otherwise, which is 0 then.
bool is_count_or_null(const Expr& value, const AggregateCall& count, const Aggregate& groups, const Given& given) {
  if (count.name != "count" || count.info == nullptr) return false;
  return std::any_of(groups.calls.begin(), groups.calls.end(), [&](const AggregateCall& rows) {
    if (!is_plain_count(&rows) || rows.filter ||
        (!rows.arguments.empty() && !counts_only_matches(rows, count, *groups.input, given)))
      return false;
    Case choice;
    choice.branches.push_back({compare(CompareOp::equal, column(rows.id), literal(std::int64_t{0})), literal({}), {}});
    choice.otherwise = column(count.id);
    return value == Expr{std::move(choice)};
  });
}

// Whether the condition on groups compares a count instead of a value that is NULL instead of 0, neither of which makes
// it true.
bool compares_count(const Expr& before, const Expr& after, const Aggregate& groups, const Given& given) {
  const auto* old = before.as<Compare>();
  const auto* now = after.as<Compare>();
  const auto* id = now != nullptr ? column_id(*now->left) : nullptr;
  const auto* count = id != nullptr ? call_of(groups, *id) : nullptr;
  if (old == nullptr || count == nullptr || !now->right->is<Literal>() || old->op != now->op ||
      old->op == CompareOp::is || old->op == CompareOp::is_not || !(old->how == now->how) ||
      !(*old->right == *now->right) || !is_count_or_null(*old->left, *count, groups, given))
    return false;
  Evaluator evaluator(given.attributes);
  evaluator.enter_world(0);
  evaluator.assign(*id, ValueView::of_integer(0));
  return evaluator.truth(after) != Truth::yes;
}

bool coalesced_count(const Change& c) {
  const auto* project = c.before.as<Project>();
  const auto* filter = c.before.as<Filter>();
  const auto* project_after = c.after.as<Project>();
  const Rel& rest = filter != nullptr ? below_renamings(c.after) : c.after;
  const auto* filter_after = rest.as<Filter>();
  if ((project == nullptr || project_after == nullptr) && (filter == nullptr || filter_after == nullptr)) return false;
  const Rel& input = filter != nullptr ? *filter->input : *project->input;
  const Rel& input_after = filter != nullptr ? *filter_after->input : *project_after->input;
  const auto* groups = input_after.as<Aggregate>();
  if (groups == nullptr || !adds_calls(input, input_after) || groups->has_bare_columns() ||
      outputs(c.before) != outputs(c.after))
    return false;
  const auto coalesced = [&](const Expr& a, const Expr& b) -> std::optional<bool> {
    const auto* value = replaced_by_zero(a);
    const auto* id = column_id(b);
    const auto* count = id != nullptr ? call_of(*groups, *id) : nullptr;
    if (value == nullptr || count == nullptr) return std::nullopt;
    const auto* sum = column_id(*value);
    if (sum == nullptr) return is_count_or_null(*value, *count, *groups, c.given);
    const auto* call = call_of(*groups, *sum);
    return call != nullptr && counts_what_it_adds(*call, *count, *groups, c.given);
  };
  if (project != nullptr) return same_expressions(c.before, c.after, coalesced);
  const auto alone = [](const Expr& condition) { return Rel{Filter{Rel{Values{}}, {condition}}}; };
  return std::equal(filter->conjuncts.begin(), filter->conjuncts.end(), filter_after->conjuncts.begin(),
                    filter_after->conjuncts.end(), [&](const Expr& a, const Expr& b) {
                      return compares_count(a, b, *groups, c.given) || same_expressions(alone(a), alone(b), coalesced);
                    });
}

constexpr Law ignored_row_laws[] = {
    {"common_filter", common_filter},
    {"ignored_nulls", ignored_nulls},
    {"filter_of_matches", filter_of_matches},
    {"sum_of_conditions", sum_of_conditions},
    {"coalesced_count", coalesced_count},
    {"joined_matches", joined_matches},
    {"scalars_of_left_join", scalars_of_left_join},
};

}  // namespace

std::span<const Law> laws_of_ignored_rows() { return ignored_row_laws; }

}  // namespace trustsql::equiv::checker
