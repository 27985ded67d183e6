// The resolver: finds out what every name of a query means, by SQLite's rules (https://sqlite.org/lang_select.html, and
// SQLite's behaviour where the documentation is silent).
//
//   auto resolution = resolve(query, catalog);
//   resolution->query()                  the query's columns, its arms and their FROM items (ResolvedQuery,
//                                        ResolvedSelect)
//   resolution->binding(column_ref)      what a column name means
//   resolution->type(expr)               affinity, collation and possible types of any expression
//   resolution->call(call)               scalar, aggregate or window, and of which SELECT
//
// The syntax tree is not changed; the results are in tables beside it, keyed by the addresses of its nodes. If a name
// in the query stands for more syntax, the resolution has its own trees for that, with the same results:
//
//   - Each use of a view or common table gets its own copy of the definition, resolved for that use. So every Relation
//     is one instance: two uses of one common table have different Relations in different ResolvedQuerys, as two uses
//     of a table do, and (Relation, column) identifies a column within the whole query.
//   - * and t.* are expanded into ColumnRefs, and so are the two sides of the equalities of USING and NATURAL.
//   - x IN t and x IN f(...) are read as x IN (SELECT * FROM ...).
//
// What SQLite ignores is not resolved either: unused definitions of common tables and windows, what its parser replaces
// by a constant (sql/folding.hpp), and the conditions described at ResolvedSelect::where. Of the arguments in
// x IN f(...) only the copy in the resolution's own tree is resolved.
//
// A Resolution refers to the query, which must neither move nor change, and to the catalog; both must outlive it. It
// does not change after resolve() has returned, so threads may read it concurrently.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/sql_token.hpp"
#include "db/catalog/catalog.hpp"
#include "sql/ast.hpp"
#include "sql/expr_type.hpp"
#include "sql/functions.hpp"
#include "sql/parser.hpp"

namespace trustsql {

struct Relation;
struct ResolvedSelect;
struct ResolvedQuery;

// --- columns

// A column of one relation instance.
struct ColumnId {
  static constexpr int rowid = -1;

  const Relation* relation = nullptr;
  int column =
      0;  // the position in Relation::columns, or `rowid`. A rowid alias is never `rowid` here, whatever name was used.

  friend bool operator==(const ColumnId&, const ColumnId&) = default;
};

// What a ColumnRef means.
struct ColumnBinding {
  enum class Kind : std::uint8_t {
    column,    // `column`
    coalesce,  // a USING or NATURAL column of a FULL JOIN: the first of `column` and `more` that is not NULL
    alias,     // the expression of result column `item` of `select`, evaluated in place of the name
    string,    // "x" if no column has that name: the string x
    boolean,   // TRUE or FALSE if no column has that name: 1 or 0
  };
  Kind kind = Kind::column;
  ColumnId column{};
  std::vector<ColumnId> more{};  // for coalesce
  // For coalesce: how it compares.
  enum class Merged : std::uint8_t {
    computed,  // as any expression, without affinity and collation
    passed,    // as a column that a parenthesised join computes: BINARY, without affinity
    typed,     // as `column`
  };
  Merged merged = Merged::computed;
  const ResolvedSelect* select =
      nullptr;    // the SELECT in whose scope the name was found; nullptr for string and boolean
  int item = -1;  // for alias
  int depth = 0;  // how many SELECTs further out `select` is: 0: the SELECT that contains the name; > 0: correlated
};

struct RelationColumn {
  std::string_view name;
  ExprType type{};      // as a column of the FROM clause: includes NULL if an outer join may add it
  bool hidden = false;  // found by name, but not part of *
  // SQLite compares it now as a column of the first part of the compound query, now as one of the last, which differ.
  bool is_open = false;
};

// --- FROM

// One instance of a source of rows.
struct Relation {
  enum class Kind : std::uint8_t {
    table,            // a table of the catalog, or a virtual table without arguments
    view,             // a view of the catalog; `query` is its definition
    subquery,         // (SELECT ...)
    common_table,     // a use of a WITH table; `query` is its definition
    recursive_table,  // in the recursive part of a common table: the rows of the previous step; `query` is the whole
                      // definition
    table_function,   // a virtual table with arguments
  };
  Kind kind = Kind::table;
  int id = 0;                            // unique in the Resolution
  std::string_view name;                 // the qualifier of its columns: the alias, or the name; empty if there is none
  std::string_view schema_name;          // for relations of the catalog; otherwise empty
  const Table* table = nullptr;          // for table, view, table_function
  const ResolvedQuery* query = nullptr;  // for view, subquery, common_table, recursive_table
  const ast::CommonTable* common_table =
      nullptr;  // for common_table and recursive_table: its definition in the query; the same for all its uses
  const ast::FromItem* item = nullptr;
  const ResolvedSelect* select = nullptr;  // the SELECT whose FROM contains it
  std::vector<RelationColumn> columns{};   // in order, including hidden ones
  bool has_rowid = false;      // rowid, oid and _rowid_ exist; if there is a `query`, they are NULL or any integer
  bool null_extended = false;  // an outer join of its FROM clause may fill it with NULLs
  // For a view whose definition names its columns, in SQLite before 3.41: it has the affinities and collations of the
  // last part of a compound query, not of the first.
  bool typed_by_last_arm = false;
  bool correlated = false;  // for relations with a query: it refers to an outer SELECT; for table_function: its
                            // arguments refer to other tables of the FROM clause or to an outer SELECT
};

// One pair of columns that USING or NATURAL equates: the condition left = right.
struct UsingColumn {
  std::string_view name;
  const ast::Expr* left =
      nullptr;  // ColumnRefs created by the resolution, with bindings and types; left may be a coalesce
  const ast::Expr* right = nullptr;
};

// An item of a FROM clause: a relation or a parenthesised join. Redundant parentheses, around the first items or around
// a single one, are removed here. Names of columns inside a parenthesised join are bound to the relations inside it.
struct ResolvedFromItem {
  const ast::FromItem* item = nullptr;        // its join operator and condition apply; its source may be in parentheses
  ast::JoinType join = ast::JoinType::comma;  // how it joins all the items before it; meaningless for the first
  const ast::Expr* on = nullptr;              // may be nullptr; see ResolvedSelect::where
  std::vector<UsingColumn> using_columns{};   // from USING and NATURAL
  const Relation* relation = nullptr;         // nullptr for a parenthesised join
  std::vector<ResolvedFromItem> group{};      // the items of a parenthesised join
  bool group_is_empty = false;  // its conditions were replaced by 0, as described at ResolvedSelect::where
};

// --- SELECT

// A column of a result.
struct OutputColumn {
  std::string_view name{};          // the result of sqlite3_column_name
  const ast::Expr* expr = nullptr;  // the item's expression; for *, a ColumnRef created by the resolution
  ExprType type{};
};

// A term of ORDER BY or GROUP BY.
struct ResolvedTerm {
  const ast::Expr* expr = nullptr;  // as written, including COLLATE
  int column =
      -1;  // the result column that it refers to, by number, by alias or as an equal expression; -1: `expr` itself
  ExprType type{};  // its collation is the one to sort or group by
};

// A SELECT or VALUES as an arm of a query.
struct ResolvedSelect {
  const ast::Select* node = nullptr;    // for a SELECT
  const ast::Values* values = nullptr;  // for VALUES; then only `columns` is set, with the expressions of the first row
  const ResolvedQuery* query = nullptr;   // the query that it is an arm of
  const ResolvedSelect* outer = nullptr;  // the SELECT that encloses the query, whose names it can use
  std::vector<ResolvedFromItem> from{};
  // WHERE, or nullptr if there is none. SQLite before 3.42 joins WHERE and all ON conditions by AND, and replaces all
  // of them by 0 if one is the literal 0; then this is a 0 (even if the 0 was in an ON), and the `on` in `from` are
  // nullptr.
  const ast::Expr* where = nullptr;
  std::vector<OutputColumn> columns{};
  std::vector<ResolvedTerm> group_by{};
  // Whether it has GROUP BY or an aggregate of its own: it gives one row per group, and without GROUP BY exactly one
  // row.
  bool is_aggregate = false;
  std::vector<const ast::Call*>
      aggregates{};  // the calls that are computed over its rows, wherever they are, including in its subqueries
  std::vector<const ast::Call*> windows{};  // its window function calls
};

struct ResolvedQuery {
  const ast::Query* node = nullptr;
  std::vector<const ResolvedSelect*> arms{};  // in order
  // As seen by the FROM clause of another query: names and collations are those of the first arm, types those of all
  // arms. The affinities come from the first arm too, from SQLite 3.41 on from all (compound_types.cpp). (The affinity
  // and collation of a scalar subquery and of IN are those of the last arm's columns.)
  std::vector<OutputColumn> columns{};
  // For a compound query `column` is never -1, and only whole terms have types: the expressions below them are not
  // resolved.
  std::vector<ResolvedTerm> order_by{};
  // Whether SQLite sorts SELECT * FROM (the compound query), because a term of ORDER BY after UNION, INTERSECT or
  // EXCEPT has a COLLATE.
  bool sorted_as_subquery = false;
  bool correlated = false;  // some name in it refers to a column of an enclosing SELECT
  int first_recursive_arm =
      -1;  // for a recursive common table: this and the later arms are recursive; -1: not recursive
};

// --- expressions

// A window, including what it inherits from the named windows that it refers to.
struct ResolvedWindow {
  std::vector<const ast::Expr*> partition_by{};
  std::vector<const ast::OrderTerm*> order_by{};
  const ast::Frame* frame = nullptr;  // nullptr: the default frame. row_number and the like ignore it
};

struct CallBinding {
  enum class Kind : std::uint8_t { scalar, aggregate, window };
  Kind kind = Kind::scalar;
  const SqlFunction* function = nullptr;
  const ResolvedSelect* select =
      nullptr;    // for aggregate: the SELECT over whose rows it is computed; for window: the SELECT that contains it
  int depth = 0;  // for aggregate: how many SELECTs further out `select` is
  const ResolvedWindow* window = nullptr;  // for window
};

// --- the result

class Resolution {
 public:
  Resolution(Resolution&&) noexcept;
  Resolution& operator=(Resolution&&) noexcept;
  ~Resolution();

  const ResolvedQuery& query() const;

  // Precondition of all: the node is part of the query or of a tree of the resolution, and SQLite does not ignore it.
  const ResolvedQuery& query(const ast::Query& node) const;
  const ResolvedSelect& select(const ast::Select& node) const;
  const ResolvedQuery& set(
      const ast::In& node) const;  // the rows of x IN (SELECT ...), x IN t and x IN f(...); not for a list
  const ColumnBinding& binding(const ast::ColumnRef& node) const;
  const CallBinding& call(const ast::Call& node) const;
  const ExprType& type(const ast::Expr& node) const;  // for a row value: that of its first element

  // The same for any node; nullptr for one that SQLite ignores.
  const ColumnBinding* find_binding(const ast::ColumnRef& node) const;

  // Whether SQLite's parser drops the operands of `node`, so that they are not resolved (sql/folding.hpp).
  bool is_dropped(const ast::Expr& node) const;

  // ResolveOptions of these names of the options that the query was resolved with.
  bool collates_by_single_item() const;
  bool empty_in_is_truth() const;
  // ResolveOptions::version, likewise.
  int version() const;
  // Of the catalog: whether the database keeps texts in UTF-16.
  bool is_utf16() const;
  // Whether a name may stand for something else in SQLite: one of six or more columns of the same name in a subquery,
  // where SQLite makes up names at random, or one that a FULL JOIN merges in a view or with a parenthesised join.
  bool has_doubtful_names() const;

  // All relations, by id, including those in views and common tables.
  const std::vector<const Relation*>& relations() const;

  struct Tables;
  explicit Resolution(std::unique_ptr<Tables> tables);  // used by resolve()

 private:
  std::unique_ptr<Tables> tables_;
};

// Why a query does not resolve, in detail.
struct Diagnosis {
  enum class Kind : std::uint8_t {
    missing_column,
    ambiguous_column,
    missing_table,
    missing_function,
    function_arguments,  // wrong number of arguments
    misuse,              // aggregates, windows, row values, HAVING, ... where they are not allowed
    columns,             // numbers of columns that do not match: compound queries, subqueries, USING, common tables
    order_by,            // a term that is out of range or matches nothing
    limit,               // more than SQLite allows: columns, tables, arguments, depth
    other,
  };
  Kind kind = Kind::other;
  std::string message{};  // SQLite's message
  ast::Span span{};       // in the text of the query; empty if the cause is in a view
  std::string name{};     // the missing or ambiguous name, without its qualifiers
  std::string table{};    // its qualifier, if it has one
  std::string schema{};   // the qualifier of the table, if it has one
  // For missing and ambiguous columns: the relations in scope, innermost first, under their names in the query, with
  // their columns.
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
  // Whether x IN (y COLLATE c), with a constant y, compares by c, as before SQLite 3.54; from then on by the collation
  // of x alone, as for longer lists.
  bool collates_by_single_item = true;
  // Whether x IN () stands for FALSE, so that y IS (x IN ()) asks whether y is false, rather than for 0, as in 3.37.
  bool empty_in_is_truth = true;
  std::span<const std::string> collations = {};  // in addition to BINARY, NOCASE and RTRIM
  // Whether the column that FULL JOINs merge has the affinity and the collation of the first of its columns, rather
  // than none: where it is named, as from SQLite 3.53.2 on, and as the left side of a further USING, as from 3.50 on.
  // If unset, as in `version`.
  std::optional<bool> merged_name_is_typed{};
  std::optional<bool> merged_side_is_typed{};
  int version = latest_grammar;  // of SQLite, as SQLITE_VERSION_NUMBER; versions differ in how they resolve some names
  bool ordered_sets = false;     // as in ParseOptions
  // The names of those of SQLite's functions that a connection has replaced by its own, in small letters: what they
  // return is not known, so a query that calls one does not resolve. The operators LIKE, GLOB, REGEXP and MATCH call
  // functions of these names.
  std::span<const std::string> replaced_functions = {};
  // Whether * gives columns the names of their tables as well, as after PRAGMA full_column_names without PRAGMA
  // short_column_names: a query with * does not resolve then.
  bool names_columns_in_full = false;
  // The eponymous virtual table (https://sqlite.org/vtab.html#epovtab) of that name; nullptr if there is none. Called
  // for names that neither the catalog nor SQLite itself has. The table must outlive the Resolution.
  std::function<const Table*(std::string_view name)> find_eponymous{};

  // The grammar of the queries that these options are for.
  ParseOptions grammar() const { return {.version = version, .ordered_sets = ordered_sets}; }
};

// Resolves `query` against `catalog`.
//
// Random queries have shown the following differences from SQLite 3.40, all of them contrived. SQLite accepts errors in
// what it never compiles: the other side of `OR 1`, or of IS NULL after a NOT NULL column, and aggregates of an outer
// query in unused columns of FROM subqueries. After a compound query whose ORDER BY has COLLATE, it applies the last
// arm's GROUP BY and HAVING to the whole query, and repeats its DISTINCT there. Beside window functions, it reads a
// term of GROUP BY that stands for a number as a column number. In about one of several hundred queries with several
// errors, it reports a different one.
//
// Errors: query_failed with SQLite's own message for queries that SQLite rejects as well, in which case `diagnosis`, if
// given, has the details; limit_exceeded if views and common tables expand too far.
Result<Resolution> resolve(const ast::Query& query, const Catalog& catalog, const ResolveOptions& options = {},
                           Diagnosis* diagnosis = nullptr);

}  // namespace trustsql
