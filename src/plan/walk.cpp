#include "plan/walk.hpp"

#include <algorithm>

#include "sql/node_children.hpp"

namespace trustsql::ast::detail {

template void each_child_of_type<plan::Rel>(void* node, FunctionRef<void(AnyNode)> visit);

}  // namespace trustsql::ast::detail

namespace trustsql::plan {

namespace {

// Visits the children of type Child, including those in other nodes in between (a Branch, a SortKey); nodes of type
// Barrier are not entered.
template <class Child, class Barrier, class Node, class Visit>
void each(Node& node, const Visit& visit) {
  for_each_child(node, [&](auto& child) {
    using T = std::remove_const_t<std::remove_reference_t<decltype(child)>>;
    if constexpr (std::is_same_v<T, Child>) {
      visit(child);
    } else if constexpr (!std::is_same_v<T, Barrier>) {
      each<Child, Barrier>(child, visit);
    }
  });
}

}  // namespace

void for_each_expr(Rel& node, FunctionRef<void(Expr&)> visit) { each<Expr, Rel>(node, visit); }
void for_each_expr(const Rel& node, FunctionRef<void(const Expr&)> visit) { each<Expr, Rel>(node, visit); }
void for_each_expr(Expr& node, FunctionRef<void(Expr&)> visit) { each<Expr, Rel>(node, visit); }
void for_each_expr(const Expr& node, FunctionRef<void(const Expr&)> visit) { each<Expr, Rel>(node, visit); }
void for_each_expr(WindowCall& node, FunctionRef<void(Expr&)> visit) { each<Expr, Rel>(node, visit); }

void for_each_rel(Rel& node, FunctionRef<void(Rel&)> visit) { each<Rel, Expr>(node, visit); }
void for_each_rel(const Rel& node, FunctionRef<void(const Rel&)> visit) { each<Rel, Expr>(node, visit); }
void for_each_rel(Expr& node, FunctionRef<void(Rel&)> visit) { each<Rel, Expr>(node, visit); }
void for_each_rel(const Expr& node, FunctionRef<void(const Rel&)> visit) { each<Rel, Expr>(node, visit); }

int height(const Expr& expr) {
  int highest = 0;
  for_each_expr(expr, [&](const Expr& operand) { highest = std::max(highest, height(operand)); });
  return highest + 1;
}

std::size_t size_of(const Expr& expr) {
  std::size_t size = 1;
  for_each_expr(expr, [&](const Expr& operand) { size += size_of(operand); });
  return size;
}

void substitute(Expr& expr, Replacement replacement) {
  if (const auto* column = expr.as<Column>()) {
    if (const Expr* by = replacement(column->id)) expr = Expr(*by);
    return;
  }
  for_each_expr(expr, [&](Expr& operand) { substitute(operand, replacement); });
  for_each_rel(expr, [&](Rel& rel) { substitute(rel, replacement); });
}

void substitute(Rel& rel, Replacement replacement) {
  for_each_expr(rel, [&](Expr& expr) { substitute(expr, replacement); });
  for_each_rel(rel, [&](Rel& input) { substitute(input, replacement); });
}

void for_each_produced(const Rel& rel, FunctionRef<void(AttributeId)> visit) {
  const auto all = [&](auto& list) {
    for (auto& element : list) visit(element.id);
  };
  const auto all_ids = [&](auto& list) {
    for (auto& id : list) visit(id);
  };
  std::visit(Overloaded{
                 [](const auto&) {},
                 [&](const Scan& n) {
                   all(n.columns);
                   visit(n.row);
                 },
                 [&](const TableFunction& n) { all(n.columns); },
                 [&](const Values& n) { all_ids(n.ids); },
                 [&](const Project& n) {
                   for (const auto& item : n.items) {
                     if (!item.is_pass_through()) visit(item.id);
                   }
                 },
                 [&](const Aggregate& n) {
                   const auto passes_on = [](const Expr& expr, AttributeId id) {
                     const auto* from = column_id(expr);
                     return from != nullptr && *from == id;
                   };
                   for (const auto& key : n.keys) {
                     if (!passes_on(key.expr, key.id)) visit(key.id);
                   }
                   for (const auto& call : n.calls) {
                     if (!call.is_bare() || !passes_on(call.arguments.front(), call.id)) visit(call.id);
                   }
                 },
                 [&](const Window& n) { all(n.calls); },
                 [&](const SetOp& n) { all_ids(n.ids); },
                 [&](const Recursive& n) { all_ids(n.ids); },
                 [&](const RecursiveRef& n) { all_ids(n.ids); },
             },
             rel.node);
}

namespace {

// Calls `on_expr` and `on_rel` on every expression and relation at or below the node, including subqueries.
template <class VisitExpr, class VisitRel>
void visit_all(const Rel& rel, const VisitExpr& on_expr, const VisitRel& on_rel);
template <class VisitExpr, class VisitRel>
void visit_all(const Expr& expr, const VisitExpr& on_expr, const VisitRel& on_rel) {
  on_expr(expr);
  for_each_expr(expr, [&](const Expr& operand) { visit_all(operand, on_expr, on_rel); });
  for_each_rel(expr, [&](const Rel& rel) { visit_all(rel, on_expr, on_rel); });
}
template <class VisitExpr, class VisitRel>
void visit_all(const Rel& rel, const VisitExpr& on_expr, const VisitRel& on_rel) {
  on_rel(rel);
  for_each_expr(rel, [&](const Expr& expr) { visit_all(expr, on_expr, on_rel); });
  for_each_rel(rel, [&](const Rel& input) { visit_all(input, on_expr, on_rel); });
}

constexpr auto ignore = [](const auto&) {};

bool is_volatile_call(std::string_view name, const SqlFunction* info) {
  return !name.empty() && (info == nullptr || !info->deterministic);
}

bool is_volatile_operator(const Rel& rel) {
  if (const auto* aggregate = rel.as<Aggregate>()) {
    for (const auto& call : aggregate->calls) {
      if (is_volatile_call(call.name, call.info)) return true;
    }
  }
  if (const auto* window = rel.as<Window>()) {
    for (const auto& call : window->calls) {
      if (is_volatile_call(call.name, call.info)) return true;
    }
  }
  return false;
}

template <class Node>
bool contains_volatile(const Node& node) {
  bool found = false;
  visit_all(
      node,
      [&](const Expr& expr) {
        const auto* function = expr.as<Function>();
        if (function != nullptr && is_volatile_call(function->name, function->info)) found = true;
      },
      [&](const Rel& rel) { found = found || is_volatile_operator(rel); });
  return found;
}

}  // namespace

void add_references(const Expr& node, AttributeSet& references) {
  visit_all(
      node,
      [&](const Expr& expr) {
        if (const auto* id = column_id(expr)) references.add(*id);
      },
      ignore);
}

void add_references(const Rel& node, AttributeSet& references) {
  visit_all(
      node,
      [&](const Expr& expr) {
        if (const auto* id = column_id(expr)) references.add(*id);
      },
      ignore);
}

void add_produced(const Expr& node, AttributeSet& produced) {
  visit_all(node, ignore, [&](const Rel& rel) { for_each_produced(rel, [&](AttributeId id) { produced.add(id); }); });
}

void add_produced(const Rel& node, AttributeSet& produced) {
  visit_all(node, ignore, [&](const Rel& rel) { for_each_produced(rel, [&](AttributeId id) { produced.add(id); }); });
}

AttributeSet references(const Expr& expr) {
  AttributeSet used;
  add_references(expr, used);
  if (has_subquery(expr)) {
    AttributeSet produced;
    add_produced(expr, produced);
    used -= produced;
  }
  return used;
}

AttributeSet references(const std::vector<Expr>& exprs) {
  AttributeSet used;
  for (const auto& expr : exprs) used |= references(expr);
  return used;
}

AttributeSet free_attributes(const Rel& rel) {
  AttributeSet used;
  AttributeSet produced;
  add_references(rel, used);
  add_produced(rel, produced);
  return used - produced;
}

AttributeSet references_of_operator(const Rel& rel) {
  AttributeSet used;
  for_each_expr(rel, [&](const Expr& expr) { used |= references(expr); });
  return used;
}

bool has_subquery(const Expr& expr) {
  bool found = false;
  for_each_rel(expr, [&](const Rel&) { found = true; });
  if (!found) for_each_expr(expr, [&](const Expr& operand) { found = found || has_subquery(operand); });
  return found;
}

bool is_volatile(const Expr& expr) { return contains_volatile(expr); }
bool is_volatile(const Rel& rel) { return contains_volatile(rel); }

bool is_constant(const Expr& expr) {
  if (expr.is<Column>() || expr.is<Parameter>() || expr.is<ScalarSubquery>() || expr.is<Exists>() ||
      expr.is<InSubquery>())
    return false;
  if (const auto* function = expr.as<Function>()) {
    if (is_volatile_call(function->name, function->info) || function->name.starts_with("current_")) return false;
  }
  bool constant = true;
  for_each_expr(expr, [&](const Expr& operand) { constant = constant && is_constant(operand); });
  return constant;
}

namespace {

void rename_id(AttributeId& id, const Renaming& renaming) {
  if (const auto found = renaming.find(id); found != renaming.end()) id = found->second;
}

}  // namespace

void rename(Expr& expr, const Renaming& renaming) {
  if (auto* column = expr.as<Column>()) rename_id(column->id, renaming);
  for_each_expr(expr, [&](Expr& operand) { rename(operand, renaming); });
  for_each_rel(expr, [&](Rel& rel) { rename(rel, renaming); });
}

void rename(Rel& rel, const Renaming& renaming) {
  for_each_expr(rel, [&](Expr& expr) { rename(expr, renaming); });
  for_each_rel(rel, [&](Rel& input) { rename(input, renaming); });
  // The ids of pass-through items must change with the columns that they pass on, so rename all ids, whether produced
  // here or not.
  std::visit(Overloaded{
                 [](auto&) {},
                 [&](Project& n) {
                   for (auto& item : n.items) rename_id(item.id, renaming);
                 },
                 [&](Aggregate& n) {
                   for (auto& key : n.keys) rename_id(key.id, renaming);
                   for (auto& call : n.calls) rename_id(call.id, renaming);
                 },
                 [&](Scan& n) {
                   for (auto& column : n.columns) rename_id(column.id, renaming);
                   rename_id(n.row, renaming);
                 },
                 [&](TableFunction& n) {
                   for (auto& column : n.columns) rename_id(column.id, renaming);
                 },
                 [&](Values& n) {
                   for (auto& id : n.ids) rename_id(id, renaming);
                 },
                 [&](Window& n) {
                   for (auto& call : n.calls) rename_id(call.id, renaming);
                 },
                 [&](SetOp& n) {
                   for (auto& id : n.ids) rename_id(id, renaming);
                 },
                 [&](Recursive& n) {
                   for (auto& id : n.ids) rename_id(id, renaming);
                 },
                 [&](RecursiveRef& n) {
                   for (auto& id : n.ids) rename_id(id, renaming);
                 },
             },
             rel.node);
}

namespace {

void renumber_recursions(Rel& rel, Plan& plan) {
  if (auto* recursive = rel.as<Recursive>()) {
    const int old = recursive->number;
    const int fresh = plan.recursions++;
    recursive->number = fresh;
    for (auto& step : recursive->steps) {
      walk(step, [&](RecursiveRef& ref) {
        if (ref.number == old) ref.number = fresh;
      });
    }
  }
}

}  // namespace

Rel copy_with_new_ids(const Rel& rel, Plan& plan, Renaming* renaming) {
  Rel copy = rel;
  AttributeSet produced;
  add_produced(copy, produced);
  Renaming fresh;
  produced.for_each([&](AttributeId id) { fresh.emplace(id, plan.add_attribute_like(id)); });
  rename(copy, fresh);
  walk(copy, [&](Rel& inner) { renumber_recursions(inner, plan); });
  if (renaming != nullptr) *renaming = std::move(fresh);
  return copy;
}

}  // namespace trustsql::plan
