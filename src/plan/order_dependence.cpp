#include "plan/order_dependence.hpp"

#include "plan/dependencies.hpp"
#include "plan/facts.hpp"
#include "plan/sqlite_bugs.hpp"
#include "plan/types.hpp"
#include "plan/walk.hpp"

namespace trustsql::plan {

namespace {

class Finder {
 public:
  explicit Finder(const Plan& plan) : plan_(plan) {}

  std::string find() {
    visit(plan_.root);
    if (find_sqlite_bug(plan_) != nullptr) report("a form that SQLite gets wrong");
    if (reason_.empty() && is_volatile(plan_.root)) reason_ = "volatile function";
    return reason_;
  }

 private:
  void report(const char* reason) {
    if (reason_.empty()) reason_ = reason;
  }

  void visit(const Rel& rel) {
    for_each_rel(rel, [&](const Rel& input) { visit(input); });
    for_each_expr(rel, [&](const Expr& expr) { visit(expr); });
    if (const auto* n = rel.as<Limit>()) check_limit(*n);
    if (const auto* n = rel.as<Aggregate>()) check_aggregate(*n);
    if (rel.is<Window>()) report("window function");
    if (rel.is<Recursive>()) report("recursion");
    if (const auto* n = rel.as<Distinct>()) check_columns(outputs(*n->input), n->collations);
    if (const auto* n = rel.as<SetOp>(); n != nullptr && n->op != ast::SetOp::union_all) {
      for (const auto& input : n->inputs) check_columns(outputs(input), n->collations);
      const auto first = outputs(n->inputs.front());
      for (const auto& input : n->inputs) {
        const auto ids = outputs(input);
        for (std::size_t i = 0; i < ids.size(); ++i) {
          if (!equal_is_identical(column(first[i]), column(ids[i]), plan_)) report("1 and 1.0 are merged");
        }
      }
    }
    if (const auto* n = rel.as<SetOp>(); n != nullptr) {
      // SQLite does not specify which SELECT gives a column its affinity (https://sqlite.org/datatype3.html, section
      // 3.3), and so neither how the column compares nor whether integers in it become reals.
      const auto first = outputs(n->inputs.front());
      for (const auto& input : n->inputs) {
        const auto ids = outputs(input);
        for (std::size_t i = 0; i < ids.size(); ++i) {
          if (plan_.attributes[first[i]].affinity != plan_.attributes[ids[i]].affinity)
            report("a compound query of different affinities");
        }
      }
    }
    if (const auto* n = rel.as<Apply>();
        n != nullptr && n->type == ApplyType::scalar && !at_most_one_row(facts_of(*n->right, plan_))) {
      report("first row of several");
    }
  }

  void visit(const Expr& expr) {
    for_each_expr(expr, [&](const Expr& operand) { visit(operand); });
    for_each_rel(expr, [&](const Rel& rel) { visit(rel); });
    if (const auto* n = expr.as<ScalarSubquery>(); n != nullptr && !at_most_one_row(facts_of(*n->rel, plan_)))
      report("first row of several");
  }

  void check_columns(const std::vector<AttributeId>& ids, const std::vector<std::string_view>& collations) {
    for (const auto id : ids) {
      if (!equal_is_identical(column(id), plan_)) report("1 and 1.0 are merged");
    }
    for (const auto collation : collations) {
      if (collation != binary_collation) report("texts are merged by a collation");
    }
  }

  void check_aggregate(const Aggregate& n) {
    const auto facts = facts_of(*n.input, plan_);
    AttributeSet keys;
    for (const auto& key : n.keys) {
      const auto* id = column_id(key.expr);
      if (id != nullptr && key.collation == binary_collation) keys.add(*id);
      if (key.collation != binary_collation) report("texts are merged by a collation");
      if (!equal_is_identical(key.expr, plan_)) report("1 and 1.0 are merged");
    }
    for (const auto& call : n.calls) {
      if (call.is_bare()) {
        // Over no rows it is NULL, or the value of an expression in its place for a row of NULLs.
        const bool has_rows = n.grouped || facts.non_empty;
        if (!has_rows || !references(call.arguments.front()).is_subset_of(closure(keys, facts))) report("bare column");
      } else if (call.name == "min" || call.name == "max") {
        if (call.collation != binary_collation || !equal_is_identical(call.arguments.front(), plan_))
          report("one of equal values");
      } else if (call.name != "count" && call.name != "sum" && call.name != "avg" && call.name != "total") {
        report("aggregate that sees the order");
      } else if (call.distinct &&
                 (call.collation != binary_collation || !equal_is_identical(call.arguments.front(), plan_))) {
        report("one of equal values");
      }
    }
  }

  void check_limit(const Limit& n) {
    if (at_most_one_row(facts_of(*n.input, plan_))) return;
    const Rel* input = n.input.get();
    while (const auto* project = input->as<Project>()) input = project->input.get();
    const auto* sort = input->as<Sort>();
    if (sort == nullptr) {
      report("LIMIT without ORDER BY");
      return;
    }
    if (!is_total_order(*sort, plan_)) report("LIMIT with ties");
  }

  const Plan& plan_;
  std::string reason_;
};

}  // namespace

std::string order_dependence(const Plan& plan) { return Finder(plan).find(); }

const Sort* order_of_result(const Rel& root) {
  if (const auto* n = root.as<Sort>()) return n;
  if (const auto* n = root.as<Project>()) return order_of_result(*n->input);
  if (const auto* n = root.as<Limit>()) return order_of_result(*n->input);
  return nullptr;
}

bool is_total_order(const Sort& sort, const Plan& plan) {
  AttributeSet keys;
  for (const auto& key : sort.keys) {
    const auto* id = column_id(key.expr);
    if (id != nullptr && key.collation == binary_collation) keys.add(*id);
  }
  return is_superkey(keys, facts_of(*sort.input, plan));
}

}  // namespace trustsql::plan
