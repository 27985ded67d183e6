// What a query is made of, as far as a question can speak of it: its columns and tables, literals, operators, and what
// it selects.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "semparse/database/domain.hpp"
#include "semparse/tree/tree.hpp"
#include "sql/resolver.hpp"

namespace trustsql::semparse {

// A literal and what it is compared with.
struct LiteralLeaf {
  std::string text{};              // as it is written, without quotes
  std::optional<double> number{};  // of a numeric literal
  ColumnId column = nothing;       // `nothing`: an aggregate or another expression
  Comparison comparison = Comparison::equal;
  bool limit = false;  // of LIMIT; nothing else is set then
};

// An item of the outermost SELECT.
struct SelectLeaf {
  Aggregate aggregate = Aggregate::none;
  ColumnId column = nothing;  // of which; `nothing`: count(*), or another expression
  bool plain = false;         // a column, or an aggregate of one, or count(*)
};

struct QueryLeaves {
  std::vector<SelectLeaf> select{};
  std::vector<LiteralLeaf> literals{};
  std::vector<ColumnId> columns{};  // that are used other than for joins, sorted
  std::vector<ColumnId> joined{};   // that are used for joins alone, sorted
  std::vector<TableId> tables{};    // sorted
  bool aggregates[6] = {};          // by Aggregate, anywhere
  bool star = false;                // SELECT * in the outermost SELECT
  bool ordered = false;             // ORDER BY anywhere
  bool ascending = false;           // by some term
  bool descending = false;
  bool limited = false;
  bool grouped = false;
  bool intersects = false;
  bool unites = false;
  bool excludes = false;  // EXCEPT, NOT, NOT IN, NOT EXISTS, NOT LIKE, <>, IS NOT
  bool null_test = false;
  bool between = false;
  bool like = false;
  bool any = false;      // OR, or IN with a list
  bool all = false;      // AND
  bool inner = false;    // a subquery
  bool unusual = false;  // CASE, a window, WITH, a recursive or scalar function: what rules about operators do not know

  bool has(Aggregate aggregate) const { return aggregates[static_cast<std::size_t>(aggregate)]; }
  bool uses(ColumnId column) const;  // other than for a join
  bool uses_table(TableId table) const;
};

// The leaves of the query that `resolution` resolves, in terms of `domain`, of the same database. Columns and tables
// that the domain does not have are left out.
QueryLeaves leaves_of(const ast::Query& query, const Resolution& resolution, const Domain& domain);

// The same of the SQL of a tree (sql_of()).
QueryLeaves leaves_of(const Tree& tree, const Domain& domain);

// What a tree says, as a text that is the same for trees that say the same in another form: `x = (SELECT max(x) ...)`
// and ORDER BY x DESC LIMIT 1, IN and a join, groups by a name and by the key of the same rows, with DISTINCT and
// without. It does not tell the largest from the smallest, nor which way a value is compared with an aggregate: compare
// the rows as well.
std::string content_of(const Tree& tree, const Domain& domain);

}  // namespace trustsql::semparse
