// Which elements of the schema a query uses, and in which clauses: the tables, views and columns that its names refer
// to.
//
// A column is used where it is named, including by * or in USING; an alias counts as the expression that it stands for.
// A table of which no column is named, as in SELECT count(*) FROM t, is used without a column. Columns of subqueries
// and common tables are not elements of the schema: the elements named inside them are used. The same holds for views,
// except that they are elements themselves: everything in their definitions is used `via` the view, since SQLite
// evaluates all of it.
#pragma once

#include <string_view>
#include <vector>

#include "sql/resolver.hpp"

namespace trustsql {

enum class Clause : std::uint8_t { select, from, join, where, group_by, having, order_by, limit };

// "select", "from" (arguments of table-valued functions, tables without columns), "join" (ON, USING, NATURAL), "where",
// "group by", "having", "order by", "limit".
std::string_view clause_name(Clause clause);

struct SchemaUse {
  std::string_view schema;
  const Table* table = nullptr;
  int column = 0;                    // position among the columns; ColumnId::rowid; or no_column
  std::string_view name{};           // the column's name, "rowid", or empty for no_column
  std::string_view declared_type{};  // the column's; empty if the catalog has none
  Clause clause = Clause::select;
  const Table* via = nullptr;  // the outermost view whose definition uses it; nullptr: the query itself does

  static constexpr int no_column = -2;

  friend bool operator==(const SchemaUse&, const SchemaUse&) = default;
};

// All distinct uses, in the order of the query: clause by clause of its outermost level, with subqueries in their
// places. The strings belong to the resolution and its catalog.
std::vector<SchemaUse> schema_uses(const Resolution& resolution);

}  // namespace trustsql
