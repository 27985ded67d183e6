#include "equiv/prover/merged_values.hpp"

#include "plan/types.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv {

using namespace plan;

namespace {

class MergedValues {
 public:
  explicit MergedValues(const Plan& plan) : plan_(plan) {
    walk(plan.root, [&](const Rel& rel) { collect(rel); });
    if (merged_.empty()) return;
    for (bool again = true; again;) {
      again = false;
      walk(plan.root, [&](const Rel& rel) { again = pass_on(rel) || again; });
    }
  }

  bool has_distinguished_values() const {
    bool distinguished = false;
    if (merged_.empty()) return distinguished;
    walk(plan_.root, [&](const Rel& rel) {
      // The value of a column is part of the result, or is passed on. A table-valued function distinguishes
      // everything.
      const bool tolerant = !rel.is<TableFunction>();
      for_each_expr(rel, [&](const Expr& expr) { distinguished = distinguished || distinguishes(expr, tolerant); });
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

  void collect(const Rel& rel) {
    if (const auto* n = rel.as<Distinct>()) {
      add(outputs(*n->input));
    } else if (const auto* n = rel.as<SetOp>(); n != nullptr && n->op != ast::SetOp::union_all) {
      add(n->ids);
      for (const auto& input : n->inputs) add(outputs(input));
    } else if (const auto* n = rel.as<Recursive>(); n != nullptr && n->distinct) {
      add(n->ids);
    } else if (const auto* n = rel.as<Aggregate>()) {
      for (const auto& key : n->keys) add(key.expr, key.id);
      for (const auto& call : n->calls) {
        const bool keeps_one = call.is_bare() || call.name == "min" || call.name == "max" || call.distinct;
        if (keeps_one && call.name != "count" && !call.arguments.empty()) add(call.arguments.front(), call.id);
      }
    } else if (const auto* n = rel.as<Window>()) {
      for (const auto& call : n->calls) {
        if ((call.name == "min" || call.name == "max") && !call.arguments.empty()) add(call.arguments.front(), call.id);
      }
    }
  }

  // --- where they are passed on

  bool is_merged(const Expr& expr) const {
    if (const auto* id = column_id(expr)) return merged_.contains(*id);
    if (const auto* n = expr.as<ScalarSubquery>()) return output_set(*n->rel).intersects(merged_);
    return false;
  }

  bool pass_on(const Expr& expr, AttributeId id) {
    if (!is_merged(expr) || merged_.contains(id)) return false;
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
        if (recursive.number == n->number) changed = pass_on(recursive.ids, n->ids) || changed;
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

  bool distinguishes(const InSubquery& in) const {
    const auto columns = outputs(*in.rel);
    for (std::size_t i = 0; i < in.how.size(); ++i) {
      if (!compares_numbers(in.how[i]) && i < columns.size() && merged_.contains(columns[i])) return true;
    }
    for (std::size_t i = 0; i < in.operands.size(); ++i) {
      if (distinguishes(in.operands[i], in.operands.size() == in.how.size() && compares_numbers(in.how[i])))
        return true;
    }
    return false;
  }

  const Plan& plan_;
  AttributeSet merged_;
};

}  // namespace

const char* find_distinguished_merged_values(const Plan& plan) {
  return MergedValues(plan).has_distinguished_values()
             ? "1 and 1.0, or 0.0 and -0.0, are merged, and then distinguished"
             : nullptr;
}

}  // namespace trustsql::equiv
