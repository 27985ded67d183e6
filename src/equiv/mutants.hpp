// Mutants: queries that differ from another in one small thing, as a mistake would.
//
// An operator, a constant, a column, an aggregate, a kind of join is another one; DISTINCT, a condition, a group key,
// an ORDER BY or a LIMIT is gone or has come in. They are the neighbour queries from which Zhong et al. (2020,
// "Semantic Evaluation for Text-to-SQL with Distilled Test Suites", section 3.2) distil databases: one on which a query
// and its neighbours give different results is worth keeping. Most mutants mean something else than the query, not all
// do.
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
  condition,   // a condition is gone, or the elements of an IN list
  constant,    // one more or less, another text, another pattern
  column,      // another one of the same table
  aggregate,   // min for max, and so on; DISTINCT within
  arithmetic,
  join,  // left for inner and the other way round, or without its condition
  distinct,
  set_operation,
  grouping,  // GROUP BY has lost a term
  order,     // ORDER BY is gone or turned round
  limit,     // is gone
};

// "comparison", "logic", ...
std::string_view name(MutantKind kind);

struct Mutant {
  MutantKind kind = MutantKind::comparison;
  ast::Query query;
};

// The mutants of `query`, at most `most`, each once and none equal to it, in the order of its text. `resolution`: of
// the same tree; without one no column is exchanged. A mutant need not be one that SQLite takes: where GROUP BY has
// gone, HAVING may not stay, for example.
std::vector<Mutant> mutants_of(const ast::Query& query, const Resolution* resolution = nullptr,
                               std::size_t most = 1000);

}  // namespace trustsql::equiv
