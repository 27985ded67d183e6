// The last step, after the typing: errors that SQLite reports only when it generates code, after it has resolved all
// names.
//
// These are aggregates where rows are filtered or joined, row values and subqueries of several columns where a single
// value is required, unknown collations, and joins that it cannot plan. SQLite generates no code for expressions that
// it knows to be unused, and so misses some errors. The columns of EXISTS, and ORDER BY for a single row, are skipped
// here as well; everything else is checked.
#pragma once

#include <string>

#include "sql/resolver/context.hpp"

namespace trustsql::resolver {

class Checker {
 public:
  // The query must have been resolved and typed.
  explicit Checker(ResolverContext& context) : context_(context), tables_(context.tables) {}

  // Returns false after an error, like all functions here.
  bool query(const ResolvedQuery& query, bool for_exists = false);

 private:
  // checker.cpp
  bool select(const ResolvedSelect& select, bool rows_only);
  bool recursion(const ResolvedQuery& query);
  bool from(const std::vector<ResolvedFromItem>& items);
  bool joins(const ResolvedSelect& select, const std::vector<ResolvedFromItem>& items);
  bool aggregates(const ResolvedSelect& select, bool rows_only);
  bool is_in_reach(const ast::Call& call, const ResolvedSelect& select) const;
  bool windows(const ResolvedSelect& select);
  const ast::Call* first_window(const ast::Expr& expr, const ResolvedSelect& select) const;
  template <ast::Node T>
  bool no_aggregate(const T& part, const ResolvedSelect& select);
  bool misuse(std::string message, ast::Span span = {});

  // expression_checks.cpp
  bool scalar(const ast::Expr& expr);
  bool operand(const ast::Expr& expr, std::size_t size);
  bool children(const ast::Expr& expr);
  bool scalars(const std::vector<ast::Expr>& exprs);
  bool membership(const ast::In& node, ast::Span span);
  bool call(const ast::Call& node, ast::Span span);
  bool subquery(const ast::Query& node, bool for_exists);
  bool collation(const Collation& collation, ast::Span span);
  bool compares(const ast::Expr& left, const ast::Expr& right);
  std::size_t size_of(const ast::Expr& expr) const;

  ResolverContext& context_;
  const Resolution::Tables& tables_;
  NodeMap<bool> checked_;  // by ResolvedQuery
};

}  // namespace trustsql::resolver
