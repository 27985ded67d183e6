// The data that the steps of the resolver share.
//
//   FromExpander   looks up the tables of all FROM clauses, expands views, common tables and * (from_expander.hpp)
//   NameResolver   binds the names in expressions, clause by clause (name_resolver.hpp)
//   Typer          derives affinity, collation and possible types (typer.hpp)
//   Checker        rejects what SQLite rejects only when it generates code (checker.hpp)
//
// The steps, and the order in which each traverses a query, are those of SQLite, so that of several errors the same one
// is reported. (The corresponding functions of SQLite are selectExpander, resolveSelectStep and sqlite3Select.)
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/function_ref.hpp"
#include "base/stack_space.hpp"
#include "sql/resolver/tables.hpp"

namespace trustsql::resolver {

struct FromList;

// A column of a parenthesised join, as seen by the enclosing FROM clause.
struct GroupColumn {
  // What a qualified name has to match. For a column that stands for a USING pair, only `name` is set.
  std::string_view schema{};
  std::string_view table{};
  std::string_view name;
  std::string_view
      unique_name{};  // its name under the alias of the group: `name`, or name:1 and so on if that is taken
  const ast::Expr* expr = nullptr;  // a ColumnRef in the scope of the group
  bool stands_for_using = false;
  bool not_in_star = false;
};

// One item of a FROM clause. Names are as in the query.
struct FromEntry {
  const ast::FromItem* item = nullptr;    // its join operator and condition apply
  const ast::FromItem* source = nullptr;  // the item with the source: `item`, or the single item in its parentheses
  bool named_by_source = true;            // `source`, not `item`, has the alias
  Relation* relation = nullptr;
  std::unique_ptr<FromList> group{};  // for a parenthesised join, which has no relation

  std::string_view name{};    // the qualifier of its columns; generated if there is no name
  std::string_view schema{};  // "*" if it is not in the catalog

  bool left = false;           // joined by LEFT or FULL
  bool right = false;          // joined by RIGHT or FULL
  bool left_of_right = false;  // a RIGHT or FULL JOIN follows
  std::vector<std::string_view> using_names{};
  bool natural = false;

  std::size_t column_count() const;
  std::string_view column_name(std::size_t i) const;
  bool is_hidden(std::size_t i) const { return relation != nullptr && relation->columns[i].hidden; }
  bool not_in_star(std::size_t i) const;
  int find_column(std::string_view column) const;  // -1 if there is none
  bool joins_using(std::string_view column) const;

  std::optional<ast::Name> alias() const { return named_by_source ? source->alias : item->alias; }
};

struct ColumnPlace {
  std::size_t entry = 0;
  int column = 0;
};

// The equality left = right of a USING or NATURAL join; if `left` has several places, the first value that is not NULL.
struct UsingPair {
  std::string_view name;
  std::vector<ColumnPlace> left{};
  ColumnPlace right{};
};

struct FromList {
  std::vector<FromEntry> entries;
  std::vector<UsingPair> pairs;  // in the order of the entries
  bool has_right_join = false;
  bool conditions_fold = false;  // WHERE and ON are replaced by 0: see ResolvedSelect::where
  // For a parenthesised join:
  bool is_group = false;
  std::vector<GroupColumn> columns;
};

inline std::size_t FromEntry::column_count() const {
  return relation != nullptr ? relation->columns.size() : group->columns.size();
}
inline std::string_view FromEntry::column_name(std::size_t i) const {
  return relation != nullptr ? relation->columns[i].name : group->columns[i].unique_name;
}
inline bool FromEntry::not_in_star(std::size_t i) const { return group != nullptr && group->columns[i].not_in_star; }

// An item of a SELECT list after * has been expanded.
struct Item {
  const ast::Expr* expr = nullptr;
  std::string_view alias{};  // from AS, or the column's name if it comes from a *
  bool has_alias = false;
  std::string_view text{};  // as in the query; empty for columns
  bool has_aggregate = false;
  bool has_window = false;
};

// The state of a SELECT while it is being resolved. A row of VALUES counts as a SELECT.
struct SelectWork {
  ResolvedSelect* select = nullptr;
  FromList from;
  std::vector<Item> items;
  bool is_values = false;
  bool flattened = false;  // `from` has its entries
  bool expanded = false;
  bool is_recursive = false;  // it has the recursive reference of a common table
};

// The arms of a query as in SQLite: every row of a VALUES is an arm.
struct QueryWork {
  ResolvedQuery* query = nullptr;
  std::vector<SelectWork*> arms;
  std::vector<ast::SetOp> ops;  // between an arm and the one before it
  bool resolved = false;
  // For views: names that became strings or booleans, and the SELECTs that contain them (see NameResolver::adopt_view).
  struct Fallback {
    const ast::ColumnRef* ref = nullptr;
    SelectWork* work = nullptr;
  };
  std::vector<Fallback> fallbacks;
  bool is_view = false;
};

// Limits on the work for hostile schemas. No realistic query comes near them.
inline constexpr std::size_t max_relations = 65'535;
inline constexpr std::size_t max_copied_bytes = std::size_t{64} << 20;  // of text in the definitions that were copied
inline constexpr int max_depth = 2'500;  // of nested expressions and queries, including views

// What one level takes of the stack, here and in what works on the result (plans above all), with room to spare.
inline constexpr std::size_t bytes_of_expression_level = 2048;
inline constexpr std::size_t bytes_of_query_level = 12 * 1024;  // of a subquery, view or common table

class ResolverContext {
 public:
  ResolverContext(const Catalog& of_catalog, const ResolveOptions& with_options, Resolution::Tables& to_tables)
      : catalog(of_catalog),
        options(with_options),
        functions(options.functions != nullptr ? *options.functions : FunctionTable::latest()),
        tables(to_tables) {}

  const Catalog& catalog;
  const ResolveOptions& options;
  const FunctionTable& functions;
  Resolution::Tables& tables;

  std::deque<SelectWork> selects;
  std::deque<QueryWork> queries;
  NodeMap<QueryWork*> work_of;               // by ResolvedQuery
  NodeMap<SelectWork*> select_work_of;       // by ResolvedSelect
  NodeMap<std::string_view> declared_names;  // by ast::ColumnRef that refers to a column: its declared name

  // Record an error; all of these return false. `error` is the first error that ends the work, or the last of those
  // that do not end it immediately: as in SQLite, each message replaces the previous one.
  bool fail(Diagnosis diagnosis);
  bool fail(Diagnosis::Kind kind, std::string message, ast::Span span = {});
  bool exceed(std::string message);

  bool failed() const { return error.has_value(); }

  std::optional<Diagnosis> error;
  bool limit_exceeded = false;
  bool is_trial = false;       // errors are detected but not reported
  int view_depth = 0;          // > 0: the code being resolved is not part of the query's own text
  int depth = 0;               // the depth of the recursion
  std::size_t stack_used = 0;  // that it is expected to take
  const std::optional<std::size_t> stack_left = stack_space();  // that there was at first
};

// Counts a level of recursion, which takes `bytes` of the stack. ok() is false if there are too many, which it reports
// as the context's error.
class DepthGuard {
 public:
  DepthGuard(ResolverContext& context, std::size_t bytes) : context_(context), bytes_(bytes) {
    ++context_.depth;
    context_.stack_used += bytes_;
  }
  ~DepthGuard() {
    --context_.depth;
    context_.stack_used -= bytes_;
  }
  DepthGuard(const DepthGuard&) = delete;
  DepthGuard& operator=(const DepthGuard&) = delete;
  bool ok() const;

 private:
  ResolverContext& context_;
  std::size_t bytes_;
};

// Makes the names of a subquery's columns unique as SQLite does: `name`, or name:1, name:2 ...
class UniqueNames {
 public:
  explicit UniqueNames(Resolution::Tables& tables) : tables_(tables) {}
  // `taken` is called with each name that is tried and that another column has.
  std::string_view add(
      std::string_view name, FunctionRef<void(std::string_view)> taken = [](std::string_view) {});

 private:
  bool has(std::string_view name) const;

  Resolution::Tables& tables_;
  std::vector<std::string_view> taken_;
};

// The name of a column of a subquery in FROM, before it is made unique. If the names of the query are `resolved`, it is
// the name as declared, otherwise the name as written.
std::string_view subquery_column_name(const Item& item, std::size_t index, bool resolved, ResolverContext& context);

// The name of a column that is called `name`: TRUE and FALSE are no names of columns.
std::string_view column_name(std::string_view name, std::size_t index, ResolverContext& context);

// The expression under COLLATE operators and, if `functions` is given, under likely(), unlikely() and likelihood().
const ast::Expr& skip_collate(const ast::Expr& expr, const Resolution::Tables* functions = nullptr);

// The number of values of an expression: that of a row value or of a subquery, otherwise 1.
std::size_t row_size(const ast::Expr& expr, const ResolverContext& context);

// The value of an integer literal of 32 bits, possibly signed, or of what the parser of this version of SQLite makes
// one.
std::optional<int> small_integer(const ast::Expr& expr, int version);

bool is_rowid_name(std::string_view name);

}  // namespace trustsql::resolver
