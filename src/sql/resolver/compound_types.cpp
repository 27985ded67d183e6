// Typer: the affinities that a subquery in FROM has from all arms of a compound query, as in SQLite 3.41 and later
// (sqlite3SubqueryColumnTypes in select.c). Up to 3.40, those of the first arm are all that counts.

#include "sql/ast_walk.hpp"
#include "sql/folding.hpp"
#include "sql/resolver/typer.hpp"

namespace trustsql::resolver {

namespace {

constexpr TypeSet any_value = types::number | types::text | types::blob;

}  // namespace

// The expressions that give a column its values: one for each arm, of which a row of VALUES is one. (From 3.46 on,
// SQLite may have computed constant rows when it gets here, and then looks at the first alone. If that makes a
// difference, the rows have different affinities, and no proof relies on how they compare.)
std::vector<const ast::Expr*> Typer::terms_of_column(const ResolvedQuery& query, std::size_t column) {
  std::vector<const ast::Expr*> terms;
  for (const auto* arm : query.arms) {
    if (arm->values == nullptr) {
      terms.push_back(arm->columns[column].expr);
      continue;
    }
    for (const auto& row : arm->values->rows) terms.push_back(&row[column]);
  }
  return terms;
}

// The affinity of each column is that of the first arm, or from 3.46 on of the first arm that has one. A column of
// texts that may also hold numbers, or of numbers that may also hold texts, gets BLOB: it converts nothing.
//
// `recursive`: the relations that stand for the query in itself. While SQLite settles a column, they have the
// affinities found so far.
void Typer::settle_affinities(ResolvedQuery& query, const std::vector<Relation*>& recursive) {
  for (std::size_t i = 0; i < query.columns.size(); ++i) {
    const auto terms = terms_of_column(query, i);
    Affinity& settled = query.columns[i].type.affinity;
    const auto set = [&](Affinity affinity) {
      settled = affinity;
      for (auto* relation : recursive) relation->columns[i].type.affinity = affinity;
    };
    set(affinity(*terms.front()));
    TypeSet values;
    std::size_t arm = 0;
    while (settled == Affinity::none && arm + 1 < terms.size() && tables_.version >= 3'046'000) {
      values = values | data_types(*terms[arm]);
      set(affinity(*terms[++arm]));
    }
    if (settled < Affinity::text) continue;
    for (++arm; arm < terms.size(); ++arm) values = values | data_types(*terms[arm]);
    const TypeSet others = settled == Affinity::text ? types::number : types::text;
    if (!(values & others).empty()) {
      set(Affinity::blob);
    } else if (is_numeric(settled) && terms.size() > 1 && terms.front()->is<ast::Cast>()) {
      set(Affinity::numeric);
    }
  }
}

// SQLite looks at the recursive arms before it has typed any expression in them.
void Typer::settle_recursive_affinities(ResolvedQuery& query) {
  std::vector<Relation*> recursive;
  for (auto& column : query.columns) column.type.affinity = Affinity::none;
  for (auto i = static_cast<std::size_t>(query.first_recursive_arm); i < query.arms.size(); ++i) {
    const ResolvedSelect& arm = *query.arms[i];
    from(arm.from);
    for (const auto& column : arm.columns) {
      ast::walk(*column.expr, [&](const ast::Query& node) {
        if (auto* const* subquery = tables_.query_of.find(&node)) {
          for (const auto* inner : (*subquery)->arms) from(inner->from);
        }
      });
    }
    for (const auto& item : arm.from) {
      if (item.relation != nullptr && item.relation->query == &query)
        recursive.push_back(const_cast<Relation*>(item.relation));
    }
  }
  settle_affinities(query, recursive);
}

// sqlite3ExprAffinity in expr.c.
Affinity Typer::affinity(const ast::Expr& expr) const {
  if (is_dropped(expr, tables_.version)) return Affinity::none;
  if (const auto* collate = expr.as<ast::Collate>()) return affinity(*collate->operand);
  if (const auto* cast = expr.as<ast::Cast>())
    return cast->type.empty() ? Affinity::numeric : affinity_of_type(cast->type);
  if (const auto* row = expr.as<ast::Row>()) return affinity(row->elements.front());
  if (const auto* subquery = expr.as<ast::Subquery>()) {  // its last arm counts
    auto* const* query = tables_.query_of.find(subquery->query.get());
    return query != nullptr && !(*query)->columns.empty() ? affinity(*terms_of_column(**query, 0).back())
                                                          : Affinity::none;
  }
  const auto* binding = tables_.binding(expr);
  if (binding == nullptr) return Affinity::none;
  switch (binding->kind) {
    case ColumnBinding::Kind::column: return column(binding->column).affinity;
    case ColumnBinding::Kind::coalesce:
      return binding->merged == ColumnBinding::Merged::typed ? column(binding->column).affinity : Affinity::none;
    case ColumnBinding::Kind::alias:
      return affinity(*binding->select->columns[static_cast<std::size_t>(binding->item)].expr);
    default: return Affinity::none;
  }
}

TypeSet Typer::data_types(Affinity affinity) {
  if (is_numeric(affinity)) return types::number | types::blob;
  return affinity == Affinity::text ? types::text | types::blob : any_value;
}

// The types that SQLite takes the expression for (sqlite3ExprDataType in expr.c), which are not always those that it
// has: it knows nothing of functions, and takes x || y for a text or a blob.
TypeSet Typer::data_types(const ast::Expr& expr) const {
  if (is_dropped(expr, tables_.version)) return types::number;
  const auto visit = ast::Overloaded{
      [&](const ast::Literal& node) {
        using Kind = ast::Literal::Kind;
        if (node.kind >= Kind::current_date) return any_value;
        return view(node.value()).type == ValueType::null ? TypeSet() : TypeSet(view(node.value()).type);
      },
      [&](const ast::ColumnRef& node) {
        const auto* binding = tables_.bindings.find(&node);
        if (binding == nullptr) return any_value;
        switch (binding->kind) {
          case ColumnBinding::Kind::string: return types::text;
          case ColumnBinding::Kind::boolean: return types::number;
          case ColumnBinding::Kind::coalesce:
            return binding->merged == ColumnBinding::Merged::passed ? data_types(affinity(expr)) : any_value;
          case ColumnBinding::Kind::alias:
            return data_types(*binding->select->columns[static_cast<std::size_t>(binding->item)].expr);
          default: return data_types(affinity(expr));
        }
      },
      [](const ast::Parameter&) { return any_value; },
      [&](const ast::Unary& node) { return node.op == ast::UnaryOp::plus ? data_types(*node.operand) : types::number; },
      [](const ast::Binary& node) {
        using Op = ast::BinaryOp;
        if (node.op == Op::arrow || node.op == Op::double_arrow) return any_value;  // functions
        return node.op == Op::concat ? types::text | types::blob : types::number;
      },
      [](const ast::Like& node) { return node.negated ? types::number : any_value; },  // a function
      [&](const ast::Case& node) {
        TypeSet results;
        for (const auto& branch : node.branches) results = results | data_types(*branch.result);
        return node.otherwise ? results | data_types(*node.otherwise) : results;
      },
      [&](const ast::Cast&) { return data_types(affinity(expr)); },
      [&](const ast::Collate& node) { return data_types(*node.operand); },
      [](const ast::Call&) { return any_value; },
      [&](const ast::Subquery&) { return data_types(affinity(expr)); },
      [&](const ast::Row&) { return data_types(affinity(expr)); },
      [](const auto&) { return types::number; },
  };
  return std::visit(visit, expr.node);
}

}  // namespace trustsql::resolver
