// Checker: expressions: where a single value is required, where a row value is allowed, and which collations exist.

#include <algorithm>

#include "base/text.hpp"
#include "sql/ast_walk.hpp"
#include "sql/folding.hpp"
#include "sql/resolver/checker.hpp"

namespace trustsql::resolver {

std::size_t Checker::size_of(const ast::Expr& expr) const { return row_size(expr, context_); }

// An expression that must have a single value.
bool Checker::scalar(const ast::Expr& expr) {
  if (expr.is<ast::Row>()) return misuse("row value misused", expr.span);
  return operand(expr, 1);
}

// An operand that may be a row value of `size` elements.
bool Checker::operand(const ast::Expr& expr, std::size_t size) {
  if (const auto* row = expr.as<ast::Row>()) return scalars(row->elements);
  const auto columns = size_of(expr);
  if (expr.is<ast::Subquery>() && columns != size) {
    return context_.fail(
        Diagnosis::Kind::columns,
        "sub-select returns " + std::to_string(columns) + " columns - expected " + std::to_string(size), expr.span);
  }
  return children(expr);
}

bool Checker::scalars(const std::vector<ast::Expr>& exprs) {
  return std::all_of(exprs.begin(), exprs.end(), [&](const ast::Expr& expr) { return scalar(expr); });
}

bool Checker::children(const ast::Expr& expr) {
  const DepthGuard depth(context_, bytes_of_expression_level);
  if (!depth.ok()) return false;
  if (is_dropped(expr, context_.options.version)) return true;
  const auto visit = ast::Overloaded{
      [&](const ast::Literal& node) {
        const bool is_hex = node.kind == ast::Literal::Kind::integer && node.text.size() > 2 &&
                            (node.text[1] == 'x' || node.text[1] == 'X');
        if (!is_hex || !std::holds_alternative<std::monostate>(node.value())) return true;
        return context_.fail(Diagnosis::Kind::other, "hex literal too big: " + node.text, expr.span);
      },
      [&](const ast::Unary& node) { return scalar(*node.operand); },
      [&](const ast::Binary& node) {
        const bool compares_values = node.op >= ast::BinaryOp::equal && node.op <= ast::BinaryOp::greater_equal;
        if (!compares_values) return scalar(*node.left) && scalar(*node.right);
        const auto size = size_of(*node.left);
        return operand(*node.left, size) && operand(*node.right, size) && compares(*node.left, *node.right);
      },
      [&](const ast::IsNull& node) { return scalar(*node.operand); },
      [&](const ast::Between& node) {
        const auto size = size_of(*node.operand);
        return operand(*node.operand, size) && operand(*node.low, size) && operand(*node.high, size) &&
               compares(*node.operand, *node.low) && compares(*node.operand, *node.high);
      },
      [&](const ast::Like& node) {
        return scalar(*node.operand) && scalar(*node.pattern) && (!node.escape || scalar(*node.escape));
      },
      [&](const ast::In& node) { return membership(node, expr.span); },
      [&](const ast::Case& node) {
        const auto size = node.operand ? size_of(*node.operand) : 1;
        if (node.operand && !operand(*node.operand, size)) return false;
        for (const auto& branch : node.branches) {
          if (size_of(*branch.condition) != size) return misuse("row value misused", branch.condition->span);
          if (!operand(*branch.condition, size) || !scalar(*branch.result)) return false;
          if (node.operand && !compares(*node.operand, *branch.condition)) return false;
        }
        return !node.otherwise || scalar(*node.otherwise);
      },
      [&](const ast::Cast& node) { return scalar(*node.operand); },
      [&](const ast::Collate& node) { return scalar(*node.operand); },
      [&](const ast::Call& node) { return call(node, expr.span); },
      [&](const ast::Subquery& node) { return subquery(*node.query, false); },
      [&](const ast::Exists& node) { return subquery(*node.query, true); },
      [](const auto&) { return true; },
  };
  return std::visit(visit, expr.node);
}

bool Checker::membership(const ast::In& node, ast::Span span) {
  const auto size = size_of(*node.operand);
  const auto* list = std::get_if<std::vector<ast::Expr>>(&node.set);
  if (list == nullptr) {
    const auto* query = std::get_if<ast::Box<ast::Query>>(&node.set);
    const ResolvedQuery& set = query != nullptr ? **tables_.query_of.find(query->get()) : **tables_.set_of.find(&node);
    if (set.columns.size() != size) {
      return context_.fail(
          Diagnosis::Kind::columns,
          "sub-select returns " + std::to_string(set.columns.size()) + " columns - expected " + std::to_string(size),
          span);
    }
    return this->query(set) && operand(*node.operand, size);
  }
  const bool is_row = node.operand->is<ast::Row>();
  if (!operand(*node.operand, is_row ? size : 1)) return false;
  for (const auto& element : *list) {
    if (!is_row) {
      if (!scalar(element)) return false;
      continue;
    }
    const auto* row = element.as<ast::Row>();
    const auto terms = row != nullptr ? row->elements.size() : 1;
    if (terms != size) {
      return context_.fail(Diagnosis::Kind::columns,
                           "IN(...) element has " + std::to_string(terms) + (terms == 1 ? " term" : " terms") +
                               " - expected " + std::to_string(size),
                           element.span);
    }
    if (!operand(element, size)) return false;
  }
  return collation((*tables_.types.find(node.operand.get())).collation, span);
}

bool Checker::call(const ast::Call& node, ast::Span span) {
  const auto* binding = tables_.calls.find(&node);
  if (node.distinct && binding->kind == CallBinding::Kind::aggregate && node.arguments.size() != 1) {
    return misuse("DISTINCT aggregates must have exactly one argument", span);
  }
  if (!scalars(node.arguments) || (node.filter && !scalar(*node.filter))) return false;
  for (const auto& term : node.order_by) {
    if (!scalar(term.expr)) return false;
  }
  if (binding->window != nullptr) {
    for (const auto* partition : binding->window->partition_by) {
      if (!scalar(*partition)) return false;
    }
    for (const auto* term : binding->window->order_by) {
      if (!scalar(term->expr)) return false;
    }
  }
  // MIN, MAX and NULLIF compare by the collation of the first argument that has one.
  const auto& name = binding->function->name;
  if (name != "min" && name != "max" && name != "nullif" && !node.distinct) return true;
  return std::all_of(node.arguments.begin(), node.arguments.end(), [&](const ast::Expr& argument) {
    return collation(tables_.types.find(&argument)->collation, argument.span);
  });
}

bool Checker::subquery(const ast::Query& node, bool for_exists) {
  auto* const* query = tables_.query_of.find(&node);
  return query == nullptr || this->query(**query, for_exists);
}

bool Checker::compares(const ast::Expr& left, const ast::Expr& right) {
  return collation(comparison_collation(*tables_.types.find(&left), *tables_.types.find(&right)), left.span);
}

bool Checker::collation(const Collation& collation, ast::Span span) {
  const auto is_name = [&](std::string_view name) { return equals_ignore_case(name, collation.name); };
  if (is_name("BINARY") || is_name("NOCASE") || is_name("RTRIM")) return true;
  const auto& others = context_.options.collations;
  if (std::any_of(others.begin(), others.end(), is_name)) return true;
  return context_.fail({.kind = Diagnosis::Kind::other,
                        .message = "no such collation sequence: " + std::string(collation.name),
                        .span = span,
                        .name = std::string(collation.name)});
}

}  // namespace trustsql::resolver
