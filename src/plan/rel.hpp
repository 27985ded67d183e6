// Relational operators: the nodes of a plan (RelNodes; FuncEvalGMN, section 3, which takes them from Apache Calcite).
//
// An operator yields a bag of rows over its output attributes, in a fixed order (outputs()). Rows have an order only
// where Sort gives them one, and only as far as Project and Limit hand it on.
//
// A subquery in an expression may use attributes of the operators around it: it is then correlated (free_attributes()).
// So may the right side of an Apply use those of the left one.
#pragma once

#include "plan/expr.hpp"

namespace trustsql {
struct Table;
}

namespace trustsql::plan {

// A column of a table that a scan reads: its attribute, and its position in the table or -1 for the rowid.
struct TableColumn {
  AttributeId id = 0;
  int position = 0;
  TRUSTSQL_FIELDS(TableColumn, id, position)
};

// The rows of a table. Of its columns only those that the query uses, by position.
struct Scan {
  std::string_view schema{};
  std::string_view name{};  // as the catalog has it
  std::vector<TableColumn> columns{};
  AttributeId row = 0;           // stands for the identity of a row in keys and dependencies; no expression uses it
  const Table* table = nullptr;  // goes with the name
  std::string_view alias{};      // what the query calls it; no part of the value
  TRUSTSQL_FIELDS(Scan, schema, name, columns, row)
};

// The rows of a table-valued function. Below an Apply its arguments may use attributes of the left side.
struct TableFunction {
  std::string_view schema{};
  std::string_view name{};
  std::vector<Expr> arguments{};
  std::vector<TableColumn> columns{};
  const Table* table = nullptr;
  std::string_view alias{};
  TRUSTSQL_FIELDS(TableFunction, schema, name, arguments, columns)
};

// Rows that stand in the query. One row without columns is what a SELECT without FROM reads.
struct Values {
  std::vector<AttributeId> ids{};
  std::vector<std::vector<Expr>> rows{};
  TRUSTSQL_FIELDS(Values, ids, rows)
};

// The rows for which all conjuncts are true.
struct Filter {
  Box<Rel> input{};
  std::vector<Expr> conjuncts{};
  TRUSTSQL_FIELDS(Filter, input, conjuncts)
};

// An output column: a new attribute with its value, or an attribute of the input under its own id.
struct ProjectItem {
  AttributeId id = 0;
  Expr expr;
  TRUSTSQL_FIELDS(ProjectItem, id, expr)

  bool is_pass_through() const {
    const auto* from = column_id(expr);
    return from != nullptr && *from == id;
  }
};

// One row for each row of the input, of these columns; one attribute may stand twice.
struct Project {
  Box<Rel> input{};
  std::vector<ProjectItem> items{};
  TRUSTSQL_FIELDS(Project, input, items)
};

enum class JoinType : std::uint8_t {
  inner,  // without conditions: the cross product
  left,
  right,
  full,
  semi,  // left rows with a match; left columns only
  anti,  // left rows without one
};

struct Join {
  JoinType type = JoinType::inner;
  Box<Rel> left{};
  Box<Rel> right{};
  std::vector<Expr> on{};  // conjuncts
  TRUSTSQL_FIELDS(Join, type, left, right, on)
};

enum class ApplyType : std::uint8_t {
  scalar,        // each left row with the first row of the right side, or with NULLs if there is none
  semi,          // left rows for which the right side has rows that fulfil `on`
  anti,          // left rows for which it has none
  lateral,       // each left row with each row of the right side, a TableFunction
  lateral_left,  // the same, and left rows without a match once, with NULLs
};

// The right side is evaluated for each row of the left one.
struct Apply {
  ApplyType type = ApplyType::scalar;
  Box<Rel> left{};
  Box<Rel> right{};
  std::vector<Expr> on{};  // not of scalar
  TRUSTSQL_FIELDS(Apply, type, left, right, on)
};

struct GroupKey {
  AttributeId id = 0;  // of a plain column: its own
  Expr expr;
  std::string_view collation = binary_collation;
  TRUSTSQL_FIELDS(GroupKey, id, expr, collation)
};

// nulls_first is what ascending order does unasked.
struct SortKey {
  Expr expr;
  bool descending = false;
  bool nulls_first = true;
  std::string_view collation = binary_collation;
  TRUSTSQL_FIELDS(SortKey, expr, descending, nulls_first, collation)
};

// An aggregate over the rows of a group.
struct AggregateCall {
  AttributeId id = 0;       // of a bare column that is one: its own
  std::string_view name{};  // lower case; empty: the value of `arguments[0]` in some row of the group (a "bare column")
  bool distinct = false;
  std::vector<Expr> arguments{};  // none: COUNT(*)
  std::vector<SortKey> order_by{};
  Box<Expr> filter{};                             // may be empty
  std::string_view collation = binary_collation;  // of DISTINCT, MIN and MAX
  const SqlFunction* info = nullptr;              // goes with the name
  TRUSTSQL_FIELDS(AggregateCall, id, name, distinct, arguments, order_by, filter, collation)

  bool is_bare() const { return name.empty(); }
};

// One row for each group of rows that agree in the keys, NULLs taken as equal. Not `grouped` (no GROUP BY): no keys,
// and exactly one row even without input. `grouped` without keys: one row, or none without input.
//
// A bare column takes its value from the row that MIN or MAX picks if there is exactly one such call, else from any row
// (https://sqlite.org/lang_select.html#bareagg).
struct Aggregate {
  Box<Rel> input{};
  bool grouped = false;
  std::vector<GroupKey> keys{};
  std::vector<AggregateCall> calls{};
  bool of_distinct =
      false;  // it is a DISTINCT that ORDER BY looks behind. No part of the value: SQLite picks other rows then
  TRUSTSQL_FIELDS(Aggregate, input, grouped, keys, calls)

  bool has_bare_columns() const;
};

struct FrameBound {
  ast::FrameBound::Kind kind = ast::FrameBound::Kind::current_row;
  Box<Expr> offset{};
  TRUSTSQL_FIELDS(FrameBound, kind, offset)
};

struct Frame {
  ast::FrameUnit unit = ast::FrameUnit::range;
  FrameBound start{};
  FrameBound end{};
  ast::FrameExclude exclude = ast::FrameExclude::no_others;
  TRUSTSQL_FIELDS(Frame, unit, start, end, exclude)
};

// A window function over the rows of the input.
struct WindowCall {
  AttributeId id = 0;
  std::string_view name{};
  std::vector<Expr> arguments{};
  bool star = false;  // COUNT(*)
  Box<Expr> filter{};
  std::vector<GroupKey> partition_by{};  // their ids mean nothing
  std::vector<SortKey> order_by{};
  std::optional<Frame> frame{};
  std::string_view collation = binary_collation;
  const SqlFunction* info = nullptr;
  TRUSTSQL_FIELDS(WindowCall, id, name, arguments, star, filter, partition_by, order_by, frame, collation)
};

// The rows of the input, each with the values of the calls behind its own.
struct Window {
  Box<Rel> input{};
  std::vector<WindowCall> calls{};
  TRUSTSQL_FIELDS(Window, input, calls)
};

// One row of each set of rows that are equal, NULLs taken as equal.
struct Distinct {
  Box<Rel> input{};
  std::vector<std::string_view> collations{};  // one for each column; empty: BINARY for all
  TRUSTSQL_FIELDS(Distinct, input, collations)
};

struct Sort {
  Box<Rel> input{};
  std::vector<SortKey> keys{};
  TRUSTSQL_FIELDS(Sort, input, keys)
};

// The first `count` rows after the first `offset`. A negative count means all of them, a negative offset none.
struct Limit {
  Box<Rel> input{};
  Box<Expr> count{};
  Box<Expr> offset{};  // may be empty
  TRUSTSQL_FIELDS(Limit, input, count, offset)
};

// Columns are matched by position. Of EXCEPT there are two inputs, else at least two.
struct SetOp {
  ast::SetOp op = ast::SetOp::union_all;
  std::vector<Rel> inputs;
  std::vector<AttributeId> ids{};
  std::vector<std::string_view> collations{};  // one for each column; empty: BINARY for all
  TRUSTSQL_FIELDS(SetOp, op, inputs, ids, collations)
};

// The border of a subquery in FROM, of a view or of a use of a common table: its input, unchanged.
struct Derived {
  enum class Kind : std::uint8_t { subquery, view, common_table };
  Box<Rel> input{};
  Kind kind = Kind::subquery;
  std::string_view name{};
  int definition = -1;  // of a common table: the same for all its uses; else -1
  TRUSTSQL_FIELDS(Derived, input, kind)
};

// A recursive common table (https://sqlite.org/lang_with.html#recursive_query_examples): the rows of `seed` go into a
// queue; each row taken from it is a row of the result, and what the steps make of it goes into the queue, too.
struct Recursive {
  int number = 0;  // by which the steps refer to it, unique in the plan
  std::string_view name{};
  std::vector<AttributeId> ids{};
  Box<Rel> seed{};
  std::vector<Rel> steps;
  bool distinct = false;  // UNION: rows that were in the queue already are dropped
  std::vector<std::string_view> collations{};
  std::vector<SortKey> order_by{};  // of the queue; over `ids`
  Box<Expr> count{};                // may be empty
  Box<Expr> offset{};               // may be empty
  TRUSTSQL_FIELDS(Recursive, number, ids, seed, steps, distinct, collations, order_by, count, offset)
};

// In a step: the row that was taken from the queue.
struct RecursiveRef {
  int number = 0;
  std::vector<AttributeId> ids{};
  TRUSTSQL_FIELDS(RecursiveRef, number, ids)
};

struct Rel : ast::OneOf<Rel> {
  using Node = std::variant<Scan, TableFunction, Values, Filter, Project, Join, Apply, Aggregate, Window, Distinct,
                            Sort, Limit, SetOp, Derived, Recursive, RecursiveRef>;
  Node node;
  TRUSTSQL_FIELDS(Rel, node)

  Rel();
  template <class T>
  requires ast::is_alternative<T, Node> Rel(T value) : node(std::move(value)) {}
  TRUSTSQL_DECLARE_VALUE(Rel)
};

// The attributes of the rows, in order.
std::vector<AttributeId> outputs(const Rel& rel);
// The same as a set.
AttributeSet output_set(const Rel& rel);

// Replaces `rel` by one of its own descendants, which is moved out first.
inline void replace_by_descendant(Rel& rel, Rel& descendant) {
  Rel kept = std::move(descendant);
  rel = std::move(kept);
}
// Replaces an expression by one of its own parts.
inline void replace_by_part(Expr& expr, Expr& part) {
  Expr kept = std::move(part);
  expr = std::move(kept);
}

}  // namespace trustsql::plan
