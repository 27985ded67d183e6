// Aggregates: the same groups, and the same calls over them.
#include <algorithm>

#include "equiv/prover/unifier.hpp"
#include "plan/dependencies.hpp"
#include "plan/types.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv {

using namespace plan;

namespace {

bool is_min_or_max(const AggregateCall& call) { return call.name == "min" || call.name == "max"; }

// Whether the call does not depend on the number of duplicates of a row.
bool ignores_duplicates(const AggregateCall& call) { return is_min_or_max(call) || call.distinct; }

bool all_ignore_duplicates(const Aggregate& aggregate) {
  return !aggregate.has_bare_columns() &&
         std::all_of(aggregate.calls.begin(), aggregate.calls.end(), ignores_duplicates);
}

std::vector<AttributeId> outputs_of(const Aggregate& aggregate) {
  std::vector<AttributeId> ids;
  for (const auto& key : aggregate.keys) ids.push_back(key.id);
  for (const auto& call : aggregate.calls) ids.push_back(call.id);
  return ids;
}

}  // namespace

bool Unifier::match(const Aggregate& to, const Aggregate& from, Then then) {
  if (to.grouped != from.grouped) return false;
  const bool by_bags = attempt([&] {
    return bags(*to.input, *from.input, [&] {
      return attempt([&] {
        auto given = context(*to.input);
        return match_groups(given, to, from) && then();
      });
    });
  });
  if (by_bags) return true;
  return attempt([&] { return match_groups_as_sets(to, from) && then(); });
}

bool Unifier::match_groups(Context& given, const Aggregate& to, const Aggregate& from) {
  const auto facts = facts_of(*to.input, plan_);
  struct Key {
    AttributeId id;
    const Expr* expr;
  };
  const auto keys_of = [&](const Aggregate& aggregate) {
    std::vector<Key> keys;
    for (const auto& key : aggregate.keys) keys.push_back({key.id, &apply(key.expr)});
    return keys;
  };
  const auto is_binary = [](const Aggregate& aggregate) {
    return std::all_of(aggregate.keys.begin(), aggregate.keys.end(),
                       [](const GroupKey& key) { return key.collation == binary_collation; });
  };
  if (!is_binary(to) || !is_binary(from)) return false;
  const auto to_keys = keys_of(to);
  const auto from_keys = keys_of(from);
  const auto find_same = [&](const Expr& expr, const std::vector<Key>& keys) {
    return std::find_if(keys.begin(), keys.end(), [&](const Key& key) { return given.same(*key.expr, expr); });
  };
  const auto closure_of = [&](const std::vector<Key>& keys) {
    AttributeSet columns;
    for (const auto& key : keys) {
      if (const auto* id = column_id(*key.expr)) columns.add(*id);
    }
    return closure(columns, facts);
  };
  const auto determined = [&](const Expr& expr, const std::vector<Key>& keys, const AttributeSet& closed) {
    if (find_same(expr, keys) != keys.end() || given.constant(expr) != nullptr) return true;
    if (is_volatile(expr) || has_subquery(expr)) return false;
    // Values that are equal but not identical may give different results.
    bool identical = true;
    const auto used = references(expr);
    if (!expr.is<plan::Column>())
      used.for_each([&](AttributeId id) { identical = identical && equal_is_identical(column(id), plan_); });
    return identical && used.is_subset_of(closed);
  };
  const auto to_closure = closure_of(to_keys);
  const auto from_closure = closure_of(from_keys);
  for (const auto& key : to_keys) {
    if (!determined(*key.expr, from_keys, from_closure)) return false;
  }
  for (const auto& key : from_keys) {
    if (!determined(*key.expr, to_keys, to_closure)) return false;
  }
  std::vector<std::pair<AttributeId, const Expr*>> bound;
  const auto to_column = [&](AttributeId id) { return &bindings_.keep(column(id)); };
  // A value that is constant within a group: a key, a constant, or a column that the keys determine.
  std::vector<std::pair<const Expr*, AttributeId>> others;
  for (const auto& call : to.calls) {
    if (call.is_bare()) others.emplace_back(&apply(call.arguments.front()), call.id);
  }
  const auto bind_value = [&](AttributeId id, const Expr& expr) {
    if (const auto found = find_same(expr, to_keys); found != to_keys.end()) {
      bound.emplace_back(id, to_column(found->id));
      return true;
    }
    for (const auto& [other, as] : others) {
      if (!given.same(*other, expr)) continue;
      bound.emplace_back(id, to_column(as));
      return true;
    }
    if (const auto* value = given.constant(expr); value != nullptr && to.grouped) {
      bound.emplace_back(id, &bindings_.keep(literal(*value)));
      return true;
    }
    if (!determined(expr, to_keys, to_closure) || !to.grouped) return false;
    const auto fresh = plan_.add_attribute_like(id);
    others.emplace_back(&expr, fresh);
    bound.emplace_back(id, to_column(fresh));
    return true;
  };
  for (const auto& key : from_keys) {
    if (!bind_value(key.id, *key.expr)) return false;
  }
  for (const auto& call : from.calls) {
    if (call.is_bare()) {
      if (!bind_value(call.id, apply(call.arguments.front()))) return false;
      continue;
    }
    const auto found = std::find_if(to.calls.begin(), to.calls.end(),
                                    [&](const AggregateCall& other) { return same_call(given, other, call); });
    if (found != to.calls.end()) {
      bound.emplace_back(call.id, to_column(found->id));
    } else if (is_min_or_max(call) && !call.filter && to.grouped &&
               bind_value(call.id, apply(call.arguments.front()))) {
      // The minimum of identical values.
    } else {
      return false;
    }
  }
  close_columns(outputs_of(to));
  for (const auto& [id, expr] : bound) bindings_.bind(id, *expr);
  return true;
}

bool Unifier::same_call(Context& given, const AggregateCall& to, const AggregateCall& from) {
  if (to.is_bare() || from.is_bare()) return false;
  if (to.name != from.name) return false;
  const bool extreme = is_min_or_max(to);
  if (!extreme && to.distinct != from.distinct) return false;
  if ((extreme || to.distinct) && to.collation != from.collation) return false;
  if (static_cast<bool>(to.filter) != static_cast<bool>(from.filter)) return false;
  if (to.filter && !given.same_truth(apply(*to.filter), apply(*from.filter))) return false;
  if (to.order_by.size() != from.order_by.size()) return false;
  for (std::size_t i = 0; i < to.order_by.size(); ++i) {
    const auto& a = to.order_by[i];
    const auto& b = from.order_by[i];
    if (a.descending != b.descending || a.nulls_first != b.nulls_first || a.collation != b.collation ||
        !same(given, a.expr, b.expr))
      return false;
  }
  if (to.name == "count" && !to.distinct) {
    // COUNT(x), where x is never NULL, counts rows.
    const auto counts_rows = [&](const AggregateCall& call) {
      return call.arguments.empty() || given.non_null(apply(call.arguments.front()));
    };
    if (counts_rows(to) && counts_rows(from)) return true;
    if (counts_rows(to) || counts_rows(from)) return false;
  }
  if (to.arguments.size() != from.arguments.size()) return false;
  for (std::size_t i = 0; i < to.arguments.size(); ++i) {
    if (!same(given, to.arguments[i], from.arguments[i])) return false;
  }
  return true;
}

// If no call depends on duplicates, the inputs only need to be the same as sets of what keys and calls use.
bool Unifier::match_groups_as_sets(const Aggregate& to, const Aggregate& from) {
  if (!all_ignore_duplicates(to) || !all_ignore_duplicates(from)) return false;
  if (to.keys.size() != from.keys.size() || to.calls.size() != from.calls.size()) return false;
  Columns to_columns;
  Columns from_columns;
  const auto add = [&](const Expr& a, const Expr& b) {
    const auto as_column = [&](const Expr& expr) {
      if (const auto* id = column_id(expr)) return *id;
      const auto id = plan_.add_attribute({.name = "", .types = types_of(expr, plan_, {})});
      bindings_.define(id, expr);
      return id;
    };
    to_columns.push_back(as_column(a));
    from_columns.push_back(as_column(b));
  };
  for (std::size_t i = 0; i < to.keys.size(); ++i) {
    if (to.keys[i].collation != binary_collation || from.keys[i].collation != binary_collation) return false;
    add(to.keys[i].expr, from.keys[i].expr);
  }
  for (std::size_t i = 0; i < to.calls.size(); ++i) {
    const auto& a = to.calls[i];
    const auto& b = from.calls[i];
    if (a.name != b.name || a.distinct != b.distinct || a.filter || b.filter || !a.order_by.empty() ||
        !b.order_by.empty())
      return false;
    if (a.collation != b.collation || a.arguments.size() != b.arguments.size()) return false;
    for (std::size_t k = 0; k < a.arguments.size(); ++k) add(a.arguments[k], b.arguments[k]);
  }
  if (!sets(*to.input, to_columns, *from.input, from_columns, true)) return false;
  close_columns(outputs_of(to));
  for (std::size_t i = 0; i < to.keys.size(); ++i) bindings_.bind(from.keys[i].id, to.keys[i].id);
  for (std::size_t i = 0; i < to.calls.size(); ++i) bindings_.bind(from.calls[i].id, to.calls[i].id);
  return true;
}

}  // namespace trustsql::equiv
