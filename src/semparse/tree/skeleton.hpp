// Skeleton: the form of a query, without its tables, columns and values.
//
// A few hundred skeletons cover nearly all questions that people ask. What a skeleton leaves open are slots, filled one
// by one from what the question names (filling.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "semparse/tree/tree.hpp"

namespace trustsql::semparse {

// An item of SELECT; columns without an aggregate that follow each other are one item.
struct SelectPart {
  Aggregate aggregate = Aggregate::none;
  bool distinct = false;
  bool rows = false;  // count(*); without an aggregate, all columns of a table
  friend auto operator<=>(const SelectPart&, const SelectPart&) = default;
};

// What is compared with the result of a subquery, or what the subquery is there for.
enum class SubqueryKind : std::uint8_t {
  none,
  missing,    // key NOT IN (SELECT key of a related table ...)
  existing,   // key IN (SELECT ...)
  aggregate,  // column > (SELECT avg(column) ...)
};

enum class NullTest : std::uint8_t { none, is_null, is_not_null };

enum class LimitKind : std::uint8_t { none, one, number };

struct Skeleton {
  std::vector<SelectPart> select{};
  bool distinct = false;  // SELECT DISTINCT
  bool literals = false;  // conditions on values of the question
  bool any = false;       // of which one suffices
  NullTest null_test = NullTest::none;
  SubqueryKind subquery = SubqueryKind::none;
  SelectPart subquery_select{};                        // for aggregate
  Comparison subquery_comparison = Comparison::equal;  // for aggregate
  bool subquery_literals = false;
  bool group = false;
  std::optional<SelectPart> having{};
  std::optional<SelectPart> order{};
  bool descending = false;
  LimitKind limit = LimitKind::none;
  SetOperation operation = SetOperation::none;
  bool other_literals = false;

  friend auto operator<=>(const Skeleton&, const Skeleton&) = default;
};

// The skeleton of `tree`; nullopt if it has a form that no skeleton describes, such as several subqueries.
std::optional<Skeleton> skeleton_of(const Tree& tree);

// A short text, unique for a skeleton, such as "P,count(*) g o:count(*)- 1".
std::string text_of(const Skeleton& skeleton);

// Keys of the parts of a skeleton and of combinations of them, for features.
std::vector<std::uint64_t> fragments_of(const Skeleton& skeleton);

}  // namespace trustsql::semparse
