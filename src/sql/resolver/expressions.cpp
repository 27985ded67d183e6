// NameResolver: expressions, in the order in which SQLite visits them (resolveExprStep in resolve.c).

#include "base/text.hpp"
#include "sql/ast_walk.hpp"
#include "sql/folding.hpp"
#include "sql/resolver/name_resolver.hpp"

namespace trustsql::resolver {

namespace {

bool is_comparison(ast::BinaryOp op) { return op >= ast::BinaryOp::equal && op <= ast::BinaryOp::greater_equal; }

}  // namespace

bool NameResolver::expr(Scope& scope, const ast::Expr& expr) {
  const DepthGuard depth(context_, bytes_of_expression_level);
  if (!depth.ok()) return false;
  if (const auto* ref = expr.as<ast::ColumnRef>()) return column(scope, *ref, expr.span);
  // Errors in calls (including LIKE) and in IS NULL do not end the work immediately, so another error may replace them.
  if (const auto* node = expr.as<ast::Call>()) return call(scope, *node, expr.span);
  if (const auto* node = expr.as<ast::Like>()) return like(scope, *node, expr.span);
  if (const auto* node = expr.as<ast::IsNull>()) {
    this->expr(scope, *node->operand);
    return !context_.limit_exceeded;
  }
  if (is_dropped(expr, context_.options.version)) return !context_.failed();
  // These are done before the check for earlier errors.
  bool below = true;
  if (const auto* node = expr.as<ast::Binary>()) {
    if (node->op == ast::BinaryOp::arrow || node->op == ast::BinaryOp::double_arrow)
      check_is_sqlites(node->op == ast::BinaryOp::arrow ? "->" : "->>", expr.span);
    if (!comparison(scope, expr, *node, below)) return false;
  } else if (const auto* between = expr.as<ast::Between>()) {
    if (!same_size(expr, *between->operand, *between->low) || !same_size(expr, *between->operand, *between->high))
      return false;
  } else if (const auto* query = subquery_of(expr)) {
    if (!subquery(scope, *query)) return false;
  }
  if (context_.failed()) return false;
  return !below || children(scope, expr);
}

bool NameResolver::children(Scope& scope, const ast::Expr& expr) {
  const auto visit = ast::Overloaded{
      [&](const ast::Unary& node) { return this->expr(scope, *node.operand); },
      [&](const ast::Binary& node) { return this->expr(scope, *node.left) && this->expr(scope, *node.right); },
      [&](const ast::Between& node) {
        return this->expr(scope, *node.operand) && this->expr(scope, *node.low) && this->expr(scope, *node.high);
      },
      [&](const ast::In& node) {
        const auto* list = std::get_if<std::vector<ast::Expr>>(&node.set);
        return this->expr(scope, *node.operand) && (list == nullptr || all(scope, *list));
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
      [&](const ast::Row& node) { return all(scope, node.elements); },
      [](const auto&) { return true; },  // literals, parameters; the others are done
  };
  return std::visit(visit, expr.node);
}

// The part before the operands. Sets `below` to false if the operands are already done.
bool NameResolver::comparison(Scope& scope, const ast::Expr& expr, const ast::Binary& node, bool& below) {
  if (node.op == ast::BinaryOp::is || node.op == ast::BinaryOp::is_not) {
    // The right side of x IS TRUE is resolved first, since TRUE makes it a test rather than a comparison.
    const auto& right = skip_collate(*node.right);
    if (const auto* ref = right.as<ast::ColumnRef>(); ref != nullptr && !ref->table) {
      if (!column(scope, *ref, right.span)) return false;
      if (tables_.binding(right)->kind == ColumnBinding::Kind::boolean) {
        below = false;
        return !context_.failed() && this->expr(scope, *node.left);
      }
    }
  }
  return !is_comparison(node.op) || same_size(expr, *node.left, *node.right);
}

bool NameResolver::same_size(const ast::Expr& expr, const ast::Expr& left, const ast::Expr& right) {
  return row_size(left, context_) == row_size(right, context_) ||
         context_.fail(Diagnosis::Kind::misuse, "row value misused", expr.span);
}

// The query of a subquery, EXISTS or IN; nullptr for other expressions.
const ast::Query* NameResolver::subquery_of(const ast::Expr& expr) const {
  if (const auto* node = expr.as<ast::Subquery>()) return node->query.get();
  if (const auto* node = expr.as<ast::Exists>()) return node->query.get();
  const auto* in = expr.as<ast::In>();
  if (in == nullptr || std::holds_alternative<std::vector<ast::Expr>>(in->set)) return nullptr;
  const auto* query = std::get_if<ast::Box<ast::Query>>(&in->set);
  if (query != nullptr) return query->get();
  const auto* set = tables_.set_of.find(in);
  return set != nullptr && *set != nullptr ? (*set)->node : nullptr;
}

bool NameResolver::subquery(Scope& scope, const ast::Query& query) {
  if (!scope.subqueries) return true;
  QueryWork& work = **context_.work_of.find(*tables_.query_of.find(&query));
  return this->query(work, &scope);
}

bool NameResolver::all(Scope& scope, const std::vector<ast::Expr>& exprs) {
  for (const auto& element : exprs) {
    if (!expr(scope, element)) return false;
  }
  return true;
}

}  // namespace trustsql::resolver
