// Mutants: queries that differ from another query in one small detail, as a mistake would.
//
// An operator, a constant, a column, an aggregate or a join type is replaced; DISTINCT, a condition, a group key, an
// ORDER BY or a LIMIT is removed or added. They are the neighbour queries from which Zhong et al. (2020, "Semantic
// Evaluation for Text-to-SQL with Distilled Test Suites", section 3.2) distil databases: a database on which a query
// and its neighbours give different results is worth keeping. Most mutants, but not all, differ in meaning from the
// query.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "sql/ast.hpp"
#include "sql/resolver.hpp"

namespace trustsql::equiv {

enum class MutantKind : std::uint8_t {
  comparison,  // = <> < <= > >=
  logic,       // AND, OR, NOT, and the NOT of NOT IN, NOT LIKE, IS NOT NULL, NOT BETWEEN
  condition,   // a condition is removed, or an element of an IN list
  constant,    // increased or decreased by one, another text, another pattern
  column,      // another one of the same table
  aggregate,   // min for max, and so on; DISTINCT in an aggregate
  arithmetic,
  join,  // LEFT for INNER and vice versa, or without its condition
  distinct,
  set_operation,
  grouping,  // GROUP BY loses a term
  order,     // ORDER BY is removed or reversed
  limit,     // LIMIT is removed
};

// "comparison", "logic", ...
std::string_view name(MutantKind kind);

struct Mutant {
  MutantKind kind = MutantKind::comparison;
  ast::Query query;
};

// The mutants of `query`, at most `most`, without duplicates and none equal to it, in the order of its text.
// `resolution`: of the same tree; without it no column is replaced. SQLite may reject a mutant: for example, HAVING
// may not stay if GROUP BY was removed.
std::vector<Mutant> mutants_of(const ast::Query& query, const Resolution* resolution = nullptr,
                               std::size_t most = 1000);

}  // namespace trustsql::equiv
