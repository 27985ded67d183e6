// Scalar expressions of a plan.
//
// Unlike the expressions of the syntax tree, they are fully resolved: columns are attributes, and every comparison
// states its affinity and collation. SQLite converts and compares by the affinity and the collation of the two operands
// (https://sqlite.org/datatype3.html, sections 4 and 7), which in SQL depend on the form of the operands. Here each
// comparison has a Comparison, fixed when the plan is built; COLLATE and unary plus, which only serve to change it, do
// not occur. So an operand may be replaced by any expression with the same value without changing the meaning;
// to_sql.hpp writes SQL that makes SQLite compare in exactly this way.
//
// A truth value is 1, 0 or NULL; a value that is tested for truth is converted to a number first ('1x' is true, 'x' is
// false).
#pragma once

#include <string_view>
#include <variant>
#include <vector>

#include "base/affinity.hpp"
#include "base/value.hpp"
#include "plan/attribute_set.hpp"
#include "sql/ast.hpp"
#include "sql/functions.hpp"

namespace trustsql::plan {

using ast::Box;
using ast::operator==;

struct Expr;
struct Rel;

// Names of collations are canonical: the built-in ones in capitals, others in lower case.
inline constexpr std::string_view binary_collation = "BINARY";

// How two values are compared: both operands are converted by `affinity`, then texts are compared by `collation`.
struct Comparison {
  Affinity affinity = Affinity::none;  // none: no conversion; text; numeric (never blob, integer or real)
  std::string_view collation = binary_collation;
  TRUSTSQL_FIELDS(Comparison, affinity, collation)

  bool is_binary() const { return collation == binary_collation; }
};

struct Literal {
  Value value{};
  using FieldsOf = Literal;
  template <class Use>
  static constexpr decltype(auto) with_fields(Use&& use) {
    return use();
  }

  // 1 and 1.0 differ, and so do 0.0 and -0.0.
  friend bool operator==(const Literal& a, const Literal& b);
  std::uint64_t hash(std::uint64_t seed) const;
};

struct Column {
  AttributeId id = 0;
  TRUSTSQL_FIELDS(Column, id)
};

// ?1, :name, ... A `?` has already been given its number.
struct Parameter {
  std::string_view text{};
  TRUSTSQL_FIELDS(Parameter, text)
};

// -x and ~x.
struct Unary {
  ast::UnaryOp op = ast::UnaryOp::minus;  // minus, bit_not
  Box<Expr> operand{};
  TRUSTSQL_FIELDS(Unary, op, operand)
};

// Arithmetic and bit operators, || and the JSON arrows.
struct Binary {
  ast::BinaryOp op = ast::BinaryOp::add;  // from bit_and on
  Box<Expr> left{};
  Box<Expr> right{};
  bool is_json = false;  // as in Function
  TRUSTSQL_FIELDS(Binary, op, left, right, is_json)
};

enum class CompareOp : std::uint8_t { equal, not_equal, less, less_equal, greater, greater_equal, is, is_not };

struct Compare {
  CompareOp op = CompareOp::equal;
  Comparison how{};
  Box<Expr> left{};
  Box<Expr> right{};
  TRUSTSQL_FIELDS(Compare, op, how, left, right)
};

// A comparison of row values that cannot be split into comparisons of their elements. Each side is a Row or a
// ScalarSubquery of several columns.
struct RowCompare {
  CompareOp op = CompareOp::equal;
  std::vector<Comparison> how{};  // one for each column
  Box<Expr> left{};
  Box<Expr> right{};
  TRUSTSQL_FIELDS(RowCompare, op, how, left, right)
};

// terms[0] AND terms[1] AND ...; at least two terms. None of them is an And, except between two steps of the normaliser
// (boolean_simplification makes them one). The same for Or.
struct And {
  std::vector<Expr> terms;
  TRUSTSQL_FIELDS(And, terms)
};

struct Or {
  std::vector<Expr> terms;
  TRUSTSQL_FIELDS(Or, terms)
};

struct Not {
  Box<Expr> operand{};
  TRUSTSQL_FIELDS(Not, operand)
};

struct IsNull {
  Box<Expr> operand{};
  bool negated = false;
  TRUSTSQL_FIELDS(IsNull, operand, negated)
};

// operand IS [NOT] TRUE, operand IS [NOT] FALSE: 1 or 0, never NULL.
struct IsTruth {
  Box<Expr> operand{};
  bool truth = true;
  bool negated = false;
  TRUSTSQL_FIELDS(IsTruth, operand, truth, negated)
};

struct Between {
  Box<Expr> operand{};
  bool negated = false;
  Box<Expr> low{};
  Box<Expr> high{};
  Comparison low_how{};
  Comparison high_how{};
  TRUSTSQL_FIELDS(Between, operand, negated, low, high, low_how, high_how)
};

// operand [NOT] IN (items). Without items it is false, even for a NULL operand.
struct InList {
  Box<Expr> operand{};
  bool negated = false;
  std::vector<Expr> items;
  Comparison how{};
  TRUSTSQL_FIELDS(InList, operand, negated, items, how)
};

struct Like {
  ast::LikeOp op = ast::LikeOp::like;
  bool negated = false;
  Box<Expr> operand{};
  Box<Expr> pattern{};
  Box<Expr> escape{};  // may be empty
  TRUSTSQL_FIELDS(Like, op, negated, operand, pattern, escape)
};

struct Branch {
  Box<Expr> condition{};
  Box<Expr> result{};
  Comparison how{};  // if the CASE has an operand: how `operand = condition` compares
  TRUSTSQL_FIELDS(Branch, condition, result, how)
};

struct Case {
  Box<Expr> operand{};  // may be empty
  std::vector<Branch> branches{};
  Box<Expr> otherwise{};  // may be empty: NULL
  TRUSTSQL_FIELDS(Case, operand, branches, otherwise)
};

struct Cast {
  Box<Expr> operand{};
  std::string_view type{};
  Affinity affinity = Affinity::numeric;  // the affinity of `type`; never none
  TRUSTSQL_FIELDS(Cast, operand, type, affinity)
};

// A scalar function. CURRENT_DATE, CURRENT_TIME and CURRENT_TIMESTAMP are functions with these names and no arguments.
struct Function {
  std::string_view name{};  // lower case
  std::vector<Expr> arguments;
  std::string_view collation = binary_collation;  // used by min, max and nullif
  const SqlFunction* info = nullptr;  // nullptr: an unknown function. Not part of the value: the name determines it
  // It is an argument of a function that tells JSON from other texts, and marked as JSON (SqlFunction::Subtype). So it
  // differs from an equal text, and from the same call elsewhere.
  bool is_json = false;
  TRUSTSQL_FIELDS(Function, name, arguments, collation, is_json)
};

// (a, b, ...)
struct Row {
  std::vector<Expr> elements;
  TRUSTSQL_FIELDS(Row, elements)
};

// The first row of `rel`, or NULLs if it has none. A single value if `rel` has one column, otherwise a row.
struct ScalarSubquery {
  Box<Rel> rel{};
  TRUSTSQL_FIELDS(ScalarSubquery, rel)
};

struct Exists {
  Box<Rel> rel{};
  bool negated = false;
  TRUSTSQL_FIELDS(Exists, rel, negated)
};

// (operands) [NOT] IN (rel). One operand for each column of `rel`, or a single ScalarSubquery for all of them.
struct InSubquery {
  std::vector<Expr> operands;
  bool negated = false;
  Box<Rel> rel{};
  std::vector<Comparison> how{};  // one for each column
  TRUSTSQL_FIELDS(InSubquery, operands, negated, rel, how)
};

struct Expr : ast::OneOf<Expr> {
  using Node =
      std::variant<Literal, Column, Parameter, Unary, Binary, Compare, RowCompare, And, Or, Not, IsNull, IsTruth,
                   Between, InList, Like, Case, Cast, Function, Row, ScalarSubquery, Exists, InSubquery>;
  Node node;
  TRUSTSQL_FIELDS(Expr, node)

  Expr();
  template <class T>
  requires ast::is_alternative<T, Node> Expr(T value) : node(std::move(value)) {}
  TRUSTSQL_DECLARE_VALUE(Expr)
};

// Shorthands for rules and tests.
Expr literal(Value value);
Expr column(AttributeId id);
Expr compare(CompareOp op, Expr left, Expr right, Comparison how = {});
Expr is_null(Expr operand, bool negated = false);
// The conjunction or disjunction of `terms`; a single term is returned unchanged, and no terms give the literal 1 or 0.
Expr conjunction(std::vector<Expr> terms);
Expr disjunction(std::vector<Expr> terms);
Expr negation(Expr operand);

// The literal's value if `expr` is one, else nullptr.
const Value* literal_value(const Expr& expr);
// The same if its value has the type T: std::int64_t, double, std::string or Blob; else nullptr.
template <typename T>
const T* literal_as(const Expr& expr) {
  const auto* value = literal_value(expr);
  return value != nullptr ? std::get_if<T>(value) : nullptr;
}
bool is_null_literal(const Expr& expr);
// The attribute if `expr` is a plain column.
const AttributeId* column_id(const Expr& expr);

// a op b = b mirrored(op) a.
CompareOp mirrored(CompareOp op);
// NOT (a op b) = a negated(op) b, in three-valued logic as well.
CompareOp negated(CompareOp op);

}  // namespace trustsql::plan
