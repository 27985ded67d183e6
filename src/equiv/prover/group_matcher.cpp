#include "equiv/prover/group_matcher.hpp"

#include <algorithm>

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

bool has_binary_keys(const Aggregate& aggregate) {
  return std::all_of(aggregate.keys.begin(), aggregate.keys.end(),
                     [](const GroupKey& key) { return key.collation == binary_collation; });
}

Columns outputs_of(const Aggregate& aggregate) {
  Columns ids;
  for (const auto& key : aggregate.keys) ids.push_back(key.id);
  for (const auto& call : aggregate.calls) ids.push_back(call.id);
  return ids;
}

// Pairs the groups, keys and calls of two aggregates whose inputs correspond.
class GroupPairing {
 public:
  // `given`: what holds for the rows of the input of `to`.
  GroupPairing(SearchState& state, ConditionSolver& given, const Aggregate& to, const Aggregate& from)
      : state_(state), given_(given), to_(to), from_(from), facts_(facts_of(*to.input, state.plan())) {}

  // Binds the attributes of `from` to those of `to`. Returns false, and binds nothing, if the rows do not correspond.
  bool bind() {
    if (!has_binary_keys(to_) || !has_binary_keys(from_)) return false;
    to_keys_ = keys_of(to_);
    from_keys_ = keys_of(from_);
    if (!same_groups() || !pair_keys() || !pair_calls()) return false;
    state_.close_columns(outputs_of(to_));
    for (const auto& [id, expr] : bound_) state_.bindings().bind(id, *expr);
    return true;
  }

 private:
  struct Key {
    AttributeId id;
    const Expr* expr;
  };
  struct Keys {
    std::vector<Key> list;
    AttributeSet closure{};  // the columns that the keys determine
  };
  // A value that all rows of a group share, and the attribute of `to` for it.
  struct GroupValue {
    const Expr* expr;
    AttributeId id;
  };

  Keys keys_of(const Aggregate& aggregate) {
    Keys keys;
    for (const auto& key : aggregate.keys) keys.list.push_back({key.id, &state_.apply(key.expr)});
    return keys;
  }

  // --- match

  bool same_groups() {
    for (auto* keys : {&to_keys_, &from_keys_}) {
      AttributeSet columns;
      for (const auto& key : keys->list) {
        if (const auto* id = column_id(*key.expr)) columns.add(*id);
      }
      keys->closure = closure(columns, facts_);
    }
    const auto determined = [&](const Keys& keys, const Keys& by) {
      return std::all_of(keys.list.begin(), keys.list.end(),
                         [&](const Key& key) { return is_determined(*key.expr, by); });
    };
    return determined(to_keys_, from_keys_) && determined(from_keys_, to_keys_);
  }

  const Key* find_same(const Expr& expr, const Keys& keys) {
    const auto same =
        std::find_if(keys.list.begin(), keys.list.end(), [&](const Key& key) { return given_.same(*key.expr, expr); });
    return same != keys.list.end() ? &*same : nullptr;
  }

  // Whether rows that agree in the keys agree in `expr`.
  bool is_determined(const Expr& expr, const Keys& keys) {
    if (find_same(expr, keys) != nullptr || given_.constant(expr) != nullptr) return true;
    if (is_volatile(expr) || has_subquery(expr)) return false;
    // Values that are equal but not identical may give different results.
    bool identical = true;
    const auto used = references(expr);
    if (!expr.is<plan::Column>())
      used.for_each([&](AttributeId id) { identical = identical && equal_is_identical(column(id), state_.plan()); });
    return identical && used.is_subset_of(keys.closure);
  }

  bool same_call(const AggregateCall& a, const AggregateCall& b) {
    if (a.is_bare() || b.is_bare()) return false;
    if (a.name != b.name) return false;
    const bool extreme = is_min_or_max(a);
    if (!extreme && a.distinct != b.distinct) return false;
    if ((extreme || a.distinct) && a.collation != b.collation) return false;
    if (static_cast<bool>(a.filter) != static_cast<bool>(b.filter)) return false;
    if (a.filter && !given_.same_truth(state_.apply(*a.filter), state_.apply(*b.filter))) return false;
    if (!same_order_by(a, b)) return false;
    if (a.name == "count" && !a.distinct) {
      // COUNT(x), where x is never NULL, counts rows.
      const auto counts_rows = [&](const AggregateCall& call) {
        return call.arguments.empty() || given_.non_null(state_.apply(call.arguments.front()));
      };
      if (counts_rows(a) && counts_rows(b)) return true;
      if (counts_rows(a) || counts_rows(b)) return false;
    }
    if (a.arguments.size() != b.arguments.size()) return false;
    for (std::size_t i = 0; i < a.arguments.size(); ++i) {
      if (!state_.same(given_, a.arguments[i], b.arguments[i])) return false;
    }
    return true;
  }

  bool same_order_by(const AggregateCall& a, const AggregateCall& b) {
    if (a.order_by.size() != b.order_by.size()) return false;
    for (std::size_t i = 0; i < a.order_by.size(); ++i) {
      const auto& a_key = a.order_by[i];
      const auto& b_key = b.order_by[i];
      if (a_key.descending != b_key.descending || a_key.nulls_first != b_key.nulls_first ||
          a_key.collation != b_key.collation || !state_.same(given_, a_key.expr, b_key.expr))
        return false;
    }
    return true;
  }

  // --- apply: what the attributes of `from` are to be bound to

  bool pair_keys() {
    for (const auto& call : to_.calls) {
      if (call.is_bare()) values_.push_back({&state_.apply(call.arguments.front()), call.id});
    }
    for (const auto& key : from_keys_.list) {
      if (!pair_value(key.id, *key.expr)) return false;
    }
    return true;
  }

  // Whether both take bare columns from the same row of a group, if the row is open: MIN and MAX choose it.
  bool same_row_of_group() {
    const auto chosen_alike = [&](const Aggregate& aggregate, const Aggregate& other, bool is_to) {
      return std::all_of(aggregate.calls.begin(), aggregate.calls.end(), [&](const AggregateCall& call) {
        return !is_min_or_max(call) ||
               std::any_of(other.calls.begin(), other.calls.end(), [&](const AggregateCall& counterpart) {
                 return is_to ? same_call(call, counterpart) : same_call(counterpart, call);
               });
      });
    };
    return chosen_alike(to_, from_, true) && chosen_alike(from_, to_, false);
  }

  bool pair_calls() {
    for (const auto& call : from_.calls) {
      if (call.is_bare()) {
        const auto& value = state_.apply(call.arguments.front());
        if ((!is_determined(value, to_keys_) && !same_row_of_group()) || !pair_value(call.id, value)) return false;
        continue;
      }
      const auto counterpart = std::find_if(to_.calls.begin(), to_.calls.end(),
                                            [&](const AggregateCall& other) { return same_call(other, call); });
      if (counterpart != to_.calls.end()) {
        pair(call.id, counterpart->id);
        continue;
      }
      // The minimum of identical values is that value.
      if (!is_min_or_max(call) || call.filter || !to_.grouped) return false;
      const auto& value = state_.apply(call.arguments.front());
      if (!is_determined(value, to_keys_) || !pair_value(call.id, value)) return false;
    }
    return true;
  }

  // Pairs an attribute whose value is constant within a group: a key, a constant, or a column that the keys determine.
  bool pair_value(AttributeId id, const Expr& expr) {
    if (const auto* key = find_same(expr, to_keys_)) return pair(id, key->id);
    for (const auto& value : values_) {
      if (given_.same(*value.expr, expr)) return pair(id, value.id);
    }
    if (const auto* value = given_.constant(expr); value != nullptr && to_.grouped) {
      bound_.emplace_back(id, &state_.bindings().keep(literal(*value)));
      return true;
    }
    if (!is_determined(expr, to_keys_) || !to_.grouped) return false;
    const auto fresh = state_.plan().add_attribute_like(id);
    values_.push_back({&expr, fresh});
    return pair(id, fresh);
  }

  bool pair(AttributeId id, AttributeId counterpart) {
    bound_.emplace_back(id, &state_.column(counterpart));
    return true;
  }

  SearchState& state_;
  ConditionSolver& given_;
  const Aggregate& to_;
  const Aggregate& from_;
  Facts facts_;  // of the input
  Keys to_keys_;
  Keys from_keys_;
  std::vector<GroupValue> values_;  // beside the keys
  std::vector<std::pair<AttributeId, const Expr*>> bound_;
};

// Whether the calls do the same to their arguments, if they do not depend on duplicates.
bool same_but_for_arguments(const AggregateCall& a, const AggregateCall& b) {
  return a.name == b.name && a.distinct == b.distinct && !a.filter && !b.filter && a.order_by.empty() &&
         b.order_by.empty() && a.collation == b.collation && a.arguments.size() == b.arguments.size();
}

}  // namespace

bool GroupMatcher::match(const Aggregate& to, const Aggregate& from, Then then) {
  if (to.grouped != from.grouped) return false;
  const bool by_bags = state_.attempt([&] {
    return relations_.bags(*to.input, *from.input, [&] {
      return state_.attempt([&] {
        auto given = chase_.conditions_of(*to.input);
        return GroupPairing(state_, given, to, from).bind() && then();
      });
    });
  });
  if (by_bags) return true;
  return state_.attempt([&] { return match_as_sets(to, from) && then(); });
}

// If no call depends on duplicates, the inputs only need to be the same as sets of what keys and calls use.
bool GroupMatcher::match_as_sets(const Aggregate& to, const Aggregate& from) {
  if (!all_ignore_duplicates(to) || !all_ignore_duplicates(from)) return false;
  if (to.keys.size() != from.keys.size() || to.calls.size() != from.calls.size()) return false;
  Columns to_columns;
  Columns from_columns;
  const auto as_column = [&](const Expr& expr) {
    if (const auto* id = column_id(expr)) return *id;
    const auto id = state_.plan().add_attribute({.name = "", .types = types_of(expr, state_.plan(), {})});
    state_.bindings().define(id, expr);
    return id;
  };
  const auto add = [&](const Expr& a, const Expr& b) {
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
    if (!same_but_for_arguments(a, b)) return false;
    for (std::size_t k = 0; k < a.arguments.size(); ++k) add(a.arguments[k], b.arguments[k]);
  }
  if (!relations_.sets(*to.input, to_columns, *from.input, from_columns, true)) return false;
  state_.close_columns(outputs_of(to));
  for (std::size_t i = 0; i < to.keys.size(); ++i) state_.bindings().bind(from.keys[i].id, to.keys[i].id);
  for (std::size_t i = 0; i < to.calls.size(); ++i) state_.bindings().bind(from.calls[i].id, to.calls[i].id);
  return true;
}

}  // namespace trustsql::equiv
