// Aggregates.
#include <algorithm>
#include <cstdlib>

#include "equiv/checker/aggregates.hpp"
#include "equiv/checker/agreement.hpp"
#include "equiv/checker/evaluator.hpp"
#include "equiv/checker/laws.hpp"
#include "equiv/checker/products.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv::checker {

using namespace plan;

namespace {

// Columns of the input in which the rows of a group agree, ignoring the key `without`.
AttributeSet grouping_columns(const Aggregate& aggregate, const GroupKey* without = nullptr) {
  AttributeSet columns;
  for (const auto& key : aggregate.keys) {
    const auto* id = column_id(key.expr);
    if (&key != without && id != nullptr && key.collation == binary_collation) columns.add(*id);
  }
  return columns;
}

// The two aggregates of a change that keeps the operator; nullptr if one of them is another operator.
struct Both {
  const Aggregate* before = nullptr;
  const Aggregate* after = nullptr;

  Both(const Rel& a, const Rel& b) : before(a.as<Aggregate>()), after(b.as<Aggregate>()) {}
  explicit operator bool() const { return before != nullptr && after != nullptr; }
  bool same_rows_and_keys() const {
    return before->grouped == after->grouped && before->keys == after->keys && *before->input == *after->input;
  }
};

// Whether two calls, of any aggregate, differ at most in filters that are true for each row.
bool equal_without_idle_filters(AggregateCall a, AggregateCall b, const Aggregate& aggregate, const Given& given) {
  const auto non_null = knowledge_of(*aggregate.input, given).non_null;
  for (auto* call : {&a, &b}) {
    if (call->filter && !agree(*call->filter, literal(std::int64_t{1}), true, non_null, given)) return false;
    call->filter = {};
  }
  return a == b;
}

// Whether two calls over the same rows have the same result.
bool same_call(const AggregateCall& a, const AggregateCall& b, const Aggregate& aggregate, const Given& given) {
  if (a == b || (a.id == b.id && equal_without_idle_filters(a, b, aggregate, given))) return true;
  if (!skips_nulls(a) || !skips_nulls(b) || a.id != b.id || a.arguments.size() > 1 || b.arguments.size() > 1)
    return false;
  const auto known = knowledge_of(*aggregate.input, given);
  // SUM of 0s and 1s counts the 1s; over no rows it is NULL.
  if (a.name == "sum" && b.name == "count") {
    Case as_number;
    if (!aggregate.grouped || a.distinct || b.distinct || a.filter || !b.arguments.empty() || !b.filter) return false;
    as_number.branches.push_back({*b.filter, literal(std::int64_t{1}), {}});
    as_number.otherwise = literal(std::int64_t{0});
    return agree(a.arguments.front(), Expr{std::move(as_number)}, false, known.non_null, given);
  }
  const bool extreme = a.name == "min" || a.name == "max";
  const bool distinct = a.distinct && b.distinct;
  if (a.name != b.name || (extreme && a.collation != b.collation)) return false;
  if (a.distinct != b.distinct && !extreme) {
    // DISTINCT is redundant if each value occurs once per group.
    const auto* id = a.distinct && a.collation == binary_collation ? column_id(a.arguments.front()) : nullptr;
    if (id == nullptr) return false;
    auto all = grouping_columns(aggregate);
    all.add(*id);
    if (!known.is_key(all)) return false;
  }
  if (distinct && a.collation != b.collation) return false;
  if (extreme && aggregate.has_bare_columns() &&
      !(a.arguments == b.arguments && a.filter == b.filter && a.distinct == b.distinct))
    return false;
  const auto left = contribution(a);
  const auto right = contribution(b);
  if (a.name == "count" && !distinct) {
    if (agree(is_null(left, true), is_null(right, true), false, known.non_null, given)) return true;
    // Over a left join, all columns that are never NULL in a match have the same count.
    const auto* join = aggregate.input->as<Join>();
    if (join == nullptr || join->type != JoinType::left || a.arguments.empty() || !(a.filter == b.filter) ||
        (a.filter && !is_fixed(*a.filter)))
      return false;
    auto matches = knowledge_of(*join->right, given);
    learn(matches, join->on, given);
    const auto* x = column_id(a.arguments.front());
    if (b.arguments.empty()) {
      // And the same as all rows, if only matches are counted.
      return x != nullptr && matches.columns.contains(*x) && matches.non_null.contains(*x) && a.filter &&
             rejects_nulls(*a.filter, matches.columns, given);
    }
    const auto* y = column_id(b.arguments.front());
    return x != nullptr && y != nullptr && matches.columns.contains(*x) && matches.columns.contains(*y) &&
           matches.non_null.contains(*x) && matches.non_null.contains(*y);
  }
  // AVG and TOTAL of an older SQLite convert their arguments to reals.
  if (a.info != nullptr && a.info->adds_reals && !distinct) {
    const auto real = [](const Expr& value) {
      Cast cast;
      cast.operand = value;
      cast.affinity = Affinity::real;
      return Expr{std::move(cast)};
    };
    return agree(real(left), real(right), false, known.non_null, given);
  }
  return agree(left, right, false, known.non_null, given);
}

bool same_calls(const Change& c) {
  const Both both(c.before, c.after);
  if (!both || !both.same_rows_and_keys()) return false;
  return std::equal(
      both.before->calls.begin(), both.before->calls.end(), both.after->calls.begin(), both.after->calls.end(),
      [&](const AggregateCall& a, const AggregateCall& b) { return same_call(a, b, *both.before, c.given); });
}

// Whether `value` is `call`, which adds up or compares a constant, over the rows of `after`.
bool is_of_constant(const AggregateCall& call, const Expr& value, const Aggregate& after, const Given& given) {
  const auto* constant = call.arguments.size() == 1 ? literal_value(call.arguments.front()) : nullptr;
  if (constant == nullptr || call.filter) return false;
  AttributeSet counts;
  for (const auto& each : after.calls) {
    if (is_plain_count(&each) && each.arguments.empty() && !each.filter) counts.add(each.id);
  }
  const auto* summand = std::get_if<std::int64_t>(constant);
  const bool sums = call.name == "sum" && !call.distinct && summand != nullptr && std::abs(*summand) <= 1000;
  if (!sums && !is_one_of(call.name, {"min", "max"})) return false;
  const auto is_over_rows = [&](const Expr& expr) {
    if (!sums) return expr == call.arguments.front();
    const auto* product = expr.as<Binary>();
    const auto* rows = column_id(product != nullptr ? *product->left : expr);
    const bool times =
        product != nullptr && product->op == ast::BinaryOp::multiply && *product->right == call.arguments.front();
    return rows != nullptr && counts.contains(*rows) && (times || (product == nullptr && *summand == 1));
  };
  if (after.grouped || knowledge_of(*after.input, given).has_rows) return is_over_rows(value);
  // Over no rows it is NULL.
  const auto* choice = value.as<Case>();
  if (choice == nullptr || choice->operand || choice->branches.size() != 1 || !choice->otherwise ||
      !is_over_rows(*choice->otherwise) || !(*choice->branches.front().result == literal({})))
    return false;
  const auto* empty = choice->branches.front().condition->as<Compare>();
  const auto* rows = empty != nullptr ? column_id(*empty->left) : nullptr;
  return rows != nullptr && counts.contains(*rows) && empty->op == CompareOp::equal && empty->how == Comparison{} &&
         *empty->right == literal(std::int64_t{0});
}

bool constant_aggregate(const Change& c) {
  if (c.after.is<Aggregate>()) return same_calls(c);
  const auto* before = c.before.as<Aggregate>();
  const auto* project = c.after.as<Project>();
  const auto* after = project != nullptr ? project->input->as<Aggregate>() : nullptr;
  if (before == nullptr || after == nullptr || before->grouped != after->grouped || !(before->keys == after->keys) ||
      !(*before->input == *after->input))
    return false;
  for (const auto id : outputs(c.before)) {
    const auto* value = item_of(*project, id);
    if (value == nullptr) return false;
    const auto* old = call_of(*before, id);
    if (const auto* same = column_id(*value); same != nullptr && *same == id) {
      const auto* call_after = call_of(*after, id);
      if ((old == nullptr) != (call_after == nullptr) ||
          (old != nullptr && !same_call(*old, *call_after, *before, c.given)))
        return false;
      continue;
    }
    if (old == nullptr) return false;
    if (!before->has_bare_columns() && is_of_constant(*old, *value, *after, c.given)) continue;
    // The call sees only NULLs, or no rows.
    if (!skips_nulls(*old) || !agree(contribution(*old), literal({}), false, {}, c.given)) return false;
    if (before->has_bare_columns() && (old->name == "min" || old->name == "max")) return false;
    if (!(*value == literal(value_over_no_rows(*old)))) return false;
  }
  return true;
}

bool distinct_into_aggregate(const Change& c) {
  const Both both(c.before, c.after);
  const auto* distinct = both ? both.before->input->as<Distinct>() : nullptr;
  if (distinct == nullptr || !distinct->collations.empty() || !(*both.after->input == *distinct->input) ||
      !(both.before->keys == both.after->keys) || both.before->grouped != both.after->grouped ||
      both.before->calls.size() != both.after->calls.size())
    return false;
  const auto keys = grouping_columns(*both.before);
  if (keys.size() != both.before->keys.size() && !both.before->keys.empty() && keys.empty()) return false;
  for (const auto& key : both.before->keys) {
    if (!key.expr.is<plan::Column>() || key.collation != binary_collation) return false;
  }
  const auto others = (output_set(*distinct->input) - keys).to_vector();
  if (others.size() != 1) return false;
  const auto value = column(others.front());
  const auto known = knowledge_of(*distinct, c.given);
  for (std::size_t i = 0; i < both.before->calls.size(); ++i) {
    const auto& a = both.before->calls[i];
    const auto& b = both.after->calls[i];
    const bool counts_rows = a.arguments.empty() && a.name == "count";
    if (!skips_nulls(a) || a.filter || b.filter || a.name != b.name || a.id != b.id || b.arguments.size() != 1 ||
        !(b.arguments.front() == value))
      return false;
    if (counts_rows ? !known.non_null.contains(others.front()) : !(a.arguments.front() == value)) return false;
    const bool extreme = a.name == "min" || a.name == "max";
    if (extreme ? a.collation != b.collation
                : !b.distinct || b.collation != binary_collation || (a.distinct && a.collation != binary_collation))
      return false;
  }
  return true;
}

bool bare_column_to_key(const Change& c) {
  const auto* before = c.before.as<Aggregate>();
  const auto* project = c.after.as<Project>();
  const auto* after = (project != nullptr ? *project->input : c.after).as<Aggregate>();
  if (before == nullptr || after == nullptr || !before->grouped || !after->grouped ||
      !(*before->input == *after->input) || outputs(c.before) != outputs(c.after) ||
      (project != nullptr && !std::all_of(project->items.begin(), project->items.end(),
                                          [](const ProjectItem& i) { return i.is_pass_through(); })))
    return false;
  const auto known = knowledge_of(*before->input, c.given).closure(grouping_columns(*before));
  for (const auto& key : before->keys) {
    const auto* same = key_of(*after, key.id);
    if (same == nullptr || !(*same == key)) return false;
  }
  for (const auto& key : after->keys) {
    if (const auto* old = key_of(*before, key.id)) {
      if (!(*old == key)) return false;
      continue;
    }
    const auto* call = call_of(*before, key.id);
    const auto* id = column_id(key.expr);
    if (call == nullptr || !call->is_bare() || id == nullptr || !(call->arguments.front() == key.expr) ||
        key.collation != binary_collation || !known.contains(*id))
      return false;
  }
  for (const auto& call : after->calls) {
    const auto* old = call_of(*before, call.id);
    if (old == nullptr || !(*old == call)) return false;
  }
  return before->keys.size() + before->calls.size() == after->keys.size() + after->calls.size();
}

bool group_key_reduction(const Change& c) {
  const Both both(c.before, c.after);
  if (!both || c.demand.places || !(both.before->calls == both.after->calls) ||
      both.before->grouped != both.after->grouped || !(*both.before->input == *both.after->input) ||
      both.after->keys.size() + 1 != both.before->keys.size())
    return false;
  const GroupKey* removed_key = nullptr;
  for (const auto& key : both.before->keys) {
    if (key_of(*both.after, key.id) == nullptr) removed_key = &key;
  }
  auto expected = both.before->keys;
  if (removed_key == nullptr) return false;
  expected.erase(expected.begin() + (removed_key - both.before->keys.data()));
  if (!(expected == both.after->keys) || !is_fixed(removed_key->expr)) return false;
  for (const auto& key : expected) {
    if (!(key.expr == removed_key->expr) || key.collation != removed_key->collation) continue;
    const auto to = c.renaming.find(removed_key->id);
    if (to != c.renaming.end() && to->second == key.id) return true;
  }
  if (c.demand.needed.contains(removed_key->id) || expected.empty()) return false;
  const auto known = knowledge_of(*both.before->input, c.given);
  const auto decided = known.closure(grouping_columns(*both.before, removed_key));
  bool fine = true;
  (references(removed_key->expr) & known.columns).for_each([&](AttributeId id) {
    fine = fine && decided.contains(id) &&
           (removed_key->expr.is<plan::Column>() || has_one_spelling(column(id), c.given.attributes));
  });
  return fine;
}

bool duplicate_aggregate(const Change& c) {
  const Both both(c.before, c.after);
  if (!both || c.demand.places || c.renaming.size() != 1 || both.before->has_bare_columns() ||
      both.before->grouped != both.after->grouped || !(both.before->keys == both.after->keys) ||
      !(*both.before->input == *both.after->input))
    return false;
  const auto [removed, kept] = *c.renaming.begin();
  const auto* call = call_of(*both.before, removed);
  const auto* other = call_of(*both.before, kept);
  if (call == nullptr || other == nullptr || call == other || call_of(*both.after, kept) == nullptr) return false;
  auto twin = *other;
  twin.id = call->id;
  auto expected = both.before->calls;
  expected.erase(expected.begin() + (call - both.before->calls.data()));
  const bool fixed = std::all_of(call->arguments.begin(), call->arguments.end(), is_fixed) &&
                     (!call->filter || is_fixed(*call->filter));
  return fixed && twin == *call && expected == both.after->calls;
}

bool aggregate_to_distinct(const Change& c) {
  const auto* aggregate = c.before.as<Aggregate>();
  const auto* distinct = c.after.as<Distinct>();
  const auto* project = distinct != nullptr ? distinct->input->as<Project>() : nullptr;
  if (aggregate == nullptr || project == nullptr || !aggregate->grouped || aggregate->keys.empty() ||
      !aggregate->calls.empty() || !(*project->input == *aggregate->input) ||
      project->items.size() != aggregate->keys.size())
    return false;
  for (std::size_t i = 0; i < aggregate->keys.size(); ++i) {
    const auto& key = aggregate->keys[i];
    const auto collation = distinct->collations.empty() ? binary_collation : distinct->collations[i];
    if (project->items[i].id != key.id || !(project->items[i].expr == key.expr) || collation != key.collation)
      return false;
  }
  return true;
}

// Groups of one row each.
bool group_by_removal(const Change& c) {
  const auto* aggregate = c.before.as<Aggregate>();
  const auto* project = c.after.as<Project>();
  if (aggregate == nullptr || project == nullptr || !aggregate->grouped || !(*project->input == *aggregate->input) ||
      outputs(c.before) != outputs(c.after))
    return false;
  const auto known = knowledge_of(*aggregate->input, c.given);
  if (!known.is_key(grouping_columns(*aggregate))) return false;
  for (const auto& item : project->items) {
    if (const auto* key = key_of(*aggregate, item.id)) {
      if (!(item.expr == key->expr)) return false;
      continue;
    }
    const auto* call = call_of(*aggregate, item.id);
    if (call == nullptr || call->filter) return false;
    Expr expected = call->arguments.empty() ? literal(std::int64_t{1}) : call->arguments.front();
    if (call->name == "count" && !call->arguments.empty()) expected = is_null(expected, true);
    const bool known_value =
        call->is_bare() || is_one_of(call->name, {"count", "min", "max"}) ||
        (call->name == "sum" &&
         possible_types(expected, c.given.attributes, {}).without_null().is_subset_of(types::integer));
    if (!known_value || !agree(item.expr, expected, false, known.non_null, c.given)) return false;
  }
  return true;
}

// MIN and MAX of columns that conditions make constant.
bool pinned_extremes(const Aggregate& before, const Aggregate& after, const Given& given) {
  return before.grouped == after.grouped && before.keys == after.keys && *before.input == *after.input &&
         !before.has_bare_columns() &&
         std::equal(before.calls.begin(), before.calls.end(), after.calls.begin(), after.calls.end(),
                    [&](AggregateCall a, const AggregateCall& b) {
                      if (a == b) return true;
                      const auto* id = a.arguments.size() == 1 ? column_id(a.arguments.front()) : nullptr;
                      if (id == nullptr || !is_one_of(a.name, {"min", "max"}) || b.arguments.size() != 1 ||
                          !is_pinned(*id, b.arguments.front(), *before.input, given))
                        return false;
                      a.arguments = b.arguments;
                      return a == b;
                    });
}

// Keys and extremes that conditions make constant.
bool pinned_column(const Change& c) {
  const auto* before = c.before.as<Aggregate>();
  const auto* project = c.after.as<Project>();
  const auto* after = (project != nullptr ? *project->input : c.after).as<Aggregate>();
  if (before == nullptr || after == nullptr) return false;
  if (project == nullptr) return pinned_extremes(*before, *after, c.given);
  const auto names = renaming_of_copy(*before->input, *after->input);
  if (!names || !before->grouped || before->has_bare_columns()) return false;
  Aggregate expected = *before;
  std::erase_if(expected.keys, [&](const GroupKey& key) {
    const auto* value = item_of(*project, key.id);
    return value != nullptr && key.expr == column(key.id) && key.collation == binary_collation &&
           is_pinned(key.id, *value, *before->input, c.given);
  });
  const auto kept = [&](AttributeId id) { return key_of(expected, id) != nullptr || call_of(expected, id) != nullptr; };
  const bool fits = std::all_of(project->items.begin(), project->items.end(), [&](const ProjectItem& item) {
    return item.is_pass_through() ? kept(item.id) : item.expr.is<Literal>() && !kept(item.id);
  });
  Rel renamed{std::move(expected)};
  rename(renamed, *names);
  return fits && renamed == *project->input;
}

bool constant_key_removal(const Change& c) {
  const auto* before = c.before.as<Aggregate>();
  const auto* project = c.after.as<Project>();
  const auto* after = project != nullptr ? project->input->as<Aggregate>() : nullptr;
  if (before == nullptr || after == nullptr || !(before->calls == after->calls) || before->grouped != after->grouped ||
      !before->grouped || !(*before->input == *after->input) || outputs(c.before) != outputs(c.after))
    return false;
  for (const auto& item : project->items) {
    const auto* key = key_of(*before, item.id);
    const auto* key_after = key_of(*after, item.id);
    if (key != nullptr && key_after == nullptr) {
      if (!key->expr.is<Literal>() || !(item.expr == key->expr)) return false;
    } else if (!item.is_pass_through() || (key != nullptr && !(*key == *key_after))) {
      return false;
    }
  }
  return true;
}

bool single_group(const Change& c) {
  const Both both(c.before, c.after);
  return both && both.before->grouped && !both.after->grouped && both.before->keys.empty() &&
         both.after->keys.empty() && both.before->calls == both.after->calls &&
         *both.before->input == *both.after->input && knowledge_of(*both.before->input, c.given).has_rows;
}

constexpr Law group_laws[] = {

    {"aggregate_filter", same_calls},
    {"count_simplification", same_calls},
    {"constant_aggregate", constant_aggregate},
    {"distinct_into_aggregate", distinct_into_aggregate},
    {"bare_column_to_key", bare_column_to_key},
    {"group_key_reduction", group_key_reduction},
    {"duplicate_aggregate", duplicate_aggregate},
    {"aggregate_to_distinct", aggregate_to_distinct},
    {"group_by_removal", group_by_removal},
    {"pinned_column", pinned_column},
    {"constant_key_removal", constant_key_removal},
    {"single_group", single_group},
};

}  // namespace

std::span<const Law> laws_of_groups() { return group_laws; }

}  // namespace trustsql::equiv::checker
