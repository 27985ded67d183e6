// Tree: a query as the semantic parser thinks of it. Neither FROM nor join conditions are part of it: they follow from
// the tables whose columns and rows it uses (joins.hpp), and so does GROUP BY's form (tree_sql.hpp).
//
// It covers the queries that people ask in one sentence: selection, conditions, grouping, HAVING, order, LIMIT, one
// level of nesting, and a second query with INTERSECT, UNION or EXCEPT. The constructors are those of SemQL (Guo et al.
// 2019) with an explicit group, and tables whose rows are counted.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/value.hpp"

namespace trustsql::semparse {

// Index of a column or table of a Domain.
using ColumnId = int;
using TableId = int;
inline constexpr int nothing = -1;

enum class Aggregate : std::uint8_t { none, count, sum, avg, min, max };

// A column, an aggregate of one, a count of a table's rows, or all columns of a table.
struct Term {
  Aggregate aggregate = Aggregate::none;
  bool distinct = false;      // inside the aggregate
  ColumnId column = nothing;  // `nothing`: the rows of `table`; without an aggregate, all its columns
  TableId table = nothing;    // only if `column` is `nothing`

  friend auto operator<=>(const Term&, const Term&) = default;
};

enum class Comparison : std::uint8_t {
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  between,
  like,
  not_like,
  in,      // only with a subquery
  not_in,  // only with a subquery
  is_null,
  is_not_null,
};

struct Block;

// What a term is compared with: values of the question, a subquery with one column, or another column.
struct Condition {
  Term term;
  Comparison comparison = Comparison::equal;
  // One; two for BETWEEN; for `equal` several if one of them suffices (IN); none with a subquery or a column. For NULLs
  // none, or the empty text, which is missing as well.
  std::vector<Value> values{};
  std::vector<Block> subquery;  // none or one
  ColumnId other = nothing;     // of the term's table
  // With a subquery for a row by its name: the rows are others than that one. Not where one condition suffices.
  bool of_others = false;

  friend bool operator==(const Condition&, const Condition&);
};

// Whether the condition is that a date is of one year, one month or one day: LIKE '2026%', LIKE '2026-03%'.
bool is_of_year(const Condition& condition);

struct Order {
  Term term;
  bool descending = false;
  friend bool operator==(const Order&, const Order&) = default;
};

struct Block {
  std::vector<Term> select{};
  bool distinct = false;
  std::vector<Condition> where{};
  bool any = false;  // one condition suffices (OR); otherwise all must hold
  std::vector<ColumnId> group{};
  std::vector<Condition> having{};
  // The number of groups is asked for: `select` has the one column of `group`, whose NULLs are no group.
  bool counts_groups = false;
  std::vector<Order> order{};
  std::optional<std::int64_t> limit{};
  std::vector<TableId> tables{};  // further tables that are joined though nothing else of them is used, sorted
  // Join edges (by their number in Domain::edges()) that are taken where others join the same two tables as well,
  // sorted.
  std::vector<std::size_t> joins{};

  friend bool operator==(const Block&, const Block&) = default;
};

enum class SetOperation : std::uint8_t { none, intersect, union_, except };

struct Tree {
  Block block;
  SetOperation operation = SetOperation::none;
  std::vector<Block> other{};  // none or one

  friend bool operator==(const Tree&, const Tree&) = default;
};

inline bool operator==(const Condition& a, const Condition& b) {
  return a.term == b.term && a.comparison == b.comparison && a.values == b.values && a.subquery == b.subquery &&
         a.other == b.other && a.of_others == b.of_others;
}

// The names of the aggregates in SQL: "count", "sum" ...; empty for none.
std::string_view aggregate_name(Aggregate aggregate);

}  // namespace trustsql::semparse
