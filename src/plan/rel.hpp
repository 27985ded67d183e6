// Relational operators: the nodes of a plan (RelNodes; FuncEvalGMN, section 3, which takes them from Apache Calcite).
//
// An operator yields a bag of rows over its output attributes, in a fixed order (outputs()). Rows have an order only if
// Sort gives them one, and only as long as Project and Limit preserve it.
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

// The rows of a table, with only the columns that the query uses, by position.
struct Scan {
  std::string_view schema{};
  std::string_view name{};  // as in the catalog
  std::vector<TableColumn> columns{};
  AttributeId row = 0;           // stands for the identity of a row in keys and dependencies; no expression uses it
  const Table* table = nullptr;  // determined by the name
  std::string_view alias{};      // its name in the query; not part of the value
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

// Rows written in the query. A SELECT without FROM reads one row without columns. Without rows, it stands for any empty
// relation, and an attribute may occur twice.
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

// One row with these columns for each row of the input; an attribute may occur twice.
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
  semi,  // left rows with a match; only the columns of the left side
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
  semi,          // left rows for which the right side has rows that satisfy `on`
  anti,          // left rows for which it has none
  lateral,       // each left row with each row of the right side, a TableFunction
  lateral_left,  // the same, plus left rows without a match once, with NULLs
};

// The right side is evaluated for each row of the left one.
struct Apply {
  ApplyType type = ApplyType::scalar;
  Box<Rel> left{};
  Box<Rel> right{};
  std::vector<Expr> on{};  // unused for scalar
  TRUSTSQL_FIELDS(Apply, type, left, right, on)
};

struct GroupKey {
  AttributeId id = 0;  // for a plain column: the column's own id
  Expr expr;
  std::string_view collation = binary_collation;
  TRUSTSQL_FIELDS(GroupKey, id, expr, collation)
};

// By default, ascending order puts NULLs first.
struct SortKey {
  Expr expr;
  bool descending = false;
  bool nulls_first = true;
  std::string_view collation = binary_collation;
  TRUSTSQL_FIELDS(SortKey, expr, descending, nulls_first, collation)
};

// An aggregate over the rows of a group.
struct AggregateCall {
  AttributeId id = 0;       // for a bare column that is a plain column: the column's own id
  std::string_view name{};  // lower case; empty: the value of `arguments[0]` in some row of the group (a "bare column")
  bool distinct = false;
  std::vector<Expr> arguments{};  // none: COUNT(*)
  std::vector<SortKey> order_by{};
  Box<Expr> filter{};                             // may be empty
  std::string_view collation = binary_collation;  // for DISTINCT, MIN and MAX
  const SqlFunction* info = nullptr;              // determined by the name
  TRUSTSQL_FIELDS(AggregateCall, id, name, distinct, arguments, order_by, filter, collation)

  bool is_bare() const { return name.empty(); }
};

// One row for each group of rows that agree on the keys, with NULLs treated as equal. Without `grouped` (no GROUP BY)
// there are no keys, and the result is exactly one row even if the input is empty. `grouped` without keys: one row, or
// none if the input is empty.
//
// If there is exactly one call of MIN or MAX, a bare column takes its value from the row that the call picks, otherwise
// from any row (https://sqlite.org/lang_select.html#bareagg).
struct Aggregate {
  Box<Rel> input{};
  bool grouped = false;
  std::vector<GroupKey> keys{};
  std::vector<AggregateCall> calls{};
  bool of_distinct = false;  // it is a DISTINCT under an ORDER BY of terms not in its list. Not part of the value:
                             // SQLite then picks other rows
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

  // RANGE 1 PRECEDING and the like, for which SQLite adds to the key of the order.
  bool adds_to_key() const { return unit == ast::FrameUnit::range && (start.offset || end.offset); }
};

// A window function over the rows of the input.
struct WindowCall {
  AttributeId id = 0;
  std::string_view name{};
  std::vector<Expr> arguments{};
  bool star = false;  // COUNT(*)
  Box<Expr> filter{};
  std::vector<GroupKey> partition_by{};  // their ids are not used
  std::vector<SortKey> order_by{};
  std::optional<Frame> frame{};
  std::string_view collation = binary_collation;
  const SqlFunction* info = nullptr;
  TRUSTSQL_FIELDS(WindowCall, id, name, arguments, star, filter, partition_by, order_by, frame, collation)
};

// The rows of the input, each followed by the values of the calls.
struct Window {
  Box<Rel> input{};
  std::vector<WindowCall> calls{};
  TRUSTSQL_FIELDS(Window, input, calls)
};

// One row of each set of equal rows, with NULLs treated as equal.
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

// The first `count` rows after skipping `offset` rows. A negative count means no limit, a negative offset means 0.
struct Limit {
  Box<Rel> input{};
  Box<Expr> count{};
  Box<Expr> offset{};  // may be empty
  TRUSTSQL_FIELDS(Limit, input, count, offset)
};

// Columns are matched by position. EXCEPT has two inputs, the other operators at least two.
struct SetOp {
  ast::SetOp op = ast::SetOp::union_all;
  std::vector<Rel> inputs;
  std::vector<AttributeId> ids{};
  std::vector<std::string_view> collations{};  // one for each column; empty: BINARY for all
  TRUSTSQL_FIELDS(SetOp, op, inputs, ids, collations)
};

// The boundary of a subquery in FROM, a view or a use of a common table: its input, unchanged.
struct Derived {
  enum class Kind : std::uint8_t { subquery, view, common_table };
  Box<Rel> input{};
  Kind kind = Kind::subquery;
  std::string_view name{};
  int definition = -1;  // for a common table: the same number for all its uses; otherwise -1
  TRUSTSQL_FIELDS(Derived, input, kind)
};

// A recursive common table (https://sqlite.org/lang_with.html#recursive_query_examples): the rows of `seed` go into a
// queue; each row taken from it is a row of the result, and the rows that the steps compute from it go into the queue
// as well.
struct Recursive {
  int number = 0;  // the steps refer to it by this number, unique in the plan
  std::string_view name{};
  std::vector<AttributeId> ids{};
  Box<Rel> seed{};
  std::vector<Rel> steps;
  bool distinct = false;  // UNION: rows that have already been in the queue are dropped
  std::vector<std::string_view> collations{};
  std::vector<SortKey> order_by{};  // the order of the queue; over `ids`
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
