// SqlWriter: the state of to_ast(), and its parts, which are in block.cpp, operator.cpp, source.cpp, join.cpp,
// aggregate.cpp and expression.cpp.
#pragma once

#include <map>

#include "plan/to_sql.hpp"
#include "plan/to_sql/pieces.hpp"
#include "plan/types.hpp"
#include "plan/walk.hpp"

namespace trustsql::plan {

// An SQL expression, and its type as an operand in SQLite.
struct SqlExpr {
  ast::Expr expr;
  ExprType type{};  // affinity and collation; a COLLATE anywhere in it makes the latter explicit
};

// How an attribute is written in the expressions of the current block.
struct Cell {
  enum class Kind : std::uint8_t {
    column,    // a column of a FROM item
    group,     // a key or an aggregate of this SELECT
    computed,  // an expression of the select list, or the value of a window function
  };
  SqlExpr sql{};
  Kind kind = Kind::column;
  bool has_aggregate = false;   // it contains an aggregate function
  bool picks_row = false;       // it contains the MIN or MAX that decides from which row bare columns come
  bool refers_outside = false;  // it refers to a column of an enclosing query, which GROUP BY and ORDER BY may not do
  bool is_fixed = false;        // it is the same in all rows
  bool has_subquery = false;    // for computed cells
  bool is_volatile = false;     // for computed cells
};

// A query under construction.
struct SelectBlock {
  enum class Stage : std::uint8_t { from, where, group, having, window, distinct, order, limit };
  ast::Select select{};
  std::vector<ast::Arm> arms{};  // the arms of a compound query; if not empty, `select` is unused
  std::vector<ast::OrderTerm> order_by{};
  ast::Box<ast::Expr> limit{};
  ast::Box<ast::Expr> offset{};
  Stage stage = Stage::from;
  bool one_group = false;  // an aggregate without GROUP BY
  std::optional<AttributeId>
      pick{};  // the MIN or MAX that decides from which row bare columns come, until it has been written
  std::vector<AttributeId> added{};  // columns beyond those of the operator, from add_columns()
  // The columns of DISTINCT and compound queries are fixed: these attributes.
  std::optional<std::vector<AttributeId>> fixed{};
  std::vector<ExprType> fixed_types{};               // as columns of a FROM item
  std::vector<std::string_view> fixed_collations{};  // with which ORDER BY compares them by default
};

class SqlWriter {
 public:
  explicit SqlWriter(const Plan& plan) : plan_(plan), cells_(plan.attributes.size()) {}

  ast::Query write();

 private:
  // --- blocks (block.cpp)
  // The block as a query with these columns. `names`, if given, are their aliases; `types` receives their types.
  ast::Query finish(SelectBlock block, const std::vector<AttributeId>& ids,
                    const std::vector<std::string>* names = nullptr, std::vector<ExprType>* types = nullptr);
  // A block that reads `block`, which has the rows of `rel`, as a subquery in FROM.
  SelectBlock wrap(SelectBlock block, const Rel& rel);
  SelectBlock wrap(SelectBlock block, const std::vector<AttributeId>& ids);
  // A block that reads `source`, whose columns are `ids` under `names`.
  SelectBlock read(ast::FromItem::Source source, const std::vector<AttributeId>& ids,
                   const std::vector<std::string>& names, const std::vector<ExprType>& types);
  void fix_columns(SelectBlock& block, const std::vector<AttributeId>& ids,
                   const std::vector<std::string_view>& collations);
  // Makes sure that SQLite sees a SELECT of one group with the columns `ids` as an aggregate query, and that its bare
  // columns come from the right row.
  void keep_aggregate(SelectBlock& block, const std::vector<AttributeId>& ids);
  // Makes the columns of the compound query `arms`, whose arms have these types, compare by `collations` (empty:
  // BINARY).
  static void give_collations(std::vector<ast::Arm>& arms, const std::vector<std::vector<ExprType>>& types,
                              const std::vector<std::string_view>& collations);
  // The query as an arm of a compound query.
  ast::Arm as_arm(ast::Query query, ast::SetOp op);
  void add_where(SelectBlock& block, const std::vector<Expr>& conjuncts);
  // Whether the expressions can be written in this block: they must not refer to computed cells, and in subqueries only
  // to column cells.
  bool can_write(const std::vector<const Expr*>& exprs) const;
  bool can_write(const std::vector<Expr>& exprs) const;
  bool can_write_operator(const Rel& rel) const;
  bool all_columns(const std::vector<AttributeId>& ids) const;
  // Whether the cell of any of them has picks_row.
  bool picks_row(const AttributeSet& ids) const;
  // Whether `expr`, over rows of the attributes `inside`, needs a column of an enclosing query.
  bool refers_outside(const Expr& expr, const AttributeSet& inside) const;
  // Wraps `block`, which has the rows of `input`, with an additional column for each expression; returns their
  // attributes.
  std::vector<AttributeId> add_columns(SelectBlock& block, const Rel& input, const std::vector<const Expr*>& exprs);
  // The expressions of GROUP BY or ORDER BY over the rows of `input`, with those that refer outside made columns.
  std::vector<Expr> make_local(SelectBlock& block, const Rel& input, std::vector<Expr> exprs);
  std::string new_alias() { return "t" + std::to_string(++aliases_); }
  std::vector<std::string> column_names(const std::vector<AttributeId>& ids) const;

  // --- operators (operator.cpp, source.cpp, join.cpp, aggregate.cpp)
  SelectBlock convert(const Rel& rel);
  SelectBlock convert_node(const Scan& node, const Rel& rel);
  SelectBlock convert_node(const TableFunction& node, const Rel& rel);
  SelectBlock convert_node(const Values& node, const Rel& rel);
  SelectBlock convert_node(const Filter& node, const Rel& rel);
  SelectBlock convert_node(const Project& node, const Rel& rel);
  SelectBlock convert_node(const Join& node, const Rel& rel);
  SelectBlock convert_node(const Apply& node, const Rel& rel);
  SelectBlock convert_node(const Aggregate& node, const Rel& rel);
  SelectBlock convert_node(const Window& node, const Rel& rel);
  SelectBlock convert_node(const Distinct& node, const Rel& rel);
  SelectBlock convert_node(const Sort& node, const Rel& rel);
  SelectBlock convert_node(const Limit& node, const Rel& rel);
  SelectBlock convert_node(const SetOp& node, const Rel& rel);
  SelectBlock convert_node(const Derived& node, const Rel& rel);
  SelectBlock convert_node(const Recursive& node, const Rel& rel);
  SelectBlock convert_node(const RecursiveRef& node, const Rel& rel);
  // The calls of `node`, whose input is in `block`. In SQL an aggregate of nothing but columns of an enclosing query
  // belongs to that query, so the arguments of such calls become columns of the block.
  std::vector<AggregateCall> anchor_calls(SelectBlock& block, const Aggregate& node);
  // Adds the arguments to `call`; the first is compared by `collation` unless that is empty. Returns the type of the
  // call.
  ExprType emit_arguments(ast::Call& call, const std::vector<Expr>& arguments, std::string_view collation);
  // SELECT DISTINCT ... ORDER BY terms that it does not list; nullopt if the operators do not have this form.
  std::optional<SelectBlock> distinct_ordered_behind(const Project& node);
  SelectBlock existence_join(const Rel& left, const Rel& right, const std::vector<Expr>& on, bool anti);
  // A block that can be a side of a join: FROM items and perhaps WHERE, with only plain columns.
  SelectBlock join_side(const Rel& rel, bool allow_where, bool single_item);
  SelectBlock nullable_side(const Rel& rel);
  void set_cell(AttributeId id, SqlExpr sql, Cell::Kind kind) { cells_[id] = Cell{std::move(sql), kind}; }
  ast::FromItem table_function_item(const TableFunction& node);
  ast::OrderTerm order_term(const SortKey& key);
  // The same for column `position` of a query whose columns compare by `collations` by default.
  ast::OrderTerm order_by_position(const SortKey& key, std::size_t position,
                                   const std::vector<std::string_view>& collations);

  // --- expressions (expression.cpp)
  SqlExpr emit(const Expr& expr);
  ast::Expr emit_ast(const Expr& expr) { return emit(expr).expr; }
  std::vector<ast::Expr> emit_all(const std::vector<Expr>& exprs);
  ast::Expr emit_conjunction(const std::vector<Expr>& conjuncts);
  SqlExpr emit_node(const Literal& node);
  SqlExpr emit_node(const Column& node);
  SqlExpr emit_node(const Parameter& node);
  SqlExpr emit_node(const Unary& node);
  SqlExpr emit_node(const Binary& node);
  SqlExpr emit_node(const Compare& node);
  SqlExpr emit_node(const RowCompare& node);
  SqlExpr emit_node(const And& node);
  SqlExpr emit_node(const Or& node);
  SqlExpr emit_node(const Not& node);
  SqlExpr emit_node(const IsNull& node);
  SqlExpr emit_node(const IsTruth& node);
  SqlExpr emit_node(const Between& node);
  SqlExpr emit_node(const InList& node);
  SqlExpr emit_node(const Like& node);
  SqlExpr emit_node(const Case& node);
  SqlExpr emit_node(const Cast& node);
  SqlExpr emit_node(const Function& node);
  SqlExpr emit_node(const Row& node);
  SqlExpr emit_node(const ScalarSubquery& node);
  SqlExpr emit_node(const Exists& node);
  SqlExpr emit_node(const InSubquery& node);
  // `sql` with a COLLATE if its own collation is not `collation`.
  SqlExpr with_collation(SqlExpr sql, std::string_view collation);
  // Changes the operands of a comparison so that SQLite compares them as `how` says.
  static void adjust(SqlExpr& left, SqlExpr& right, const Comparison& how);
  // `how`, or SQLite's default comparison if that gives the same result for all values that the operands can have.
  Comparison in_effect(const Comparison& how, const Expr& left, const ExprType& left_type, const Expr& right,
                       const ExprType& right_type) const;
  ast::Query subquery(const Rel& rel, std::vector<ExprType>* types);
  // The subquery `rel` with its columns as operands of the comparisons `how` with `left`.
  ast::Query compared_subquery(const Rel& rel, std::vector<SqlExpr>& left, const std::vector<Comparison>& how);

  const Plan& plan_;
  std::vector<Cell> cells_;  // by attribute
  int aliases_ = 0;
  std::map<int, std::string> recursions_;   // by number: the name of the common table
  std::vector<ast::CommonTable> shared_{};  // common tables of the whole statement
  std::map<int, std::size_t> shared_by_definition_{};
};

// Whether `expr` is the same for all rows of the attributes `inside`, so that it has no effect as a sort or group key.
// In GROUP BY and ORDER BY an integer would refer to a column of the result, and references to an enclosing query are
// not allowed at all.
bool is_fixed(const Expr& expr, const AttributeSet& inside);

// The collation with which a column of a compound query compares by default: the first one that an arm has for it.
std::string_view natural_collation(const std::vector<std::vector<ExprType>>& arms, std::size_t column);

}  // namespace trustsql::plan
