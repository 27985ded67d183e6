#include "plan/constants.hpp"

#include "db/catalog/catalog.hpp"

namespace trustsql::plan {

namespace {

// Whether SQLite knows that the operand of a null test is never NULL: a rowid, or a column of a table that is NOT NULL,
// also behind signs (sqlite3ExprCanBeNull()). For a column that an outer join fills this says too much.
bool is_never_null(const Expr& operand, const Plan& plan) {
  const Expr* expr = &operand;
  while (const auto* sign = expr->as<Unary>()) expr = sign->operand.get();
  const auto* id = column_id(*expr);
  if (id == nullptr) return false;
  const auto& attribute = plan.attributes[*id];
  return attribute.table != nullptr &&
         (attribute.position < 0 ||
          attribute.table->columns[static_cast<std::size_t>(attribute.position)].counts_as_not_null());
}

void add_references_but_null_tests(const Rel& rel, const Plan& plan, AttributeSet& used);

void add_references_but_null_tests(const Expr& expr, const Plan& plan, AttributeSet& used) {
  if (const auto* test = expr.as<IsNull>(); test != nullptr && is_never_null(*test->operand, plan)) return;
  if (const auto* id = column_id(expr)) used.add(*id);
  for_each_expr(expr, [&](const Expr& operand) { add_references_but_null_tests(operand, plan, used); });
  for_each_rel(expr, [&](const Rel& subquery) { add_references_but_null_tests(subquery, plan, used); });
}

void add_references_but_null_tests(const Rel& rel, const Plan& plan, AttributeSet& used) {
  for_each_expr(rel, [&](const Expr& expr) { add_references_but_null_tests(expr, plan, used); });
  for_each_rel(rel, [&](const Rel& input) { add_references_but_null_tests(input, plan, used); });
}

template <class Node>
AttributeSet free_but_null_tests(const Node& node, const Plan& plan) {
  AttributeSet used;
  add_references_but_null_tests(node, plan, used);
  AttributeSet produced;
  add_produced(node, produced);
  return used - produced;
}

}  // namespace

AttributeSet free_attributes_but_null_tests(const Rel& rel, const Plan& plan) { return free_but_null_tests(rel, plan); }

Constants::Constants(const Plan& plan) : plan_(plan), equal_(plan) {
  // SQLite goes on until nothing changes, and so does this.
  for (bool again = true; again;) {
    again = false;
    const auto add = [&again](AttributeId id, AttributeSet& set) {
      if (set.contains(id)) return;
      set.add(id);
      again = true;
    };
    walk(plan.root, [&](const Project& project) {
      for (const auto& item : project.items)
        if (is_constant(item.expr)) add(item.id, projected_);
    });
    walk(plan.root, [&](const Values& values) {
      for (std::size_t i = 0; values.rows.size() == 1 && i < values.ids.size(); ++i)
        if (is_constant(values.rows.front()[i])) add(values.ids[i], projected_);
    });
    // The parts of UNION ALL become queries of their own, in each of which the column is what it is there.
    walk(plan.root, [&](const SetOp& set) {
      for (const auto& input : set.inputs) {
        const auto ids = outputs(input);
        for (std::size_t i = 0; i < ids.size() && i < set.ids.size(); ++i)
          if (projected_.contains(ids[i])) add(set.ids[i], projected_);
      }
    });
    constants_ |= projected_;
    visit_conditions(plan, [&](const std::vector<Expr>& conjuncts) {
      for (const auto& conjunct : conjuncts)
        visit_equated(conjunct, [&](const Expr& side, const Expr& other) {
          const auto* id = column_id(side);
          if (id == nullptr || constants_.contains(*id) || !is_made_of_constants(other)) return;
          equal_.any(*id, [&](AttributeId equal) {
            add(equal, constants_);
            return false;
          });
        });
    });
  }
}

bool Constants::is_made_of_constants(const Expr& expr) const {
  return free_but_null_tests(expr, plan_).is_subset_of(constants_) && !has_subquery(expr);
}

bool Constants::is_constant(const Expr& expr) const {
  const auto* id = column_id(expr);
  return id != nullptr ? projected_.contains(*id) : is_made_of_constants(expr);
}

bool Constants::uses_equal(const Expr& expr, AttributeId column) const {
  const auto used = references(expr);
  return equal_.any(column, [&used](AttributeId id) { return used.contains(id); });
}

}  // namespace trustsql::plan
