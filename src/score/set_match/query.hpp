// A query as Spider's evaluator represents it: the parts that exact set match compares.
//
// A column is represented by its index in the Schema, or all_columns. Queries that are equal in all parts are equal to
// the evaluator.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sql/ast_fields.hpp"

namespace trustsql::set_match {

inline constexpr int all_columns = -1;  // *

enum class Aggregate : std::uint8_t { none, max, min, count, sum, avg };
enum class Arithmetic : std::uint8_t { none, subtract, add, multiply, divide };
// The evaluator treats NOT and EXISTS as binary operators.
enum class Operator : std::uint8_t {
  logical_not,
  between,
  equal,
  greater,
  less,
  greater_equal,
  less_equal,
  not_equal,
  in,
  like,
  is,
  exists
};
enum class Connective : std::uint8_t { logical_and, logical_or };
enum class SetOperator : std::uint8_t { intersect_rows, union_rows, except_rows };

struct Query;

struct ColumnUnit {
  Aggregate aggregate = Aggregate::none;
  int column = all_columns;
  bool distinct = false;
  friend bool operator==(const ColumnUnit&, const ColumnUnit&) = default;
};

// A column, or two with one arithmetic operator between them.
struct ValueUnit {
  Arithmetic op = Arithmetic::none;
  ColumnUnit left;
  std::optional<ColumnUnit> right = {};
  friend bool operator==(const ValueUnit&, const ValueUnit&) = default;
};

struct SelectItem {
  Aggregate aggregate = Aggregate::none;
  ValueUnit unit;
  friend bool operator==(const SelectItem&, const SelectItem&) = default;
};

// An operand on the right side of a condition; empty if there is none, or if values are dropped.
using Operand = std::variant<std::monostate, double, std::string, ColumnUnit, ast::Box<Query>>;

struct Condition {
  bool negated = false;
  Operator op = Operator::equal;
  ValueUnit unit;
  Operand first = {};
  Operand second = {};  // upper bound of BETWEEN
  friend bool operator==(const Condition&, const Condition&) = default;
};

// Conditions in the order of the text, without any precedence. A text that ends in AND or OR has as many connectives as
// conditions.
struct Conditions {
  std::vector<Condition> all;
  std::vector<Connective> connectives;
  bool empty() const { return all.empty(); }
  friend bool operator==(const Conditions&, const Conditions&) = default;
};

// A table's index, or a subquery.
using TableUnit = std::variant<int, ast::Box<Query>>;

struct OrderBy {
  bool descending = false;  // the last direction in the text applies to all terms
  std::vector<ValueUnit> units;
  friend bool operator==(const OrderBy&, const OrderBy&) = default;
};

struct SetOperation {
  SetOperator op = SetOperator::union_rows;
  ast::Box<Query> right = {};
  friend bool operator==(const SetOperation&, const SetOperation&) = default;
};

struct Query {
  bool distinct = false;
  std::vector<SelectItem> items = {};
  std::vector<TableUnit> tables = {};
  Conditions joins = {};  // all ON clauses, connected by AND
  Conditions where = {};
  std::vector<ColumnUnit> group_by = {};
  Conditions having = {};
  std::optional<OrderBy> order_by = {};
  bool limit = false;
  std::optional<SetOperation> operation = {};
  friend bool operator==(const Query&, const Query&) = default;
};

}  // namespace trustsql::set_match
