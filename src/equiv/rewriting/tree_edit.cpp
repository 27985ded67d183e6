#include "equiv/rewriting/tree_edit.hpp"

#include <utility>

namespace trustsql::equiv::rewriting {

using namespace ast;

namespace {

void append_operands(const Expr& expr, BinaryOp op, std::vector<const Expr*>& operands) {
  const auto* chain = expr.as<Binary>();
  if (chain == nullptr || chain->op != op) return operands.push_back(&expr);
  append_operands(*chain->left, op, operands);
  append_operands(*chain->right, op, operands);
}

}  // namespace

std::vector<Expr> operands_of(const Expr& expr, BinaryOp op) {
  std::vector<const Expr*> in_place;
  append_operands(expr, op, in_place);
  std::vector<Expr> operands;
  for (const auto* operand : in_place) operands.push_back(*operand);
  return operands;
}

std::vector<const Expr*> conjuncts_in(const Box<Expr>& condition) {
  std::vector<const Expr*> conjuncts;
  if (condition) append_operands(*condition, BinaryOp::logical_and, conjuncts);
  return conjuncts;
}

std::vector<Expr> conjuncts_of(const Box<Expr>& condition) {
  return condition ? operands_of(*condition) : std::vector<Expr>();
}

Box<Expr> chain_of(std::vector<Expr> operands, BinaryOp op) {
  Box<Expr> chain;
  for (auto& operand : operands)
    chain = chain ? Box<Expr>(binary(op, std::move(*chain), std::move(operand))) : Box<Expr>(std::move(operand));
  return chain;
}

Box<Expr> both(const Box<Expr>& a, const Box<Expr>& b) {
  if (!a || !b) return a ? a : b;
  return Box<Expr>(binary(BinaryOp::logical_and, *a, *b));
}

Expr binary(BinaryOp op, Expr left, Expr right) {
  return Expr(Binary{op, Box<Expr>(std::move(left)), Box<Expr>(std::move(right))});
}

Expr integer(std::int64_t value) { return Expr(Literal{Literal::Kind::integer, std::to_string(value)}); }

Expr call(std::string_view name, std::vector<Expr> arguments) {
  Call node;
  node.name = unquoted(name);
  node.star = arguments.empty();
  node.arguments = std::move(arguments);
  return Expr(std::move(node));
}

Expr column(std::string_view relation, std::string_view name) {
  ColumnRef node;
  if (!relation.empty()) node.table = unquoted(relation);
  // In backticks, the name of a column is never taken for a string.
  node.column = Name{std::string(name), relation.empty() ? Quote::backticks : Quote::none};
  return Expr(std::move(node));
}

Name unquoted(std::string_view name) { return Name{std::string(name), Quote::none}; }

SelectItem item(Expr expr, std::string_view alias) {
  SelectItem node;
  node.value = std::move(expr);
  if (!alias.empty()) node.alias = unquoted(alias);
  return node;
}

FromItem derived_table(ast::Query query, std::string_view alias) {
  FromItem node;
  node.source = DerivedTable{Box<Query>(std::move(query))};
  node.alias = unquoted(alias);
  return node;
}

FromItem table(TableName name, std::string_view alias) {
  FromItem node;
  node.source = ast::Table{std::move(name)};
  if (!alias.empty()) node.alias = unquoted(alias);
  return node;
}

Query query_of(Select select) {
  Query query;
  query.arms.push_back({SetOp::union_all, std::move(select)});
  return query;
}

bool is_comparison(BinaryOp op) {
  switch (op) {
    case BinaryOp::equal:
    case BinaryOp::not_equal:
    case BinaryOp::less:
    case BinaryOp::less_equal:
    case BinaryOp::greater:
    case BinaryOp::greater_equal: return true;
    default: return false;
  }
}

BinaryOp mirrored(BinaryOp op) {
  switch (op) {
    case BinaryOp::less: return BinaryOp::greater;
    case BinaryOp::less_equal: return BinaryOp::greater_equal;
    case BinaryOp::greater: return BinaryOp::less;
    case BinaryOp::greater_equal: return BinaryOp::less_equal;
    default: return op;
  }
}

Expr negation(const Expr& condition) {
  if (const auto* comparison = condition.as<Binary>()) {
    auto negated = *comparison;
    switch (comparison->op) {
      case BinaryOp::equal: negated.op = BinaryOp::not_equal; return Expr(std::move(negated));
      case BinaryOp::not_equal: negated.op = BinaryOp::equal; return Expr(std::move(negated));
      case BinaryOp::less: negated.op = BinaryOp::greater_equal; return Expr(std::move(negated));
      case BinaryOp::less_equal: negated.op = BinaryOp::greater; return Expr(std::move(negated));
      case BinaryOp::greater: negated.op = BinaryOp::less_equal; return Expr(std::move(negated));
      case BinaryOp::greater_equal: negated.op = BinaryOp::less; return Expr(std::move(negated));
      case BinaryOp::is: negated.op = BinaryOp::is_not; return Expr(std::move(negated));
      case BinaryOp::is_not: negated.op = BinaryOp::is; return Expr(std::move(negated));
      default: break;
    }
  }
  const auto flipped = [](auto node) {
    node.negated = !node.negated;
    return Expr(std::move(node));
  };
  if (const auto* node = condition.as<IsNull>()) return flipped(*node);
  if (const auto* node = condition.as<Between>()) return flipped(*node);
  if (const auto* node = condition.as<Like>()) return flipped(*node);
  if (const auto* node = condition.as<In>()) return flipped(*node);
  if (const auto* node = condition.as<Unary>(); node != nullptr && node->op == UnaryOp::logical_not)
    return *node->operand;
  return Expr(Unary{UnaryOp::logical_not, Box<Expr>(condition)});
}

const std::int64_t* integer_value(const Expr& expr, Value& storage) {
  const auto* literal = expr.as<Literal>();
  if (literal == nullptr || literal->kind != Literal::Kind::integer) return nullptr;
  storage = literal->value();
  return std::get_if<std::int64_t>(&storage);
}

}  // namespace trustsql::equiv::rewriting
