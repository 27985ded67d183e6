// NameResolver: expressions, in the order in which SQLite goes through them (resolveExprStep in resolve.c).

#include "base/text.hpp"
#include "sql/ast_walk.hpp"
#include "sql/resolver/name_resolver.hpp"

namespace trustsql::resolver {

namespace {

bool is_comparison(ast::BinaryOp op) { return op >= ast::BinaryOp::equal && op <= ast::BinaryOp::greater_equal; }

}  // namespace

bool NameResolver::expr(Scope& scope, const ast::Expr& expr) {
  const DepthGuard depth(context_);
  if (!depth.ok()) return false;
  if (const auto* ref = expr.as<ast::ColumnRef>()) return column(scope, *ref, expr.span);
  // Errors in calls, LIKE among them, and IS NULL do not end the work at once, so that another error may replace them.
  if (const auto* node = expr.as<ast::Call>()) return call(scope, *node, expr.span);
  if (const auto* node = expr.as<ast::Like>()) return like(scope, *node, expr.span);
  if (context_.failed()) return false;
  return children(scope, expr);
}

bool NameResolver::children(Scope& scope, const ast::Expr& expr) {
  const auto visit = ast::Overloaded{
      [&](const ast::Unary& node) { return this->expr(scope, *node.operand); },
      [&](const ast::Binary& node) { return comparison(scope, expr, node); },
      [&](const ast::IsNull& node) {
        this->expr(scope, *node.operand);
        return !context_.limit_exceeded;
      },
      [&](const ast::Between& node) {
        const auto size = row_size(*node.operand, context_);
        if (row_size(*node.low, context_) != size || row_size(*node.high, context_) != size) {
          return context_.fail(Diagnosis::Kind::misuse, "row value misused", expr.span);
        }
        return this->expr(scope, *node.operand) && this->expr(scope, *node.low) && this->expr(scope, *node.high);
      },
      [&](const ast::In& node) {
        if (const auto* list = std::get_if<std::vector<ast::Expr>>(&node.set)) {
          // SQLite takes x IN () for false, whatever x is.
          return list->empty() || (this->expr(scope, *node.operand) && all(scope, *list));
        }
        const auto* query = std::get_if<ast::Box<ast::Query>>(&node.set);
        const auto& set = query != nullptr ? **query : *(*tables_.set_of.find(&node))->node;
        return subquery(scope, set) && this->expr(scope, *node.operand);
      },
      [&](const ast::Case& node) {
        if (node.operand && !this->expr(scope, *node.operand)) return false;
        for (const auto& branch : node.branches) {
          if (!this->expr(scope, *branch.condition) || !this->expr(scope, *branch.result)) return false;
        }
        return !node.otherwise || this->expr(scope, *node.otherwise);
      },
      [&](const ast::Cast& node) { return this->expr(scope, *node.operand); },
      [&](const ast::Collate& node) { return this->expr(scope, *node.operand); },
      [&](const ast::Subquery& node) { return subquery(scope, *node.query); },
      [&](const ast::Exists& node) { return subquery(scope, *node.query); },
      [&](const ast::Row& node) { return all(scope, node.elements); },
      [](const auto&) { return true; },  // literals, parameters; the others are done
  };
  return std::visit(visit, expr.node);
}

bool NameResolver::comparison(Scope& scope, const ast::Expr& expr, const ast::Binary& node) {
  if (node.op == ast::BinaryOp::is || node.op == ast::BinaryOp::is_not) {
    // x IS TRUE is looked at from its right side, since it is no comparison.
    const auto& right = skip_collate(*node.right);
    if (const auto* ref = right.as<ast::ColumnRef>()) {
      if (!column(scope, *ref, right.span)) return false;
      if (tables_.binding(right)->kind == ColumnBinding::Kind::boolean) return this->expr(scope, *node.left);
    }
  }
  if (is_comparison(node.op) && row_size(*node.left, context_) != row_size(*node.right, context_)) {
    return context_.fail(Diagnosis::Kind::misuse, "row value misused", expr.span);
  }
  return this->expr(scope, *node.left) && this->expr(scope, *node.right);
}

bool NameResolver::subquery(Scope& scope, const ast::Query& query) {
  if (!scope.subqueries) return true;
  QueryWork& work = **context_.work_of.find(*tables_.query_of.find(&query));
  return this->query(work, &scope);
}

bool NameResolver::all(Scope& scope, const std::vector<ast::Expr>& exprs) {
  for (const auto& one : exprs) {
    if (!expr(scope, one)) return false;
  }
  return true;
}

}  // namespace trustsql::resolver
