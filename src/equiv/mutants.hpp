// Mutants: queries that differ from another query in one small detail, as a mistake would.
//
// An operator, a constant, a column, an aggregate or a join type is replaced; DISTINCT, a condition, a group key, an
// ORDER BY or a LIMIT is removed or added. They are the neighbour queries from which Zhong et al. (2020, "Semantic
// Evaluation for Text-to-SQL with Distilled Test Suites", section 3.2) distil databases: a database on which a query
// and its neighbours give different results is worth keeping. Most mutants, but not all, differ in meaning from the
// query.
//
// With a catalog there are also the mistakes that language models make in view of a schema: a column of another table,
// a join that is not needed or that is missing, a column too many or too few, a condition too many, another value.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
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
  // These need a catalog.
  other_table,      // a column of another table of the FROM clause
  result_column,    // a result column is removed, added, or exchanged with the next one
  redundant_join,   // a table is joined along a foreign key, and not used
  missing_join,     // a joined table is left out, with its conditions
  extra_condition,  // a condition is added
  value,            // another value of the same column
  scalar_subquery,  // = (SELECT ...) for IN (SELECT ...) and vice versa
};
inline constexpr std::size_t mutant_kind_count = 20;

struct MutantKindDescription {
  MutantKind kind;
  std::string_view name;
  std::string_view summary;
};
// All kinds, in the order of the enumeration.
std::span<const MutantKindDescription> mutant_kinds();
// "comparison", "logic", ...
std::string_view name(MutantKind kind);

struct Mutant {
  MutantKind kind = MutantKind::comparison;
  ast::Query query;
};

// What mutants are made from.
struct MutantContext {
  // The values that a column may be compared with.
  using Values = std::function<std::vector<ast::Literal>(const ::trustsql::Table& table, std::size_t column)>;

  const Resolution* resolution = nullptr;  // of the same tree; without it no column is replaced
  const Catalog* catalog = nullptr;        // that of the resolution; without it the kinds that need one are left out
  Values values{};                         // without it no value is replaced by another, and none is added
};

// The mutants of `query`, at most `most`, without duplicates and none equal to it, in the order of its text.
// `resolution`: of the same tree; without it no column is replaced. SQLite may reject a mutant: for example, HAVING
// may not stay if GROUP BY was removed.
std::vector<Mutant> mutants_of(const ast::Query& query, const Resolution* resolution = nullptr,
                               std::size_t most = 1000);
// The same with everything that `context` allows: at most `most` of each kind, the kinds that need a catalog last.
// Precondition: `query` is the tree of the resolution; it is changed, and restored before the function returns.
std::vector<Mutant> mutants_of(ast::Query& query, const MutantContext& context, std::size_t most_of_kind);

}  // namespace trustsql::equiv
