#include "plan/show/names.hpp"

#include "db/catalog/catalog.hpp"
#include "plan/walk.hpp"

namespace trustsql::plan {

ShownNames::ShownNames(const Plan& plan, Naming naming)
    : plan_(plan), naming_(naming), attributes_(plan.attributes.size()) {
  visit(plan.root);
}

std::string ShownNames::unique(std::string name) {
  const int count = ++used_[name];
  if (count == 1) return name;
  auto numbered = name + "_" + std::to_string(count);
  while (used_.count(numbered) > 0) numbered += "_";
  used_[numbered] = 1;
  return numbered;
}

void ShownNames::name_computed(AttributeId id, std::string_view canonical) {
  if (!attributes_[id].name.empty()) return;
  const auto given = plan_.attributes[id].name;
  attributes_[id].name = unique(std::string(naming_ == Naming::query && !given.empty() ? given : canonical));
}

void ShownNames::name_columns(const Rel& rel, std::string_view table, std::string_view alias,
                              const std::vector<TableColumn>& columns) {
  const auto instance = unique(std::string(naming_ == Naming::query && !alias.empty() ? alias : table));
  instances_[&rel] = instance;
  for (const auto& column : columns) {
    // The catalog's spelling, not the query's.
    const auto& attribute = plan_.attributes[column.id];
    attributes_[column.id] = {instance, std::string(column.position < 0 ? "rowid" : attribute.name)};
  }
}

void ShownNames::visit(const Expr& expr) {
  for_each_expr(expr, [&](const Expr& operand) { visit(operand); });
  for_each_rel(expr, [&](const Rel& rel) {
    subqueries_[&rel] = "subquery" + std::to_string(subqueries_.size() + 1);
    visit(rel);
  });
}

void ShownNames::visit(const Rel& rel) {
  // From the leaves up, so that a name is assigned at its origin.
  for_each_rel(rel, [&](const Rel& input) { visit(input); });
  for_each_expr(rel, [&](const Expr& expr) { visit(expr); });
  std::visit(Overloaded{
                 [](const auto&) {},
                 [&](const Scan& n) { name_columns(rel, n.name, n.alias, n.columns); },
                 [&](const TableFunction& n) { name_columns(rel, n.name, n.alias, n.columns); },
                 [&](const Values& n) {
                   for (const auto id : n.ids) name_computed(id, "column");
                 },
                 [&](const Project& n) {
                   for (const auto& item : n.items) name_computed(item.id, "expr");
                 },
                 [&](const Aggregate& n) {
                   for (const auto& key : n.keys) name_computed(key.id, "key");
                   for (const auto& call : n.calls) name_computed(call.id, call.is_bare() ? "any" : call.name);
                 },
                 [&](const Window& n) {
                   for (const auto& call : n.calls) name_computed(call.id, call.name);
                 },
                 [&](const SetOp& n) {
                   for (const auto id : n.ids) name_computed(id, "column");
                 },
                 [&](const Recursive& n) {
                   for (const auto id : n.ids) name_computed(id, "column");
                 },
                 [&](const RecursiveRef& n) {
                   for (const auto id : n.ids) name_computed(id, "column");
                 },
             },
             rel.node);
}

}  // namespace trustsql::plan
