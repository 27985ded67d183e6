// Which elements of the schema a query uses, and in which clauses: the tables, views and columns that its names mean.
//
// A column counts where it is named, by * or in USING as well; a name that is an alias counts as what it stands for. A
// table of which no column is named, as in SELECT count(*) FROM t, counts without a column. Columns of subqueries and
// common tables are no elements of the schema: what is used is what is named inside them. The same holds for views,
// which are elements themselves, though: what their definitions name is used `via` the view, all of it, since SQLite
// reads it so.
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
  std::string_view name{};           // of the column, "rowid", or empty for no_column
  std::string_view declared_type{};  // of the column; empty where the catalog has none
  Clause clause = Clause::select;
  const Table* via = nullptr;  // the outermost view in whose definition it is used; nullptr: in the query itself

  static constexpr int no_column = -2;

  friend bool operator==(const SchemaUse&, const SchemaUse&) = default;
};

// Every different use, in the order of the query: clause by clause of its outermost level, subqueries where they stand.
// The texts are those of the resolution and its catalog.
std::vector<SchemaUse> schema_uses(const Resolution& resolution);

}  // namespace trustsql
