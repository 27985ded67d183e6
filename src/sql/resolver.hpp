// The resolver: what every name of a query means, by SQLite's rules (https://sqlite.org/lang_select.html, and its
// behaviour where the documents are silent).
//
//   auto resolution = resolve(query, catalog);
//   resolution->query()              the query's columns, its arms, their FROM items, in ResolvedQuery, ResolvedSelect
//   ... resolution->binding(column_ref)  what a column name means resolution->type(expr)           affinity, collation,
//   possible types of any expression resolution->call(call)           scalar, aggregate or window, and of which SELECT
//
// The syntax tree stays as it is; the findings stand in tables beside it, under the addresses of its nodes. Where a
// query names something that stands for more syntax, the resolution has trees of its own for it and finds the same
// about them:
//
//   - Each use of a view or common table gets its own copy of the definition, resolved for that use. So every Relation
//   is
//     one instance: two uses of one common table have different Relations in different ResolvedQuerys, as two uses of a
//     table do, and (Relation, column) identifies a column within the whole query.
//   - * and t.* are expanded into ColumnRefs, as are the two sides of what USING and NATURAL equate.
//   - x IN t and x IN f(...) are read as x IN (SELECT * FROM ...).
//
// What SQLite never looks at is not resolved either: definitions of common tables and windows that nothing uses, what
// its parser replaces by a constant (sql/folding.hpp), the conditions of a SELECT that ResolvedSelect::where tells of.
// Of the arguments in x IN f(...) only the copy in the resolution's own tree is.
//
// A Resolution refers to the query, which must neither move nor change, and to the catalog; both must outlive it. It
// does not change after resolve() has returned, so that threads may read it at the same time.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "db/catalog.hpp"
#include "sql/ast.hpp"
#include "sql/expr_type.hpp"
#include "sql/functions.hpp"
#include "sql/token.hpp"

namespace trustsql {

struct Relation;
struct ResolvedSelect;
struct ResolvedQuery;

// --- columns
// -----------------------------------------------------------------------------------------------------------

// A column of one relation instance.
struct ColumnId {
  static constexpr int rowid = -1;

  const Relation* relation = nullptr;
  int column =
      0;  // position in Relation::columns, or `rowid`. A rowid alias is never `rowid` here, however it was named.

  friend bool operator==(const ColumnId&, const ColumnId&) = default;
};

// What a ColumnRef means.
struct ColumnBinding {
  enum class Kind : std::uint8_t {
    column,    // `column`
    coalesce,  // a USING or NATURAL column of a FULL JOIN: the first of `column` and `more` that is not NULL
    alias,     // the expression of result column `item` of `select`, evaluated where the name stands
    string,    // "x" that no column is called: the text x
    boolean,   // TRUE or FALSE that no column is called: 1 or 0
  };
  Kind kind = Kind::column;
  ColumnId column{};
  std::vector<ColumnId> more{};  // of coalesce
  const ResolvedSelect* select =
      nullptr;    // the SELECT in whose scope the name was found; of string and boolean: nullptr
  int item = -1;  // of alias
  int depth = 0;  // how many SELECTs further out `select` is: 0 the one that the name stands in; > 0 correlated
};

struct RelationColumn {
  std::string_view name;
  ExprType type{};      // as the columns of the FROM clause have it: NULL included where an outer join may add it
  bool hidden = false;  // found by name, but not in *
};

// --- FROM
// ----------------------------------------------------------------------------------------------------------------

// One instance of something that rows come from.
struct Relation {
  enum class Kind : std::uint8_t {
    table,            // a table of the catalog, virtual ones without arguments included
    view,             // a view of the catalog; `query` is its definition
    subquery,         // (SELECT ...)
    common_table,     // a use of a WITH table; `query` is its definition
    recursive_table,  // in the recursive part of a common table: the rows that the step before gave; `query` is the
                      // whole definition
    table_function,   // a virtual table with arguments
  };
  Kind kind = Kind::table;
  int id = 0;                    // unique in the Resolution
  std::string_view name;         // what columns are qualified with: the alias, or the name; empty if there is none
  std::string_view schema_name;  // of the catalog's ones; else empty
  const Table* table = nullptr;  // of table, view, table_function
  const ResolvedQuery* query = nullptr;  // of view, subquery, common_table, recursive_table
  const ast::CommonTable* common_table =
      nullptr;  // of common_table and recursive_table: where the query defines it; the same for all its uses
  const ast::FromItem* item = nullptr;
  const ResolvedSelect* select = nullptr;  // whose FROM it stands in
  std::vector<RelationColumn> columns{};   // in order, hidden ones included
  bool has_rowid = false;      // rowid, oid and _rowid_ exist; where there is a `query`, NULL or any integer
  bool null_extended = false;  // an outer join of its FROM may fill it with NULLs
  bool correlated = false;     // of those with a query: it refers to an outer SELECT; of table_function: its
                               // arguments refer to other tables of the FROM or an outer SELECT
};

// One pair of columns that USING or NATURAL equates: the condition left = right.
struct UsingColumn {
  std::string_view name;
  const ast::Expr* left =
      nullptr;  // ColumnRefs that the resolution made, with bindings and types; left may be a coalesce
  const ast::Expr* right = nullptr;
};

// An item of a FROM clause: a relation or a parenthesised join. Parentheses that mean nothing, those around the first
// items or around a single one, are gone here. Names of columns inside a parenthesised join are bound to the relations
// inside it.
struct ResolvedFromItem {
  const ast::FromItem* item = nullptr;  // whose join operator and condition apply; its source may stand in parentheses
  ast::JoinType join = ast::JoinType::comma;  // how it joins all items before it; meaningless for the first
  const ast::Expr* on = nullptr;              // may be nullptr; see ResolvedSelect::where
  std::vector<UsingColumn> using_columns{};   // of USING and NATURAL
  const Relation* relation = nullptr;         // nullptr for a parenthesised join
  std::vector<ResolvedFromItem> group{};      // of a parenthesised join
  bool group_is_empty = false;  // its conditions have become a 0, as ResolvedSelect::where tells of those of a SELECT
};

// --- SELECT
// ------------------------------------------------------------------------------------------------------------

// A column of a result.
struct OutputColumn {
  std::string_view name{};          // what sqlite3_column_name gives
  const ast::Expr* expr = nullptr;  // the item's expression; of * a ColumnRef that the resolution made
  ExprType type{};
};

// A term of ORDER BY or GROUP BY.
struct ResolvedTerm {
  const ast::Expr* expr = nullptr;  // as written, COLLATE included
  int column =
      -1;  // the result column that it stands for, by number, alias or as an equal expression; -1: `expr` itself
  ExprType type{};  // its collation is the one to sort or group by
};

// A SELECT, or a VALUES as an arm of a query.
struct ResolvedSelect {
  const ast::Select* node = nullptr;      // of a SELECT
  const ast::Values* values = nullptr;    // of VALUES; it has only `columns`, whose expr is the first row's
  const ResolvedQuery* query = nullptr;   // that it is an arm of
  const ResolvedSelect* outer = nullptr;  // the SELECT that encloses the query and whose names it sees
  std::vector<ResolvedFromItem> from{};
  // WHERE, nullptr if there is none. SQLite before 3.41 joins WHERE and all ON by AND and has nothing left of them
  // where one is the literal 0; then this is a 0 (also where ON was it), and the ON of `from` are gone.
  const ast::Expr* where = nullptr;
  std::vector<OutputColumn> columns{};
  std::vector<ResolvedTerm> group_by{};
  // It has GROUP BY or an aggregate of its own: one row a group, and without GROUP BY exactly one.
  bool is_aggregate = false;
  std::vector<const ast::Call*>
      aggregates{};  // the calls that are computed over its rows, wherever they stand, subqueries of it included
  std::vector<const ast::Call*> windows{};  // its window function calls
};

struct ResolvedQuery {
  const ast::Query* node = nullptr;
  std::vector<const ResolvedSelect*> arms{};  // in order
  // As the FROM clause of another query sees them: names, affinities and collations are those of the first arm, types
  // those of all. (The affinity and collation of a scalar subquery and of IN are those of the last arm's columns.)
  std::vector<OutputColumn> columns{};
  // Of a compound query `column` is never -1, and only the terms as wholes have types: what is below them is not
  // resolved.
  std::vector<ResolvedTerm> order_by{};
  // A term of ORDER BY with COLLATE behind UNION, INTERSECT or EXCEPT makes SQLite sort SELECT * FROM (the compound
  // query).
  bool sorted_as_subquery = false;
  bool correlated = false;       // some name in it means a column of a SELECT outside it
  int first_recursive_arm = -1;  // of a recursive common table: this and the later arms; -1: not recursive
};

// --- expressions
// -------------------------------------------------------------------------------------------------------

// A window with what it takes over from the named windows it refers to.
struct ResolvedWindow {
  std::vector<const ast::Expr*> partition_by{};
  std::vector<const ast::OrderTerm*> order_by{};
  const ast::Frame* frame = nullptr;  // nullptr: the default one. row_number and the like do not look at it
};

struct CallBinding {
  enum class Kind : std::uint8_t { scalar, aggregate, window };
  Kind kind = Kind::scalar;
  const SqlFunction* function = nullptr;
  const ResolvedSelect* select = nullptr;  // of aggregate: over whose rows; of window: the SELECT that it stands in
  int depth = 0;                           // of aggregate: how many SELECTs further out `select` is
  const ResolvedWindow* window = nullptr;  // of window
};

// --- the result
// --------------------------------------------------------------------------------------------------------

class Resolution {
 public:
  Resolution(Resolution&&) noexcept;
  Resolution& operator=(Resolution&&) noexcept;
  ~Resolution();

  const ResolvedQuery& query() const;

  // Precondition of all: the node is part of the query or of a tree of the resolution, and SQLite looks at it.
  const ResolvedQuery& query(const ast::Query& node) const;
  const ResolvedSelect& select(const ast::Select& node) const;
  const ResolvedQuery& set(
      const ast::In& node) const;  // the rows of x IN (SELECT ...), x IN t and x IN f(...); not of a list
  const ColumnBinding& binding(const ast::ColumnRef& node) const;
  const CallBinding& call(const ast::Call& node) const;
  const ExprType& type(const ast::Expr& node) const;  // of a row value: of its first element

  // The same of any node; nullptr for one that SQLite does not look at.
  const ColumnBinding* find_binding(const ast::ColumnRef& node) const;

  // All relations, by id: those of views and common tables included.
  const std::vector<const Relation*>& relations() const;

  struct Tables;
  explicit Resolution(std::unique_ptr<Tables> tables);  // resolve() makes them

 private:
  std::unique_ptr<Tables> tables_;
};

// Why a query does not resolve, in parts.
struct Diagnosis {
  enum class Kind : std::uint8_t {
    missing_column,
    ambiguous_column,
    missing_table,
    missing_function,
    function_arguments,  // wrong number of arguments
    misuse,              // aggregates, windows, row values, HAVING, ... where they may not stand
    columns,             // numbers of columns that do not fit: compound queries, subqueries, USING, common tables
    order_by,            // a term out of range or that matches nothing
    limit,               // more than SQLite takes: columns, tables, arguments, depth
    other,
  };
  Kind kind = Kind::other;
  std::string message{};  // SQLite's
  ast::Span span{};       // of the query's text; empty where the cause stands in a view
  std::string name{};     // the missing or ambiguous name, without its qualifiers
  std::string table{};    // its qualifier, if it has one
  std::string schema{};   // and that one's
  // Of missing and ambiguous columns: the relations in scope, innermost first, as the query calls them, and their
  // columns.
  struct Visible {
    std::string relation;
    std::vector<std::string> columns{};
  };
  std::vector<Visible> visible{};
};

struct ResolveOptions {
  const FunctionTable* functions = nullptr;  // nullptr: FunctionTable::latest()
  // Whether views and subqueries have a rowid, as in an SQLite compiled with SQLITE_ALLOW_ROWID_IN_VIEW.
  bool rowid_in_views = false;
  std::span<const std::string> collations = {};  // beside BINARY, NOCASE and RTRIM
  int version = latest_grammar;  // of SQLite, as SQLITE_VERSION_NUMBER, where names are found otherwise in later ones
  // The eponymous virtual table (https://sqlite.org/vtab.html#epovtab) of that name; nullptr if there is none. Asked
  // for names that neither the catalog nor SQLite itself has. What it gives must outlive the Resolution.
  std::function<const Table*(std::string_view name)> find_eponymous{};
};

// Resolves `query` against `catalog`.
//
// What SQLite 3.40 does otherwise, as far as random queries have shown; all of it is contrived. It takes what it never
// compiles: the other side of `OR 1`, of IS NULL after a NOT NULL column, aggregates of an outer query in columns of
// FROM subqueries that nothing uses. Behind a compound query whose ORDER BY has COLLATE it moves the last arm's GROUP
// BY and HAVING behind the whole, and repeats its DISTINCT there. Beside window functions it takes a term of GROUP BY
// that stands for a number for a column's number. Of several errors in one query it reports another one, once in some
// hundred such queries. Versions from 3.43 on also find rowids inside parenthesised joins.
//
// Errors: query_failed with SQLite's own message for what SQLite refuses as well, and then `diagnosis`, if given, says
// more; limit_exceeded if views and common tables expand into too much.
Result<Resolution> resolve(const ast::Query& query, const Catalog& catalog, const ResolveOptions& options = {},
                           Diagnosis* diagnosis = nullptr);

}  // namespace trustsql
