// SqlWriter: the state of to_ast() and its parts, which stand in block.cpp, operator.cpp, source.cpp, join.cpp,
// aggregate.cpp and expression.cpp.
#pragma once

#include <map>

#include "plan/to_sql.hpp"
#include "plan/to_sql/pieces.hpp"
#include "plan/types.hpp"
#include "plan/walk.hpp"

namespace trustsql::plan {

// An expression of SQL, and how SQLite takes it as an operand.
struct SqlExpr {
  ast::Expr expr;
  ExprType type{};  // affinity and collation; a COLLATE anywhere in it makes the latter explicit
};

// What an attribute is called where expressions are being written.
struct Cell {
  enum class Kind : std::uint8_t {
    column,    // a column of a FROM item
    group,     // a key or an aggregate of this SELECT's GROUP BY
    computed,  // an expression of the select list, a window function's value
  };
  SqlExpr sql{};
  Kind kind = Kind::column;
  bool has_aggregate = false;   // an aggregate function stands in it
  bool picks_row = false;       // a MIN or MAX stands in it that says from which row bare columns come
  bool refers_outside = false;  // to a column of an enclosing query, which GROUP BY and ORDER BY may not do
  bool is_fixed = false;        // the same in all rows
  bool has_subquery = false;    // of a computed one
  bool is_volatile = false;     // of a computed one
};

// A query under construction.
struct Block {
  enum class Stage : std::uint8_t { from, where, group, having, window, distinct, order, limit };
  ast::Select select{};
  std::vector<ast::Arm> arms{};  // a compound query; then `select` means nothing
  std::vector<ast::OrderTerm> order_by{};
  ast::Box<ast::Expr> limit{};
  ast::Box<ast::Expr> offset{};
  Stage stage = Stage::from;
  bool one_group = false;  // an aggregate without GROUP BY
  std::optional<AttributeId>
      pick{};  // the MIN or MAX that says from which row bare columns come, as long as it is not written
  std::vector<AttributeId> added{};  // columns beyond those of the operator: of add_columns()
  // DISTINCT and compound queries have fixed columns: these attributes.
  std::optional<std::vector<AttributeId>> fixed{};
  std::vector<ExprType> fixed_types{};               // as columns of a FROM item
  std::vector<std::string_view> fixed_collations{};  // by which ORDER BY compares them unasked
};

class SqlWriter {
 public:
  explicit SqlWriter(const Plan& plan) : plan_(plan), cells_(plan.attributes.size()) {}

  ast::Query write();

 private:
  // --- blocks (block.cpp)
  // The block as a query with these columns. `names` gives them aliases.
  ast::Query finish(Block block, const std::vector<AttributeId>& ids, const std::vector<std::string>* names = nullptr,
                    std::vector<ExprType>* types = nullptr);
  // A block that reads the given one, of `rel`, as a subquery in FROM.
  Block wrap(Block block, const Rel& rel);
  Block wrap(Block block, const std::vector<AttributeId>& ids);
  // A block that reads `source`, whose columns are `ids` under `names`.
  Block read(ast::FromItem::Source source, const std::vector<AttributeId>& ids, const std::vector<std::string>& names,
             const std::vector<ExprType>& types);
  void fix_columns(Block& block, const std::vector<AttributeId>& ids, const std::vector<std::string_view>& collations);
  // Makes sure that a SELECT of one group and the columns `ids` is seen as one, and that bare columns in it come from
  // the row that they have to.
  void keep_aggregate(Block& block, const std::vector<AttributeId>& ids);
  // The columns of the compound query `arms`, whose arms have these types, compare by `collations` (empty: BINARY).
  static void give_collations(std::vector<ast::Arm>& arms, const std::vector<std::vector<ExprType>>& types,
                              const std::vector<std::string_view>& collations);
  // The query as an arm of a compound query.
  ast::Arm as_arm(ast::Query query, ast::SetOp op);
  void add_where(Block& block, const std::vector<Expr>& conjuncts);
  // Whether the expressions can be written in this block: no references to computed cells, in subqueries none but to
  // columns.
  bool can_write(const std::vector<const Expr*>& exprs) const;
  bool can_write(const std::vector<Expr>& exprs) const;
  bool can_write_operator(const Rel& rel) const;
  bool all_columns(const std::vector<AttributeId>& ids) const;
  // Whether one of them has Cell::picks_row.
  bool picks_row(const AttributeSet& ids) const;
  // Whether `expr`, over rows of the attributes `inside`, needs a column of an enclosing query.
  bool refers_outside(const Expr& expr, const AttributeSet& inside) const;
  // Wraps `block`, which has the rows of `input`, with a column more for each expression; returns their attributes.
  std::vector<AttributeId> add_columns(Block& block, const Rel& input, const std::vector<const Expr*>& exprs);
  // The expressions of GROUP BY or ORDER BY over the rows of `input`, those that refer outside made columns.
  std::vector<Expr> make_local(Block& block, const Rel& input, std::vector<Expr> exprs);
  std::string new_alias() { return "t" + std::to_string(++aliases_); }
  std::vector<std::string> column_names(const std::vector<AttributeId>& ids) const;

  // --- operators (operator.cpp, source.cpp, join.cpp, aggregate.cpp)
  Block convert(const Rel& rel);
  Block convert_node(const Scan& node, const Rel& rel);
  Block convert_node(const TableFunction& node, const Rel& rel);
  Block convert_node(const Values& node, const Rel& rel);
  Block convert_node(const Filter& node, const Rel& rel);
  Block convert_node(const Project& node, const Rel& rel);
  Block convert_node(const Join& node, const Rel& rel);
  Block convert_node(const Apply& node, const Rel& rel);
  Block convert_node(const Aggregate& node, const Rel& rel);
  Block convert_node(const Window& node, const Rel& rel);
  Block convert_node(const Distinct& node, const Rel& rel);
  Block convert_node(const Sort& node, const Rel& rel);
  Block convert_node(const Limit& node, const Rel& rel);
  Block convert_node(const SetOp& node, const Rel& rel);
  Block convert_node(const Derived& node, const Rel& rel);
  Block convert_node(const Recursive& node, const Rel& rel);
  Block convert_node(const RecursiveRef& node, const Rel& rel);
  // The calls of `node`, whose input `block` has. To SQL an aggregate of columns of an enclosing query alone is one of
  // that query; the arguments of such calls become columns of the block.
  std::vector<AggregateCall> anchor_calls(Block& block, const Aggregate& node);
  // Gives `call` the arguments, of which the first is compared by `collation` unless that is empty; returns the call's
  // type.
  ExprType emit_arguments(ast::Call& call, const std::vector<Expr>& arguments, std::string_view collation);
  // SELECT DISTINCT ... ORDER BY what it does not list; nullopt if the operators are no such thing.
  std::optional<Block> distinct_ordered_behind(const Project& node);
  Block existence_join(const Rel& left, const Rel& right, const std::vector<Expr>& on, bool anti);
  // A block that can be a side of a join: FROM items and perhaps WHERE, all attributes plain columns.
  Block join_side(const Rel& rel, bool allow_where, bool single_item);
  void set_cell(AttributeId id, SqlExpr sql, Cell::Kind kind) { cells_[id] = Cell{std::move(sql), kind}; }
  ast::FromItem table_function_item(const TableFunction& node);
  ast::OrderTerm order_term(const SortKey& key);
  // The same of column `position` of a query, where it would compare by these collations unasked.
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
  // `expr`, asking for `collation` where it would ask for another by itself.
  SqlExpr with_collation(SqlExpr sql, std::string_view collation);
  // Both operands of a comparison such that SQLite compares them as `how` says.
  static void adjust(SqlExpr& left, SqlExpr& right, const Comparison& how);
  // `how`, or what SQLite would do by itself if that comes to the same for values that the operands can have.
  Comparison in_effect(const Comparison& how, const Expr& left, const ExprType& left_type, const Expr& right,
                       const ExprType& right_type) const;
  ast::Query subquery(const Rel& rel, std::vector<ExprType>* types);
  // A subquery's columns as operands of comparisons `how` with `left`.
  ast::Query compared_subquery(const Rel& rel, std::vector<SqlExpr>& left, const std::vector<Comparison>& how);

  const Plan& plan_;
  std::vector<Cell> cells_;  // by attribute
  int aliases_ = 0;
  std::map<int, std::string> recursions_;   // by number: the names of their common tables
  std::vector<ast::CommonTable> shared_{};  // common tables of the whole statement
  std::map<int, std::size_t> shared_by_definition_{};
};

// The same for all rows of the attributes `inside`: it orders and groups nothing. In GROUP BY and ORDER BY a whole
// number would stand for a column of the result, and what refers to an enclosing query may not stand there at all.
bool is_fixed(const Expr& expr, const AttributeSet& inside);

// By which a column of a compound query compares unasked: the first collation that an arm has for it.
std::string_view natural_collation(const std::vector<std::vector<ExprType>>& arms, std::size_t column);

}  // namespace trustsql::plan
