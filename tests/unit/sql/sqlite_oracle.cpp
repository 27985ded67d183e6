#include "unit/sql/sqlite_oracle.hpp"

#include <algorithm>
#include <map>

#include "base/text.hpp"
#include "sql/ast_walk.hpp"
#include "sql/built_in_tables.hpp"

namespace trustsql::testing_support {

Prepared prepare(sqlite3* db, const std::string& sql) {
  Prepared prepared;
  sqlite3_set_authorizer(
      db,
      [](void* data, int action, const char* table, const char* column, const char* schema, const char*) {
        if (action != SQLITE_READ) return SQLITE_OK;
        // If no column is read, the schema is not reported.
        const std::string qualified = column[0] == '\0' ? table : std::string(schema) + "." + table;
        static_cast<Prepared*>(data)->reads.emplace(to_lower_ascii(qualified), to_lower_ascii(column));
        return SQLITE_OK;
      },
      &prepared);
  sqlite3_stmt* statement = nullptr;
  prepared.ok = sqlite3_prepare_v2(db, sql.c_str(), static_cast<int>(sql.size()), &statement, nullptr) == SQLITE_OK;
  if (!prepared.ok) prepared.message = sqlite3_errmsg(db);
  for (int i = 0; i < sqlite3_column_count(statement); ++i)
    prepared.names.emplace_back(sqlite3_column_name(statement, i));
  sqlite3_finalize(statement);
  sqlite3_set_authorizer(db, nullptr, nullptr);
  return prepared;
}

std::vector<std::string> names(const Resolution& resolution) {
  std::vector<std::string> names;
  for (const auto& column : resolution.query().columns) names.emplace_back(column.name);
  return names;
}

namespace {

bool has_group(const Resolution& resolution) {
  const auto in_items = [](const auto& self, const std::vector<ResolvedFromItem>& items) -> bool {
    return std::any_of(items.begin(), items.end(),
                       [&](const ResolvedFromItem& item) { return !item.group.empty() || self(self, item.group); });
  };
  return std::any_of(resolution.relations().begin(), resolution.relations().end(),
                     [&](const Relation* relation) { return in_items(in_items, relation->select->from); });
}

bool has_table_function(const Resolution& resolution) {
  return std::any_of(resolution.relations().begin(), resolution.relations().end(),
                     [](const Relation* relation) { return relation->kind == Relation::Kind::table_function; });
}

bool has_pragma(const Resolution& resolution) {
  return std::any_of(resolution.relations().begin(), resolution.relations().end(), [](const Relation* relation) {
    return relation->table != nullptr && relation->table->name.rfind("pragma_", 0) == 0;
  });
}

// A subquery or common table, which SQLite calls a table of main if it has materialised it.
bool is_subquery(const Resolution& resolution, std::string_view table) {
  if (table.starts_with("main.(subquery-")) return true;
  return std::any_of(resolution.relations().begin(), resolution.relations().end(), [&](const Relation* relation) {
    if (relation->query == nullptr || relation->table != nullptr) return false;
    const auto* common_table = relation->common_table;
    return table == "main." + to_lower_ascii(relation->name) ||
           (common_table != nullptr && table == "main." + to_lower_ascii(common_table->name.text));
  });
}

bool has_subquery_in_from(const Resolution& resolution) {
  return std::any_of(resolution.relations().begin(), resolution.relations().end(),
                     [](const Relation* relation) { return relation->query != nullptr; });
}

// The bare names that the ORDER BYs of compound queries consist of.
std::set<std::string> compound_order_names(const Resolution& resolution) {
  std::set<std::string> names;
  const auto add = [&](const ResolvedQuery& query) {
    for (const auto& term : query.order_by) {
      const auto* collate = term.expr->as<ast::Collate>();
      const auto* ref = (collate != nullptr ? *collate->operand : *term.expr).as<ast::ColumnRef>();
      if (query.arms.size() > 1 && ref != nullptr) names.insert(to_lower_ascii(ref->column.text));
    }
  };
  add(resolution.query());
  for (const auto* relation : resolution.relations()) add(*relation->select->query);
  return names;
}

// Whether ORDER BY has a subquery.
bool orders_by_subquery(const Resolution& resolution) {
  bool has_subquery = false;
  ast::walk(*resolution.query().node,
            [&](const ast::OrderTerm& term) { ast::walk(term, [&](const ast::Query&) { has_subquery = true; }); });
  return has_subquery;
}

}  // namespace

Comparison compare_reads(const Elements& sqlite, const Resolution& resolution) {
  Comparison comparison;
  const auto explained = [&](bool applies, std::string_view how) {
    if (applies) comparison.classes.insert(how);
    return applies;
  };
  const bool with_group = has_group(resolution);
  const auto order_names = compound_order_names(resolution);
  const bool may_drop_tables =
      !order_names.empty() || has_subquery_in_from(resolution) || orders_by_subquery(resolution);

  Elements ours;
  Elements joined;
  std::map<Element, const Table*> tables;
  for (const auto& use : schema_uses(resolution)) {
    const bool has_column = use.column != SchemaUse::no_column;
    std::string table(name_in_sqlite(*use.table));
    if (has_column) table.insert(0, use.table->schema + ".");
    const Element element(to_lower_ascii(table), to_lower_ascii(use.name));
    if (use.clause == Clause::join) joined.insert(element);
    ours.insert(element);
    tables[element] = use.table;
  }
  for (const auto& element : ours) {
    if (sqlite.count(element) != 0) continue;
    const bool is_table = element.second.empty();
    if (explained(joined.count(element) != 0, "columns that USING and NATURAL equate") ||
        explained(is_table && with_group, "tables in parenthesised joins") ||
        explained(is_table && tables[element]->is_internal(), "the schema table without a column") ||
        explained(is_table && may_drop_tables, "tables in what SQLite drops")) {
      continue;
    }
    comparison.unexplained += " +" + element.first + "." + element.second;
  }
  for (const auto& [table, column] : sqlite) {
    if (ours.count({table, column}) != 0) continue;
    const bool is_schema = table == "main.sqlite_master";
    if (explained(column.empty(), "tables of which one instance has no column") ||
        explained(with_group, "columns in parenthesised joins") ||
        explained(is_schema && (has_pragma(resolution) || (column == "rowid" && has_table_function(resolution))),
                  "the schema table behind others") ||
        explained(order_names.count(column) != 0, "names in ORDER BY behind a compound query") ||
        explained(is_subquery(resolution, table), "columns of subqueries as if they were tables")) {
      continue;
    }
    comparison.unexplained += " -" + table + "." + column;
  }
  return comparison;
}

}  // namespace trustsql::testing_support
