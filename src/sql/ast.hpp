// The syntax tree of a query, as SQLite's grammar reads it (https://sqlite.org/lang_select.html).
//
//   Query                 with, arms, order_by, limit, offset: a whole SELECT statement or subquery
//     Arm                 what UNION, INTERSECT and EXCEPT combine: a Select or Values
//       Select            items, from, where, group_by, having, windows
//         FromItem        a table, function, subquery or parenthesised join, and how it joins the items before it
//         Expr            one of the expression nodes
//
// Nodes are values: they copy deeply, compare and hash by structure (ast_fields.hpp), and know nothing of a schema: the
// resolver finds out which column a name means. ast_walk.hpp traverses a tree; printer.hpp writes it as SQL again.
//
// The tree keeps the meaning, not the spelling: redundant parentheses, comments, the case of keywords, AS, ALL, ASC,
// INNER, and alternative spellings of an operator (`==`, `<>`, ISNULL, IS NOT DISTINCT FROM, LIMIT a, b) are not
// recorded. Names and literals are as written.
#pragma once

#include "sql/ast_fields.hpp"

namespace trustsql::ast {

// Bytes [begin, end) of the text that was parsed; both are 0 for a node that was not parsed. Not part of a node's
// value.
struct Span {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

// How a name was quoted: x "x" `x` [x] 'x'. SQLite accepts the last form where a name is required: SELECT 1 AS 'x'.
enum class Quote : std::uint8_t { none, double_quotes, backticks, brackets, single_quotes };

// The name of a table, column, function, alias... without its quotes. Names are equal if they differ only in the case
// of ASCII letters or in quoting.
struct Name {
  std::string text;
  Quote quote = Quote::none;

  friend bool operator==(const Name& a, const Name& b);
  std::uint64_t hash(std::uint64_t seed) const;
};

struct Expr;
struct Query;
struct OrderTerm;
struct FromItem;

// --- expressions ---------------------------------------------------------------------------------------------------

struct Literal {
  enum class Kind : std::uint8_t { null, integer, real, string, blob, current_date, current_time, current_timestamp };
  Kind kind = Kind::null;
  // For numbers the text as written (0x1F, 1_000, .5e3); for strings and blobs the bytes they stand for; otherwise
  // empty.
  std::string text;
  TRUSTSQL_FIELDS(Literal, kind, text)

  // The value, by SQLite's rules: an integer that does not fit in 64 bits is a real, a hexadecimal one wraps around.
  // NULL for current_date and the like, and for a hexadecimal literal of more than 64 bits (an error in SQLite).
  Value value() const;
};

// column, table.column or schema.table.column.
struct ColumnRef {
  Box<Name> schema{};           // may be empty
  std::optional<Name> table{};  // a table's name or alias
  Name column;
  TRUSTSQL_FIELDS(ColumnRef, schema, table, column)

  // Whether it is written "x" without a table, so that it is the string 'x' if no column has that name
  // (https://sqlite.org/quirks.html#dblquote).
  bool may_be_string() const { return !table && column.quote == Quote::double_quotes; }
  // Whether it is the bare word TRUE or FALSE, which is 1 or 0 if no column has that name.
  bool may_be_boolean() const;

  // As for all nodes, except that a column that may be a string or a boolean only equals another such column.
  friend bool operator==(const ColumnRef& a, const ColumnRef& b);
  std::uint64_t hash(std::uint64_t seed) const;
};

// ? ?1 :name @name $name, as written.
struct Parameter {
  std::string text;
  TRUSTSQL_FIELDS(Parameter, text)
};

enum class UnaryOp : std::uint8_t { minus, plus, bit_not, logical_not };

struct Unary {
  UnaryOp op = UnaryOp::minus;
  Box<Expr> operand{};
  TRUSTSQL_FIELDS(Unary, op, operand)
};

// In order of precedence, loosest first (https://sqlite.org/lang_expr.html#operators_and_parse_affecting_attributes).
enum class BinaryOp : std::uint8_t {
  logical_or,
  logical_and,
  equal,
  not_equal,
  is,      // also IS NOT DISTINCT FROM
  is_not,  // also IS DISTINCT FROM
  less,
  less_equal,
  greater,
  greater_equal,
  bit_and,
  bit_or,
  shift_left,
  shift_right,
  add,
  subtract,
  multiply,
  divide,
  remainder,
  concat,
  arrow,         // ->
  double_arrow,  // ->>
};

struct Binary {
  BinaryOp op = BinaryOp::equal;
  Box<Expr> left{};
  Box<Expr> right{};
  TRUSTSQL_FIELDS(Binary, op, left, right)
};

// operand IS [NOT] NULL; also ISNULL, NOTNULL, NOT NULL.
struct IsNull {
  Box<Expr> operand{};
  bool negated = false;
  TRUSTSQL_FIELDS(IsNull, operand, negated)
};

// operand [NOT] BETWEEN low AND high.
struct Between {
  Box<Expr> operand{};
  bool negated = false;
  Box<Expr> low{};
  Box<Expr> high{};
  TRUSTSQL_FIELDS(Between, operand, negated, low, high)
};

enum class LikeOp : std::uint8_t { like, glob, regexp, match };

// operand [NOT] LIKE pattern [ESCAPE escape], and the other operators of this form.
struct Like {
  LikeOp op = LikeOp::like;
  Box<Expr> operand{};
  bool negated = false;
  Box<Expr> pattern{};
  Box<Expr> escape{};  // may be empty
  TRUSTSQL_FIELDS(Like, op, operand, negated, pattern, escape)
};

// table or schema.table, without an alias.
struct TableName {
  Box<Name> schema{};  // may be empty
  Name name;
  TRUSTSQL_FIELDS(TableName, schema, name)
};

// name(arguments), a table-valued function.
struct TableFunction {
  TableName name;
  std::vector<Expr> arguments;
  TRUSTSQL_FIELDS(TableFunction, name, arguments)
};

// operand [NOT] IN (list), (subquery), table or function(...). The list may be empty: SQLite allows that.
struct In {
  using Set = std::variant<std::vector<Expr>, Box<Query>, TableName, TableFunction>;
  Box<Expr> operand{};
  bool negated = false;
  Set set;
  TRUSTSQL_FIELDS(In, operand, negated, set)
};

struct When {
  Box<Expr> condition{};
  Box<Expr> result{};
  TRUSTSQL_FIELDS(When, condition, result)
};

// CASE [operand] WHEN ... THEN ... [ELSE otherwise] END. At least one branch.
struct Case {
  Box<Expr> operand{};  // may be empty
  std::vector<When> branches{};
  Box<Expr> otherwise{};  // may be empty
  TRUSTSQL_FIELDS(Case, operand, branches, otherwise)
};

// CAST(operand AS type). The type is as written with single spaces, "VARCHAR(10)", and may be empty.
struct Cast {
  Box<Expr> operand{};
  std::string type;
  TRUSTSQL_FIELDS(Cast, operand, type)
};

struct Collate {
  Box<Expr> operand{};
  Name collation;
  TRUSTSQL_FIELDS(Collate, operand, collation)
};

// --- windows (https://sqlite.org/windowfunctions.html) ---------------------------------------------------------------

enum class FrameUnit : std::uint8_t { rows, range, groups };
enum class FrameExclude : std::uint8_t { no_others, current_row, group, ties };

struct FrameBound {
  enum class Kind : std::uint8_t { unbounded_preceding, preceding, current_row, following, unbounded_following };
  Kind kind = Kind::current_row;
  Box<Expr> offset{};  // for preceding and following; otherwise empty
  TRUSTSQL_FIELDS(FrameBound, kind, offset)
};

// If only the start is given, the end is CURRENT ROW.
struct Frame {
  FrameUnit unit = FrameUnit::range;
  FrameBound start;
  FrameBound end;
  FrameExclude exclude = FrameExclude::no_others;
  bool says_no_others = false;  // EXCLUDE NO OTHERS is written: it means the same, but SQLite then computes otherwise
  TRUSTSQL_FIELDS(Frame, unit, start, end, exclude, says_no_others)
};

// ([base] [PARTITION BY ...] [ORDER BY ...] [frame]).
struct Window {
  std::optional<Name> base{};
  std::vector<Expr> partition_by;
  std::vector<OrderTerm> order_by;
  std::optional<Frame> frame{};
  TRUSTSQL_FIELDS(Window, base, partition_by, order_by, frame)
};

// A function, aggregate or window function: name([DISTINCT] arguments [ORDER BY ...]) [FILTER (WHERE ...)] [OVER ...].
// An ordered-set aggregate, name(arguments) WITHIN GROUP (ORDER BY x), is the call name(x, arguments) written in
// another way; SQLite's own parser rewrites it so.
struct Call {
  Name name;
  bool distinct = false;
  bool star = false;          // name(*); then there are no arguments
  bool within_group = false;  // the first argument is the one that WITHIN GROUP orders by
  std::vector<Expr> arguments;
  std::vector<OrderTerm> order_by;
  Box<Expr> filter{};                      // may be empty
  Box<std::variant<Name, Window>> over{};  // OVER name, OVER (...); may be empty
  TRUSTSQL_FIELDS(Call, name, distinct, star, within_group, arguments, order_by, filter, over)
};

// --- subqueries and rows ---------------------------------------------------------------------------------------------

// (SELECT ...) as a value: a single value if it has one column, otherwise a row value.
struct Subquery {
  Box<Query> query{};
  TRUSTSQL_FIELDS(Subquery, query)
};

struct Exists {
  Box<Query> query{};
  TRUSTSQL_FIELDS(Exists, query)
};

// (a, b, ...), a row value of at least two elements.
struct Row {
  std::vector<Expr> elements;
  TRUSTSQL_FIELDS(Row, elements)
};

struct Expr : OneOf<Expr> {
  using Node = std::variant<Literal, ColumnRef, Parameter, Unary, Binary, IsNull, Between, Like, In, Case, Cast,
                            Collate, Call, Subquery, Exists, Row>;
  Node node;
  Span span{};
  TRUSTSQL_FIELDS(Expr, node)

  Expr();
  template <class T>
  requires(is_alternative<T, Node> || std::is_same_v<T, Node>) Expr(T value, Span place = {})
      : node(std::move(value)), span(place) {}
  TRUSTSQL_DECLARE_VALUE(Expr)
};

enum class NullsOrder : std::uint8_t { unstated, first, last };

struct OrderTerm {
  Expr expr;
  bool descending = false;
  NullsOrder nulls = NullsOrder::unstated;
  TRUSTSQL_FIELDS(OrderTerm, expr, descending, nulls)
};

// --- FROM ------------------------------------------------------------------------------------------------------------

enum class JoinType : std::uint8_t {
  comma,
  inner,  // JOIN, INNER JOIN
  cross,  // CROSS JOIN: an inner join that SQLite does not reorder
  left,
  right,
  full,
};

// INDEXED BY name, NOT INDEXED.
struct IndexHint {
  std::optional<Name> index{};  // none: NOT INDEXED
  TRUSTSQL_FIELDS(IndexHint, index)
};

struct Table {
  TableName name;
  std::optional<IndexHint> hint{};
  TRUSTSQL_FIELDS(Table, name, hint)
};

struct DerivedTable {
  Box<Query> query{};
  TRUSTSQL_FIELDS(DerivedTable, query)
};

// (a JOIN b ...) in parentheses.
struct JoinGroup {
  std::vector<FromItem> items;
  TRUSTSQL_FIELDS(JoinGroup, items)
};

// One table, and how it joins everything before it in its list: all joins, including the comma, have the same
// precedence and associate to the left.
struct FromItem {
  using Source = std::variant<Table, TableFunction, DerivedTable, JoinGroup>;
  JoinType join = JoinType::comma;  // meaningless for the first
  bool natural = false;
  Source source;
  std::optional<Name> alias{};
  Box<Expr> on{};                     // may be empty
  std::vector<Name> using_columns{};  // not empty: USING (...), and then there is no `on`
  Span span{};
  TRUSTSQL_FIELDS(FromItem, join, natural, source, alias, on, using_columns)
};

// --- queries ---------------------------------------------------------------------------------------------------------

// * or table.*
struct Star {
  std::optional<Name> table{};
  TRUSTSQL_FIELDS(Star, table)
};

struct SelectItem {
  std::variant<Expr, Star> value{};
  std::optional<Name> alias{};
  // The text of the expression, which SQLite uses as the column's name if there is no alias. Empty if the item has an
  // alias, is a plain column (which is named like the column) or a star. Not part of the item's value.
  std::string text{};
  TRUSTSQL_FIELDS(SelectItem, value, alias)

  // nullptr if it is a star.
  const Expr* expr() const { return std::get_if<Expr>(&value); }
  Expr* expr() { return std::get_if<Expr>(&value); }
};

// WINDOW name AS (...).
struct NamedWindow {
  Name name;
  Window window;
  TRUSTSQL_FIELDS(NamedWindow, name, window)
};

struct Select {
  bool distinct = false;
  std::vector<SelectItem> items{};  // at least one
  std::vector<FromItem> from{};     // may be empty
  Box<Expr> where{};                // may be empty
  std::vector<Expr> group_by{};
  Box<Expr> having{};  // may be empty; also allowed without GROUP BY
  std::vector<NamedWindow> windows{};
  Span span{};
  TRUSTSQL_FIELDS(Select, distinct, items, from, where, group_by, having, windows)
};

// VALUES (...), (...): at least one row of at least one value. The parser accepts rows of different lengths; SQLite
// rejects them.
struct Values {
  std::vector<std::vector<Expr>> rows{};
  Span span{};
  TRUSTSQL_FIELDS(Values, rows)
};

enum class SetOp : std::uint8_t { union_distinct, union_all, intersect, except };

// All set operators have the same precedence and associate to the left.
struct Arm {
  SetOp op = SetOp::union_all;  // between this arm and those before it; meaningless for the first
  std::variant<Select, Values> body{};
  TRUSTSQL_FIELDS(Arm, op, body)

  // nullptr if it is VALUES.
  const Select* select() const { return std::get_if<Select>(&body); }
  Select* select() { return std::get_if<Select>(&body); }
};

enum class Materialized : std::uint8_t { unstated, yes, no };

// name [(columns)] AS [NOT MATERIALIZED | MATERIALIZED] (query).
struct CommonTable {
  Name name;
  std::vector<Name> columns{};
  Materialized materialized = Materialized::unstated;
  Box<Query> query{};
  TRUSTSQL_FIELDS(CommonTable, name, columns, materialized, query)
};

struct With {
  bool recursive = false;  // only whether the word is there: SQLite lets any common table be recursive
  std::vector<CommonTable> tables{};
  TRUSTSQL_FIELDS(With, recursive, tables)
};

// [WITH ...] arms [ORDER BY ...] [LIMIT limit [OFFSET offset]].
struct Query {
  std::optional<With> with{};
  std::vector<Arm> arms{};  // at least one
  std::vector<OrderTerm> order_by{};
  Box<Expr> limit{};   // may be empty
  Box<Expr> offset{};  // may be empty; only with `limit`
  Span span{};
  TRUSTSQL_FIELDS(Query, with, arms, order_by, limit, offset)

  // The SELECT of a query that consists of a single SELECT; nullptr for a compound query and for VALUES.
  const Select* single_select() const { return arms.size() == 1 ? arms.front().select() : nullptr; }
};

}  // namespace trustsql::ast
