#include "equiv/prover/merged_values.hpp"

#include <algorithm>

#include "plan/types.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv {

using namespace plan;

namespace {

class MergedValues {
 public:
  explicit MergedValues(const Plan& plan) : plan_(plan) {
    walk(plan.root, [&](const Rel& rel) { collect(rel); });
    if (merged_.empty() && converted_.empty()) return;
    for (bool again = true; again;) {
      again = false;
      walk(plan.root, [&](const Rel& rel) { again = pass_on(rel) || again; });
    }
  }

  bool has_distinguished_values() const {
    bool distinguished = false;
    if (merged_.empty() && converted_.empty()) return distinguished;
    walk(plan_.root, [&](const Rel& rel) {
      // The value of a column is part of the result, or is passed on. A table-valued function distinguishes
      // everything.
      const bool tolerant = !rel.is<TableFunction>();
      for_each_expr(rel, [&](const Expr& expr) { distinguished = distinguished || distinguishes(expr, tolerant); });
      if (const auto* n = rel.as<Aggregate>()) {
        for (const auto& call : n->calls) distinguished = distinguished || distinguishes_arguments(call);
      } else if (const auto* n = rel.as<Window>()) {
        for (const auto& call : n->calls)
          distinguished = distinguished || distinguishes_arguments(call) || distinguishes_keys(call);
      }
    });
    return distinguished;
  }

 private:
  // --- where values are merged

  void add(const Expr& expr, AttributeId id) {
    if (!equal_is_identical(expr, plan_)) merged_.add(id);
  }
  void add(const std::vector<AttributeId>& ids) {
    for (const auto id : ids) add(column(id), id);
  }

  // Where the arms of a compound query differ in affinity, 1.0 may or may not be converted to 1 (compound_rows.hpp).
  void add_converted(const std::vector<AttributeId>& ids, const Rel& first_arm, const std::vector<Rel>& arms) {
    const auto first = outputs(first_arm);
    for (const auto& arm : arms) {
      const auto columns = outputs(arm);
      for (std::size_t i = 0; i < ids.size() && i < columns.size() && i < first.size(); ++i) {
        const bool differ = plan_.attributes[first[i]].affinity != plan_.attributes[columns[i]].affinity;
        if (differ && !equal_is_identical(column(ids[i]), plan_)) converted_.add(ids[i]);
      }
    }
  }

  // SQLite converts 1.0 to 1 in a column CAST(x AS NUMERIC) of a subquery in FROM if it keeps the rows of the subquery
  // in a table, and not if it merges the subquery into the query around it.
  void add_kept(const std::vector<AttributeId>& ids) {
    for (const auto id : ids) {
      const auto storage = plan_.attributes[id].storage;
      const bool keeps = storage == Affinity::numeric || storage == Affinity::integer || storage == Affinity::text;
      if (plan_.attributes[id].affinity == Affinity::numeric && !keeps && !equal_is_identical(column(id), plan_))
        converted_.add(id);
    }
  }

  void collect(const Rel& rel) {
    if (const auto* n = rel.as<Derived>()) {
      add_kept(outputs(*n->input));
    } else if (const auto* n = rel.as<Distinct>()) {
      add(outputs(*n->input));
    } else if (const auto* n = rel.as<SetOp>()) {
      add_converted(n->ids, n->inputs.front(), n->inputs);
      if (n->op == ast::SetOp::union_all) return;
      add(n->ids);
      for (const auto& input : n->inputs) add(outputs(input));
    } else if (const auto* n = rel.as<Recursive>()) {
      add_converted(n->ids, *n->seed, n->steps);
      if (n->distinct) add(n->ids);
    } else if (const auto* n = rel.as<Aggregate>()) {
      for (const auto& key : n->keys) add(key.expr, key.id);
      for (const auto& call : n->calls) {
        const bool keeps_one = call.is_bare() || call.name == "min" || call.name == "max" || call.distinct;
        if (keeps_one && call.name != "count" && !call.arguments.empty()) add(call.arguments.front(), call.id);
      }
    } else if (const auto* n = rel.as<Window>()) {
      for (const auto& call : n->calls) {
        if ((call.name == "min" || call.name == "max") && !call.arguments.empty()) add(call.arguments.front(), call.id);
        for (const auto& key : call.partition_by) add_partition(key.expr);
      }
    }
  }

  // The values of a partition are as good as merged: SQLite may test a condition on what a window partitions by before
  // it computes the window, and so take some of the equal values away from the others.
  void add_partition(const Expr& expr) {
    if (!equal_is_identical(expr, plan_)) references(expr).for_each([this](AttributeId id) { merged_.add(id); });
  }

  // --- where they are passed on

  bool is_merged(const Expr& expr) const {
    const auto is = [&](AttributeId id) { return merged_.contains(id) || converted_.contains(id); };
    if (const auto* id = column_id(expr)) return is(*id);
    const auto* n = expr.as<ScalarSubquery>();
    if (n == nullptr) return false;
    const auto ids = outputs(*n->rel);
    return std::any_of(ids.begin(), ids.end(), is);
  }

  bool pass_on(const Expr& expr, AttributeId id) {
    const auto* from = column_id(expr);
    if (!is_merged(expr) || merged_.contains(id) || (from != nullptr && *from == id)) return false;
    merged_.add(id);
    return true;
  }
  bool pass_on(const std::vector<AttributeId>& from, const std::vector<AttributeId>& to) {
    bool changed = false;
    for (std::size_t i = 0; i < from.size() && i < to.size(); ++i) changed = pass_on(column(from[i]), to[i]) || changed;
    return changed;
  }

  bool pass_on(const Rel& rel) {
    bool changed = false;
    const auto pass = [&](const Expr& expr, AttributeId id) { changed = pass_on(expr, id) || changed; };
    const auto pass_calls = [&](const auto& calls) {
      for (const auto& call : calls) {
        if (call.name != "count" && !call.arguments.empty()) pass(call.arguments.front(), call.id);
        // The default of lag() and lead().
        constexpr std::size_t default_value = 2;
        if ((call.name == "lag" || call.name == "lead") && call.arguments.size() > default_value)
          pass(call.arguments[default_value], call.id);
      }
    };
    if (const auto* n = rel.as<Project>()) {
      for (const auto& item : n->items) pass(item.expr, item.id);
    } else if (const auto* n = rel.as<Values>()) {
      for (const auto& row : n->rows) {
        for (std::size_t i = 0; i < row.size(); ++i) pass(row[i], n->ids[i]);
      }
    } else if (const auto* n = rel.as<Aggregate>()) {
      for (const auto& key : n->keys) pass(key.expr, key.id);
      pass_calls(n->calls);
    } else if (const auto* n = rel.as<Window>()) {
      pass_calls(n->calls);
    } else if (const auto* n = rel.as<SetOp>()) {
      for (const auto& input : n->inputs) changed = pass_on(outputs(input), n->ids) || changed;
    } else if (const auto* n = rel.as<Recursive>()) {
      changed = pass_on(outputs(*n->seed), n->ids);
      for (const auto& step : n->steps) changed = pass_on(outputs(step), n->ids) || changed;
    } else if (const auto* n = rel.as<RecursiveRef>()) {
      walk(plan_.root, [&](const Recursive& recursive) {
        if (recursive.number != n->number) return;
        // Rows are taken from the queue as they were put there.
        for (std::size_t i = 0; i < recursive.ids.size() && i < n->ids.size(); ++i) {
          if (merged_.contains(recursive.ids[i])) pass(column(recursive.ids[i]), n->ids[i]);
        }
      });
    }
    return changed;
  }

  // --- where they are distinguished

  static bool compares_numbers(const Comparison& how) { return how.affinity != Affinity::text; }

  // `tolerant`: the value is only passed on, compared as a number, or tested for truth or NULL.
  bool distinguishes(const Expr& expr, bool tolerant) const {
    if (is_merged(expr) && !tolerant) return true;
    if (expr.is<plan::Column>()) return false;
    if (const auto* n = expr.as<InSubquery>()) return distinguishes(*n);
    bool of_operands = expr.is<IsNull>() || expr.is<And>() || expr.is<Or>() || expr.is<Not>() || expr.is<IsTruth>();
    if (const auto* n = expr.as<Compare>()) of_operands = compares_numbers(n->how);
    if (const auto* n = expr.as<InList>()) of_operands = compares_numbers(n->how);
    if (const auto* n = expr.as<Between>()) of_operands = compares_numbers(n->low_how) && compares_numbers(n->high_how);
    bool distinguished = false;
    for_each_expr(expr,
                  [&](const Expr& operand) { distinguished = distinguished || distinguishes(operand, of_operands); });
    return distinguished;
  }

  // Whether the function of a call does: group_concat() makes texts of the values. Whether sum() is rounded depends on
  // them as well, but so it does on the order in which it adds (guide.md).
  template <class Call>
  bool distinguishes_arguments(const Call& call) const {
    constexpr std::string_view tolerant[] = {"",    "count", "sum",         "min",        "max",       "avg",
                                             "lag", "total", "first_value", "last_value", "nth_value", "lead"};
    if (std::find(std::begin(tolerant), std::end(tolerant), call.name) != std::end(tolerant)) return false;
    return std::any_of(call.arguments.begin(), call.arguments.end(),
                       [this](const Expr& argument) { return distinguishes(argument, false); });
  }

  // Whether a frame such as RANGE 1 PRECEDING does, for which SQLite adds to the key of the order: 2^53 + 1 is no real.
  bool distinguishes_keys(const WindowCall& call) const {
    if (!call.frame || !call.frame->adds_to_key()) return false;
    return std::any_of(call.order_by.begin(), call.order_by.end(),
                       [this](const SortKey& key) { return distinguishes(key.expr, false); });
  }

  bool distinguishes(const InSubquery& in) const {
    const auto columns = outputs(*in.rel);
    for (std::size_t i = 0; i < in.how.size(); ++i) {
      if (!compares_numbers(in.how[i]) && i < columns.size() && is_merged(column(columns[i]))) return true;
    }
    for (std::size_t i = 0; i < in.operands.size(); ++i) {
      if (distinguishes(in.operands[i], in.operands.size() == in.how.size() && compares_numbers(in.how[i])))
        return true;
    }
    return false;
  }

  const Plan& plan_;
  AttributeSet merged_;
  AttributeSet converted_;  // likewise, but only for what reads the whole compound query
};

}  // namespace

const char* find_distinguished_merged_values(const Plan& plan) {
  return MergedValues(plan).has_distinguished_values()
             ? "1 and 1.0, or 0.0 and -0.0, are merged, and then distinguished"
             : nullptr;
}

}  // namespace trustsql::equiv
