// Aggregates: what corresponds in two that group the same rows.
#include <algorithm>

#include "equiv/checker/correspondence_checker.hpp"
#include "plan/types.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv::checker {

using namespace plan;

namespace {

bool is_extreme(const AggregateCall& call) { return call.name == "min" || call.name == "max"; }

bool depends_on_duplicates(const Aggregate& aggregate) {
  return std::any_of(aggregate.calls.begin(), aggregate.calls.end(),
                     [](const AggregateCall& call) { return !is_extreme(call) && !call.distinct; });
}

bool groups_by_value(const Aggregate& aggregate) {
  return std::all_of(aggregate.keys.begin(), aggregate.keys.end(),
                     [](const GroupKey& key) { return key.collation == binary_collation; });
}

}  // namespace

bool CorrespondenceChecker::same(const Aggregate& to, const Aggregate& from) {
  if (to.grouped != from.grouped || !groups_by_value(to) || !groups_by_value(from)) return false;
  const auto bound = bound_;
  if (bags(*to.input, *from.input, [&](Rows& rows) { return same_groups(rows, to, from); })) return true;
  bound_ = bound;
  return same_groups_as_sets(to, from);
}

bool CorrespondenceChecker::same_call(Rows& rows, const AggregateCall& to, const AggregateCall& from) {
  if (to.is_bare() || from.is_bare() || to.name != from.name) return false;
  const bool extreme = is_extreme(to);
  if (!extreme && to.distinct != from.distinct) return false;
  if ((extreme || to.distinct) && to.collation != from.collation) return false;
  if (!same_filters(rows, to.filter, from.filter) || !same_keys(rows, to.order_by, from.order_by)) return false;
  if (to.name == "count" && !to.distinct) {
    const auto counts_rows = [&](const AggregateCall& call) {
      return call.arguments.empty() || rows.claims.true_of(is_null(expand(call.arguments.front()), true));
    };
    const bool all = counts_rows(to);
    if (all != counts_rows(from)) return false;
    if (all) return true;
  }
  return std::equal(to.arguments.begin(), to.arguments.end(), from.arguments.begin(), from.arguments.end(),
                    [&](const Expr& a, const Expr& b) { return rows.claims.identical(expand(a), expand(b)); });
}

// Binds the keys and calls of `from` to what they are in `to`, where both group the same rows.
class CorrespondenceChecker::GroupBinder {
 public:
  GroupBinder(CorrespondenceChecker& checker, Rows& rows, const Aggregate& to, const Aggregate& from)
      : checker_(checker), rows_(rows), to_(to), from_(from), to_closure_(closure_of(to)) {}

  bool bind() {
    if (!same_groups() || !bind_keys() || !bind_calls()) return false;
    for (auto& [id, expr] : bindings_) checker_.bind(id, std::move(expr));
    return true;
  }

 private:
  Expr expand(const Expr& expr) const { return checker_.expand(expr); }

  // The columns that the keys determine.
  AttributeSet closure_of(const Aggregate& aggregate) {
    AttributeSet columns;
    for (const auto& key : aggregate.keys) {
      const auto expr = expand(key.expr);
      if (const auto* id = column_id(expr)) columns.add(*id);
    }
    return checker_.determined(rows_, std::move(columns));
  }

  // Whether rows that agree in the keys of one agree in those of the other.
  bool same_groups() {
    const auto from_closure = closure_of(from_);
    const auto all_fixed = [&](const Aggregate& aggregate, const Aggregate& by, const AttributeSet& closure) {
      return std::all_of(aggregate.keys.begin(), aggregate.keys.end(), [&](const GroupKey& key) {
        const auto expr = expand(key.expr);
        return literal_value(expr) != nullptr || key_like(expr, by) != nullptr ||
               checker_.is_determined(rows_, expr, closure);
      });
    };
    return all_fixed(to_, from_, from_closure) && all_fixed(from_, to_, to_closure_);
  }

  const GroupKey* key_like(const Expr& expr, const Aggregate& aggregate) {
    const auto key = std::find_if(aggregate.keys.begin(), aggregate.keys.end(), [&](const GroupKey& candidate) {
      return rows_.claims.identical(expand(candidate.expr), expr);
    });
    return key != aggregate.keys.end() ? &*key : nullptr;
  }

  bool bind_keys() {
    for (const auto& call : to_.calls) {
      if (call.is_bare()) values_.emplace_back(expand(call.arguments.front()), call.id);
    }
    return std::all_of(from_.keys.begin(), from_.keys.end(),
                       [&](const GroupKey& key) { return bind_value(key.id, expand(key.expr)); });
  }

  // Whether the same calls choose the row that bare columns are taken from.
  bool chooses_same_row() {
    std::vector<const AggregateCall*> unpaired;
    for (const auto& call : to_.calls) {
      if (is_extreme(call)) unpaired.push_back(&call);
    }
    for (const auto& call : from_.calls) {
      if (!is_extreme(call)) continue;
      const auto same = std::find_if(unpaired.begin(), unpaired.end(), [&](const AggregateCall* other) {
        return checker_.same_call(rows_, *other, call);
      });
      if (same == unpaired.end()) return false;
      unpaired.erase(same);
    }
    return unpaired.empty();
  }

  bool is_fixed(const Expr& expr) {
    return literal_value(expr) != nullptr || key_like(expr, to_) != nullptr ||
           checker_.is_determined(rows_, expr, to_closure_);
  }

  bool bind_calls() {
    for (const auto& call : from_.calls) {
      if (call.is_bare()) {
        const auto expr = expand(call.arguments.front());
        if ((!is_fixed(expr) && !chooses_same_row()) || !bind_value(call.id, expr)) return false;
        continue;
      }
      const auto to_call = std::find_if(to_.calls.begin(), to_.calls.end(), [&](const AggregateCall& other) {
        return checker_.same_call(rows_, other, call);
      });
      if (to_call != to_.calls.end()) {
        bindings_.emplace_back(call.id, column(to_call->id));
      } else if (!is_extreme(call) || call.filter || !to_.grouped || !is_fixed(expand(call.arguments.front())) ||
                 !bind_value(call.id, expand(call.arguments.front()))) {
        return false;
      }
    }
    return true;
  }

  // Binds an attribute whose value is constant within each group.
  bool bind_value(AttributeId id, const Expr& expr) {
    const auto is = [&](Expr other) {
      bindings_.emplace_back(id, std::move(other));
      return true;
    };
    if (const auto* key = key_like(expr, to_)) return is(column(key->id));
    for (const auto& [value, attribute] : values_) {
      if (rows_.claims.identical(value, expr)) return is(column(attribute));
    }
    if (!to_.grouped) return false;
    if (literal_value(expr) != nullptr) return is(expr);
    if (!checker_.is_determined(rows_, expr, to_closure_)) return false;
    const auto fresh = checker_.plan_.add_attribute_like(id);
    values_.emplace_back(expr, fresh);
    return is(column(fresh));
  }

  CorrespondenceChecker& checker_;
  Rows& rows_;
  const Aggregate& to_;
  const Aggregate& from_;
  AttributeSet to_closure_;
  std::vector<std::pair<Expr, AttributeId>> values_;  // that are constant within each group of `to`, beside the keys
  std::vector<std::pair<AttributeId, Expr>> bindings_;
};

bool CorrespondenceChecker::same_groups(Rows& rows, const Aggregate& to, const Aggregate& from) {
  return GroupBinder(*this, rows, to, from).bind();
}

// If no call depends on duplicates, it is enough that the inputs are the same as sets of what keys and calls use.
bool CorrespondenceChecker::same_groups_as_sets(const Aggregate& to, const Aggregate& from) {
  if (depends_on_duplicates(to) || depends_on_duplicates(from) || to.has_bare_columns() || from.has_bare_columns())
    return false;
  if (to.keys.size() != from.keys.size() || to.calls.size() != from.calls.size()) return false;
  const Restore restore(*this, false);
  Columns to_columns;
  Columns from_columns;
  const auto add = [&](const Expr& expr, Columns& columns) {
    if (const auto* id = column_id(expr)) {
      columns.push_back(*id);
      return;
    }
    const auto id = plan_.add_attribute({.name = "", .types = types_of(expr, plan_, {})});
    defined_.insert_or_assign(id, expr);
    columns.push_back(id);
  };
  for (std::size_t i = 0; i < to.keys.size(); ++i) {
    add(to.keys[i].expr, to_columns);
    add(from.keys[i].expr, from_columns);
  }
  for (std::size_t i = 0; i < to.calls.size(); ++i) {
    const auto& a = to.calls[i];
    const auto& b = from.calls[i];
    if (a.name != b.name || a.distinct != b.distinct || a.filter || b.filter || !a.order_by.empty() ||
        !b.order_by.empty())
      return false;
    if (a.collation != b.collation || a.arguments.size() != b.arguments.size()) return false;
    for (std::size_t k = 0; k < a.arguments.size(); ++k) {
      add(a.arguments[k], to_columns);
      add(b.arguments[k], from_columns);
    }
  }
  if (!sets(*to.input, to_columns, *from.input, from_columns, true)) return false;
  for (std::size_t i = 0; i < to.keys.size(); ++i) bind(from.keys[i].id, column(to.keys[i].id));
  for (std::size_t i = 0; i < to.calls.size(); ++i) bind(from.calls[i].id, column(to.calls[i].id));
  return true;
}

}  // namespace trustsql::equiv::checker
