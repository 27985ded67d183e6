// The clauses of a query, read off its normalised plan, to be compared with those of another query.
//
// Since rules have brought the plan into a normal form, clauses that are written in two ways but say the same are the
// same here. Expressions are syntax trees over columns of tables: what a projection computes is written out, and a
// semi-join is a condition with IN or EXISTS.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "plan/plan.hpp"
#include "plan/rule.hpp"
#include "sql/ast.hpp"

namespace trustsql::equiv::explanation {

// A table, or a subquery, that a query reads.
struct ClauseSource {
  std::string table{};                  // as it qualifies its columns; "singer_2" for a second one of that name
  std::string name{};                   // the table's own name
  ast::Box<ast::Query> subquery{};      // if it is none
  bool optional = false;                // the right side of a LEFT JOIN: rows without a match are kept
  std::vector<ast::Expr> conditions{};  // of a LEFT JOIN
};

struct QueryClauses {
  std::vector<ast::Expr> columns{};
  bool distinct = false;
  std::vector<ClauseSource> sources{};
  std::vector<ast::Expr> conditions{};  // on rows; all must be true
  bool aggregate = false;
  std::vector<ast::Expr> keys{};
  std::vector<ast::Expr> group_conditions{};  // on groups
  std::vector<ast::OrderTerm> order{};
  ast::Box<ast::Expr> limit{};
  ast::Box<ast::Expr> offset{};
  std::optional<ast::SetOp> set_operation{};  // of `arms`; then there are no sources
  std::vector<QueryClauses> arms{};
};

QueryClauses clauses_of(const plan::Plan& plan);

// The query that the clauses make up.
ast::Query query_of(const QueryClauses& clauses);

// The rules but for those that turn one clause into another: what people read is about the clauses that they wrote.
std::span<const plan::Rule* const> rules_within_clauses();

}  // namespace trustsql::equiv::explanation
