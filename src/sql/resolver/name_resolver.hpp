// The second step: resolves the names in the expressions of a query.
#pragma once

#include "sql/resolver/context.hpp"

namespace trustsql::resolver {

// The scope in which the names of an expression are looked up: the FROM clause of a SELECT, then the aliases of its
// result columns, then the outer scope.
struct Scope {
  Scope* outer = nullptr;
  SelectWork* work = nullptr;
  const FromList* from = nullptr;
  bool aliases = false;        // the aliases of `work` can be used
  bool aggregates = false;     // aggregate functions are allowed here
  bool windows = false;        // window functions are allowed here
  bool subqueries = true;      // false: subqueries are not resolved
  bool has_aggregate = false;  // an aggregate over the rows of this scope was found
  bool has_window = false;
};

class NameResolver {
 public:
  explicit NameResolver(ResolverContext& context) : context_(context), tables_(context.tables) {}

  // Resolves an expanded query and everything in it. Like all functions here, returns false if the work cannot
  // continue; errors after which it can continue for a while are only recorded in the context.
  bool query(QueryWork& query, Scope* outer);

  // The same for the definition of a view, which sees only its own names.
  bool view(QueryWork& query);

 private:
  // selects.cpp
  bool arm(QueryWork& query, std::size_t index, Scope* outer);
  bool items(Scope& scope);
  bool clauses(Scope& scope);
  bool order_and_group(const QueryWork& query, Scope& scope);
  bool from(const FromList& list, SelectWork& work, Scope* outer);
  bool group(const FromList& list, SelectWork& work, Scope* outer);
  bool conditions(Scope& scope, const FromList& list, const ast::Expr* where);
  void adopt_view(QueryWork& query, Scope& outer);
  bool root(Scope& scope, const ast::Expr& expr, bool* has_aggregate = nullptr, bool* has_window = nullptr);

  // publish.cpp: copies the results to the form that a Resolution exposes
  void publish(const QueryWork& query, std::size_t index);
  void publish_columns(const QueryWork& query);
  std::vector<ResolvedFromItem> publish(const FromList& list, const SelectWork& work);
  const ast::Expr* using_side(const FromList& list, const std::vector<ColumnPlace>& places, const SelectWork& work);

  // terms.cpp: ORDER BY and GROUP BY
  enum class Clause { order, group };
  bool terms(Scope& scope, const std::vector<const ast::Expr*>& exprs, Clause clause,
             std::vector<ResolvedTerm>& resolved);
  bool stands_for_aggregate(const SelectWork& work, const ResolvedTerm& term) const;
  bool compound_order_by(QueryWork& query);
  int matching_item(SelectWork& work, const ast::Expr& term);
  bool out_of_range(Clause clause, std::size_t term, std::size_t items, ast::Span span);

  // expressions.cpp
  bool expr(Scope& scope, const ast::Expr& expr);
  bool children(Scope& scope, const ast::Expr& expr);
  bool comparison(Scope& scope, const ast::Expr& expr, const ast::Binary& node, bool& below);
  bool same_size(const ast::Expr& expr, const ast::Expr& left, const ast::Expr& right);
  const ast::Query* subquery_of(const ast::Expr& expr) const;
  bool subquery(Scope& scope, const ast::Query& query);
  bool all(Scope& scope, const std::vector<ast::Expr>& exprs);

  // calls.cpp
  bool call(Scope& scope, const ast::Call& call, ast::Span span);
  bool like(Scope& scope, const ast::Like& like, ast::Span span);
  void check_is_sqlites(std::string_view name, ast::Span span);
  void check_call(Scope& scope, const ast::Call& call, const SqlFunction* function, bool& is_aggregate, ast::Span span);
  void aggregate(Scope& scope, const ast::Call& call, CallBinding& binding);
  void window(Scope& scope, const ast::Call& call, CallBinding& binding, ast::Span span);
  const ast::NamedWindow* named_window(const SelectWork& work, std::string_view name, std::size_t end, ast::Span span);
  bool merge_window(const SelectWork& work, const ast::Window& window, std::size_t index, ast::Span span,
                    ResolvedWindow& merged);
  void check_windows(const SelectWork& work);
  Scope* owner_of(Scope& scope, const ast::Call& call, int& depth);

  // names.cpp
  struct Match;
  bool column(Scope& scope, const ast::ColumnRef& ref, ast::Span span);
  bool bind(Scope& scope, const ast::ColumnRef& ref, ast::Span span);
  void match(const FromList& list, const ast::ColumnRef& ref, Match& match);
  void match_rowids_inside(const FromList& group, const ast::ColumnRef& ref, Match& candidates) const;
  void note_rowid(const FromEntry& entry, Match& candidates) const;
  bool is_schema_table(const FromEntry& entry, const ast::ColumnRef& ref) const;
  bool bind_alias(Scope& top, Scope& scope, const ast::ColumnRef& ref, ast::Span span, bool& is_alias);
  bool missing(const Scope& scope, const ast::ColumnRef& ref, bool ambiguous, ast::Span span);
  ColumnBinding place(const FromEntry& entry, int column) const;
  static ColumnBinding::Merged merged_as(const ColumnBinding& first);
  void record_scope(const Scope& top, const Scope& scope, ColumnBinding& binding);

  ResolverContext& context_;
  Resolution::Tables& tables_;
  QueryWork* view_ = nullptr;  // the view definition that is being resolved, if any
};

// How two expressions compare when SQLite matches terms of ORDER BY and GROUP BY with result columns: names by their
// meaning, everything else as written. Subqueries are never equal.
enum class Likeness { equal, differ_in_collation, different };
Likeness compare(const ast::Expr& a, const ast::Expr& b, const ResolverContext& context);

}  // namespace trustsql::resolver
