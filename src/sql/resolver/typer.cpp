#include "sql/resolver/typer.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace trustsql::resolver {

using Strength = Collation::Strength;

std::string_view collation_name(std::string_view name) {
  for (const std::string_view built_in : {"BINARY", "NOCASE", "RTRIM"}) {
    if (equals_ignore_case(name, built_in)) return built_in;
  }
  return name.empty() ? std::string_view("BINARY") : name;
}

namespace {

// The types of the values that are not NULL in a column. Virtual tables may return anything.
TypeSet stored_types(const Table& table, const Column& column) {
  if (column.enforced_type) return *column.enforced_type;
  if (table.kind == Table::Kind::virtual_table || table.kind == Table::Kind::shadow_table)
    return types::any.without_null();
  switch (column.affinity) {
    case Affinity::text: return types::text | types::blob;
    case Affinity::real: return types::real | types::text | types::blob;
    default: return types::any.without_null();
  }
}

// Whether the query always has a row: an ungrouped aggregate, or a query without FROM.
bool always_has_row(const ResolvedQuery& query) {
  const ResolvedSelect& select = *query.arms.front();
  if (query.arms.size() != 1 || query.node->limit) return false;
  if (select.values != nullptr) return true;
  if (select.node->having) return false;
  return select.is_aggregate ? select.group_by.empty() : select.from.empty() && !select.node->where;
}

}  // namespace

ExprType column_type(const Table& table, std::size_t column) {
  const Column& declared = table.columns[column];
  if (declared.is_rowid_alias) return {.affinity = Affinity::integer, .types = types::integer};
  const bool is_kept_from_null = declared.not_null && table.kind != Table::Kind::virtual_table;
  const TypeSet stored = stored_types(table, declared);
  return {.affinity = declared.affinity,
          .collation = {collation_name(declared.collation), Strength::column},
          .types = is_kept_from_null ? stored : stored.with_null()};
}

void Typer::query(ResolvedQuery& query) {
  if (typed_.find(&query) != nullptr) return;
  typed_[&query] = true;
  const bool all_arms_count = tables_.version >= 3'041'000;
  for (std::size_t i = 0; i < query.arms.size(); ++i) {
    if (static_cast<int>(i) == query.first_recursive_arm && all_arms_count) settle_recursive_affinities(query);
    select(const_cast<ResolvedSelect&>(*query.arms[i]));
    columns(query, i);
  }
  if (query.first_recursive_arm < 0 && all_arms_count) settle_affinities(query, {});
  order_by(query);
  if (query.node->limit) expr(*query.node->limit);
  if (query.node->offset) expr(*query.node->offset);
}

// The first arm determines how the query's columns compare, up to SQLite 3.40; their possible types come from all arms.
void Typer::columns(ResolvedQuery& query, std::size_t arm) {
  const auto op = query.node->arms[arm].op;
  for (std::size_t i = 0; i < query.columns.size(); ++i) {
    ExprType& type = query.columns[i].type;
    const ExprType& added = query.arms[arm]->columns[i].type;
    if (arm == 0) {
      type = added;
      type.collation.strength = Strength::column;
    } else if (op != ast::SetOp::except) {
      type.types = type.types | added.types;
    }
  }
}

void Typer::order_by(ResolvedQuery& query) {
  const bool is_compound = query.arms.size() > 1;
  const ResolvedSelect& select = *query.arms.front();
  const bool single_row = select.is_aggregate && select.group_by.empty();
  if (single_row) single_rows_.push_back(&select);
  for (auto& resolved : query.order_by) {
    if (!is_compound) expr(*resolved.expr);
    resolved.type = term(resolved, is_compound ? query.columns : select.columns);
    if (!is_compound) continue;
    if (!resolved.expr->is<ast::Collate>() && !query.sorted_as_subquery) {
      // The collation of the first arm whose column has one.
      auto& collation = resolved.type.collation = {};
      for (const auto* arm : query.arms) {
        if (collation.strength == Strength::none)
          collation = arm->columns[static_cast<std::size_t>(resolved.column)].type.collation;
      }
    }
    tables_.types[resolved.expr] = resolved.type;
  }
  if (single_row) single_rows_.pop_back();
}

ExprType Typer::term(const ResolvedTerm& term, const std::vector<OutputColumn>& columns) {
  if (term.column < 0) return expr(*term.expr).type;
  ExprType type = columns[static_cast<std::size_t>(term.column)].type;
  if (const auto* collate = term.expr->as<ast::Collate>()) {
    type.collation = {collation_name(collate->collation.text), Strength::collate};
  }
  return type;
}

// Result columns come before the clauses that can use their aliases.
void Typer::select(ResolvedSelect& select) {
  from(select.from);
  const bool single_row = select.is_aggregate && select.group_by.empty();
  if (single_row) single_rows_.push_back(&select);
  for (auto& column : select.columns) column.type = expr(*column.expr).type;
  if (select.node != nullptr && select.node->having) expr(*select.node->having);
  if (single_row) single_rows_.pop_back();

  if (select.values != nullptr) {
    for (const auto& row : select.values->rows) {
      for (std::size_t i = 0; i < row.size(); ++i) {
        TypeSet& types = select.columns[i].type.types;
        types = types | expr(row[i]).type.types;
      }
    }
    return;
  }
  conditions(select.from);
  if (select.where != nullptr) expr(*select.where);
  for (auto& resolved : select.group_by) {
    expr(*resolved.expr);
    resolved.type = term(resolved, select.columns);
  }
}

void Typer::from(const std::vector<ResolvedFromItem>& items) {
  for (const auto& item : items) {
    from(item.group);
    if (item.relation != nullptr) relation(const_cast<Relation&>(*item.relation));
  }
}

void Typer::conditions(const std::vector<ResolvedFromItem>& items) {
  for (const auto& item : items) {
    conditions(item.group);
    for (const auto& pair : item.using_columns) {
      expr(*pair.left);
      expr(*pair.right);
    }
    if (item.on != nullptr) expr(*item.on);
    if (item.relation == nullptr) continue;
    const auto* function = std::get_if<ast::TableFunction>(&item.relation->item->source);
    if (function == nullptr) continue;
    for (const auto& argument : function->arguments) expr(argument);
  }
}

void Typer::relation(Relation& relation) {
  const bool is_recursive = relation.kind == Relation::Kind::recursive_table;
  if (relation.query != nullptr && !is_recursive) query(const_cast<ResolvedQuery&>(*relation.query));
  for (std::size_t i = 0; i < relation.columns.size(); ++i) {
    ExprType& type = relation.columns[i].type;
    if (relation.query == nullptr) {
      type = column_type(*relation.table, i);
    } else {
      type = relation.query->columns[i].type;
      if (relation.typed_by_last_arm) {
        const ExprType& last = relation.query->arms.back()->columns[i].type;
        relation.columns[i].is_open = !last.collation.same_order(type.collation);
        type.affinity = last.affinity;
        type.collation.name = last.collation.name;
      }
      // The types that later steps of a recursion add are not determined.
      if (is_recursive) type.types = types::any;
    }
    if (relation.null_extended) type.types = type.types.with_null();
  }
}

Typer::Typed Typer::of_subquery(const ast::Subquery& node) {
  auto* const* query = tables_.query_of.find(node.query.get());
  if (query == nullptr || (*query)->columns.empty()) return {};
  this->query(**query);
  Typed typed;
  typed.type.affinity = affinity(*terms_of_column(**query, 0).back());
  typed.type.types = (*query)->columns.front().type.types;
  if (!always_has_row(**query)) typed.type.types = typed.type.types.with_null();
  return typed;
}

ExprType Typer::column(ColumnId id) const {
  if (id.column != ColumnId::rowid) return id.relation->columns[static_cast<std::size_t>(id.column)].type;
  if (id.relation->query != nullptr) return {.affinity = Affinity::integer, .types = types::integer.with_null()};
  return {.affinity = Affinity::integer,
          .types = id.relation->null_extended ? types::integer.with_null() : types::integer};
}

}  // namespace trustsql::resolver
