// Builder: the state of build_plan(), and its parts, which are in from.cpp, select.cpp, query.cpp, expression.cpp and
// call.cpp.
#pragma once

#include <unordered_map>

#include "plan/builder.hpp"
#include "plan/types.hpp"
#include "plan/walk.hpp"

namespace trustsql::plan {

// The aggregate and window calls found in the expressions of one SELECT.
struct SelectScope {
  const ResolvedSelect* select = nullptr;
  bool has_rows = false;  // FROM and WHERE are built
  std::vector<AggregateCall> calls{};
  std::vector<WindowCall> windows{};
};

class Builder {
 public:
  explicit Builder(const Resolution& resolution) : resolution_(resolution) {}

  Result<Plan> build();

 private:
  // --- queries (query.cpp)
  Rel build_query(const ResolvedQuery& query);
  // The arms [first, last) and their set operators, without ORDER BY and LIMIT.
  Rel build_arms(const ResolvedQuery& query, std::size_t first, std::size_t last);
  // A compound query with a COLLATE in its ORDER BY: SQLite sorts it as a subquery of SELECT *, and applies the last
  // arm's DISTINCT to it again.
  Rel build_subquery_to_sort(const ResolvedQuery& query, Rel rel);
  Rel build_recursive(const ResolvedQuery& query);
  Rel build_arm(const ResolvedSelect& arm);
  Rel build_values(const ResolvedSelect& select);
  Rel with_limit(Rel rel, const ast::Query& node);
  std::vector<AttributeId> new_columns(const ResolvedQuery& query, std::size_t first, std::size_t last,
                                       const std::vector<Rel>& inputs);
  // The collations of the columns of the compound query of the arms [first, last); empty if all are BINARY.
  std::vector<std::string_view> collations(const ResolvedQuery& query, std::size_t first, std::size_t last);
  // ORDER BY over a query whose output columns are `ids`.
  std::vector<SortKey> sort_keys(const ResolvedQuery& query, const std::vector<AttributeId>& ids);

  // --- SELECT (select.cpp)
  Rel build_select(const ResolvedSelect& select, const std::vector<ResolvedTerm>& order_by);
  // GROUP BY and aggregates; the expressions in `users` are rewritten from rows to groups.
  Aggregate build_aggregate(const ResolvedSelect& select, Rel input, const std::vector<std::vector<Expr>*>& users);
  Rel project_and_order(const ResolvedSelect& select, Rel input, const AttributeSet& visible, std::vector<Expr> items,
                        const std::vector<ResolvedTerm>& order_by, std::vector<Expr> order_exprs);
  SortKey sort_key(const ast::OrderTerm& term, const ResolvedTerm& resolved, Expr expr);

  // --- FROM (from.cpp)
  Rel build_from(const std::vector<ResolvedFromItem>& items);
  Rel build_from_item(const ResolvedFromItem& item);
  // `joined`: attributes of the items in `left`. Conditions that refer to later items are added to `pending`.
  Rel join_item(Rel left, Rel right, const ResolvedFromItem& item, const std::vector<ResolvedFromItem>& all,
                AttributeSet& joined, std::vector<Expr>& pending);
  Rel build_relation(const Relation& relation);
  AttributeId attribute_of(const trustsql::ColumnId& column);
  const std::vector<AttributeId>& columns_of(const Relation& relation) const {
    return columns_[columns_of_relation_[static_cast<std::size_t>(relation.id)]];
  }
  std::vector<AttributeId>& columns_of(const Relation& relation) {
    return columns_[columns_of_relation_[static_cast<std::size_t>(relation.id)]];
  }
  // Adds the attributes of these items that expressions have used so far.
  void add_visible(const ResolvedFromItem& item, AttributeSet& attributes) const;
  void add_visible(const std::vector<ResolvedFromItem>& items, AttributeSet& attributes) const;
  // Fills the columns of scans, which are known only when all expressions have been built.
  void complete_scans(Rel& root);

  // --- expressions (expression.cpp)
  Expr build_expr(const ast::Expr& expr);
  std::vector<Expr> build_exprs(const std::vector<ast::Expr>& exprs);
  std::vector<Expr> build_conjuncts(const ast::Expr& expr);
  Expr build_node(const ast::Literal& node);
  Expr build_node(const ast::ColumnRef& node);
  Expr build_node(const ast::Parameter& node);
  Expr build_node(const ast::Unary& node);
  Expr build_node(const ast::Binary& node);
  Expr build_node(const ast::IsNull& node);
  Expr build_node(const ast::Between& node);
  Expr build_node(const ast::Like& node);
  Expr build_node(const ast::In& node);
  Expr build_node(const ast::Case& node);
  Expr build_node(const ast::Cast& node);
  Expr build_node(const ast::Collate& node);
  Expr build_node(const ast::Subquery& node);
  Expr build_node(const ast::Exists& node);
  Expr build_node(const ast::Row& node);
  Expr build_compare(CompareOp op, const ast::Expr& left, const ast::Expr& right);
  std::optional<bool> truth_literal(const ast::Expr& expr) const;

  // --- row values (row_values.cpp)
  // Whether the expression is a row value; a subquery of several columns is one.
  bool is_row(const ast::Expr& expr) const;
  std::vector<ExprType> element_types(const ast::Expr& expr) const;
  Expr build_row_compare(CompareOp op, const ast::Expr& left, const ast::Expr& right);
  // It has its operand twice.
  Expr build_row_between(const ast::Between& node);

  // --- calls (call.cpp)
  Expr build_call(const ast::Call& node, const ExprType& result);
  // The arguments of the call, with their subtypes if `function` reads them.
  std::vector<Expr> build_arguments(const ast::Call& node, const SqlFunction* function);
  Expr build_scalar_call(const ast::Call& node, const CallBinding& binding);
  Expr build_aggregate_call(const ast::Call& node, const CallBinding& binding, const ExprType& result);
  Affinity storage_of_aggregate(const AggregateCall& call) const;
  Affinity storage_of_window(const WindowCall& call) const;
  Expr build_window_call(const ast::Call& node, const CallBinding& binding, const ExprType& result);
  // The column of the same call if `calls` already has it; otherwise adds `call`, whose column `attribute` describes.
  template <class C>
  Expr add_call(std::vector<C>& calls, C call, const Attribute& attribute);
  SortKey call_order(const ast::OrderTerm& term);

  const ExprType& type(const ast::Expr& expr) const { return resolution_.type(expr); }
  Comparison comparison(const ExprType& left, const ExprType& right);
  std::string_view collation_name(const Collation& collation);
  // The collation with which a function or DISTINCT compares: that of the first argument that has one.
  std::string_view collation_of_first(const std::vector<ast::Expr>& arguments);
  // The name in lower case, stored in the plan; for a known function, the name in SqlFunction.
  std::string_view function_name(const ast::Name& name, const SqlFunction* info);
  SelectScope& scope(const ResolvedSelect* select) { return *scopes_.at(select); }
  void fail(std::string message);

  const Resolution& resolution_;
  int aggregate_depth_ = 0;  // how many SELECTs further out the aggregate is whose arguments are built; 0 outside one
  Plan plan_;
  // The attributes of each relation's columns, the rowid first; `none` for columns that have not been used. If an alias
  // repeats the subquery that a relation is in, the relation is built again; then the columns are those of the last
  // build.
  static constexpr AttributeId none = ~AttributeId{0};
  std::vector<std::vector<AttributeId>> columns_;
  std::vector<std::size_t> columns_of_relation_;  // by relation id: its index in columns_; `unbuilt` before it is built
  std::unordered_map<AttributeId, std::size_t>
      columns_of_row_;  // by Scan::row (for a TableFunction, by its first column): index in columns_
  static constexpr std::size_t unbuilt = ~std::size_t{0};
  std::unordered_map<const ResolvedSelect*, SelectScope*> scopes_;
  std::unordered_map<const ResolvedQuery*, int> recursions_;
  std::unordered_map<const ast::CommonTable*, int> definitions_;
  std::unordered_map<const ast::Parameter*, int> parameter_numbers_;
  std::size_t copied_ = 0;  // how many expressions are copies that comparisons of row values have made
  int row_betweens_ = 0;    // in the operands of how many BETWEENs with row values the expression that is built is
  std::optional<Error> error_;
};

}  // namespace trustsql::plan
