#include "plan/json_subtypes.hpp"

#include <algorithm>

#include "db/catalog/catalog.hpp"
#include "plan/walk.hpp"

namespace trustsql::plan {

namespace {

using Subtype = SqlFunction::Subtype;

// Calls `visit(arguments, of_window)` for each call of a function that reads the subtypes of its arguments.
template <class Visit>
void for_each_reader(const Plan& plan, const Visit& visit) {
  const auto look_at = [&](const SqlFunction* function, const std::vector<Expr>& arguments, bool of_window) {
    if (function != nullptr && function->reads_subtype) visit(arguments, of_window);
  };
  walk(plan.root, [&](const Expr& expr) {
    if (const auto* call = expr.as<Function>()) look_at(call->info, call->arguments, false);
  });
  walk(plan.root, [&](const Rel& rel) {
    if (const auto* n = rel.as<Aggregate>()) {
      for (const auto& call : n->calls) look_at(call.info, call.arguments, false);
    } else if (const auto* n = rel.as<Window>()) {
      for (const auto& call : n->calls) look_at(call.info, call.arguments, true);
    }
  });
}

// The attributes of a plan whose values may have a subtype.
class PassedSubtypes {
 public:
  explicit PassedSubtypes(const Plan& plan) : plan_(plan) {
    for (bool again = true; again;) {
      again = false;
      walk(plan.root, [&](const Rel& rel) { again = pass_on(rel) || again; });
    }
  }

  // Whether a function may see one.
  bool are_read() const {
    bool read = false;
    for_each_reader(plan_, [&](const std::vector<Expr>& arguments, bool of_window) {
      read = read || any_may_have(arguments, of_window);
    });
    return read;
  }

 private:
  // `even_marked`: arguments that are marked as JSON count as well. Those of window functions go through a table, which
  // may or may not keep the subtype.
  bool any_may_have(const std::vector<Expr>& exprs, bool even_marked) const {
    return std::any_of(exprs.begin(), exprs.end(), [&](const Expr& expr) {
      const auto* call = expr.as<Function>();
      const auto* arrow = expr.as<Binary>();
      const bool marked = (call != nullptr && call->is_json) || (arrow != nullptr && arrow->is_json);
      return (even_marked || !marked) && may_have(expr);
    });
  }

  bool may_have(const Expr& expr) const {
    if (const auto* id = column_id(expr)) return marked_.contains(*id);
    if (const auto* n = expr.as<Binary>()) return n->op == ast::BinaryOp::arrow;
    if (const auto* n = expr.as<Function>()) return may_have(n->info, n->arguments);
    if (const auto* n = expr.as<Cast>()) return may_have(*n->operand);
    if (const auto* n = expr.as<ScalarSubquery>()) return output_set(*n->rel).intersects(marked_);
    const auto* n = expr.as<Case>();
    if (n == nullptr) return false;
    return (n->otherwise && may_have(*n->otherwise)) ||
           std::any_of(n->branches.begin(), n->branches.end(), [&](const Branch& b) { return may_have(*b.result); });
  }
  bool may_have(const SqlFunction* function, const std::vector<Expr>& arguments) const {
    if (function == nullptr || function->subtype == Subtype::json) return true;
    return function->subtype == Subtype::passed_on &&
           std::any_of(arguments.begin(), arguments.end(), [&](const Expr& each) { return may_have(each); });
  }

  // Marks the attributes of an operator that may have a subtype. Whether there were new ones.
  bool pass_on(const Rel& rel) {
    bool changed = false;
    const auto mark = [&](AttributeId id) {
      changed = changed || !marked_.contains(id);
      marked_.add(id);
    };
    const auto mark_all = [&](const auto& columns) {
      for (const auto& column : columns) mark(column.id);
    };
    const auto pass = [&](const std::vector<AttributeId>& from, const std::vector<AttributeId>& to) {
      for (std::size_t i = 0; i < from.size() && i < to.size(); ++i) {
        if (marked_.contains(from[i])) mark(to[i]);
      }
    };
    const auto mark_calls = [&](const auto& calls) {
      for (const auto& call : calls) {
        const bool is_bare = call.name.empty();
        if (is_bare ? may_have(call.arguments.front()) : may_have(call.info, call.arguments)) mark(call.id);
      }
    };
    std::visit(
        Overloaded{
            [](const auto&) {},
            [&](const Scan& n) {
              if (n.table == nullptr || n.table->kind != Table::Kind::table) return mark_all(n.columns);
              for (const auto& column : n.columns) {
                if (column.position >= 0 && n.table->columns[static_cast<std::size_t>(column.position)].generated ==
                                                trustsql::Column::Generated::virtual_)
                  mark(column.id);
              }
            },
            [&](const TableFunction& n) { mark_all(n.columns); },
            [&](const Values& n) {
              for (const auto& row : n.rows) {
                for (std::size_t i = 0; i < row.size(); ++i) {
                  if (may_have(row[i])) mark(n.ids[i]);
                }
              }
            },
            [&](const Project& n) {
              for (const auto& item : n.items) {
                if (may_have(item.expr)) mark(item.id);
              }
            },
            [&](const Aggregate& n) {
              for (const auto& key : n.keys) {
                if (may_have(key.expr)) mark(key.id);
              }
              mark_calls(n.calls);
            },
            [&](const Window& n) { mark_calls(n.calls); },
            [&](const SetOp& n) {
              for (const auto& input : n.inputs) pass(outputs(input), n.ids);
            },
            [&](const Recursive& n) {
              pass(outputs(*n.seed), n.ids);
              for (const auto& step : n.steps) pass(outputs(step), n.ids);
            },
            [&](const RecursiveRef& n) {
              walk(plan_.root, [&](const Recursive& recursive) {
                if (recursive.number == n.number) pass(recursive.ids, n.ids);
              });
            },
        },
        rel.node);
    return changed;
  }

  const Plan& plan_;
  AttributeSet marked_;
};

}  // namespace

bool reads_subtypes(const Plan& plan) {
  bool found = false;
  for_each_reader(plan, [&](const std::vector<Expr>&, bool) { found = true; });
  return found;
}

bool depends_on_passed_subtype(const Plan& plan) { return reads_subtypes(plan) && PassedSubtypes(plan).are_read(); }

}  // namespace trustsql::plan
