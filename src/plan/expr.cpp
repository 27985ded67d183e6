#include "plan/expr.hpp"

#include <bit>

#include "plan/rel.hpp"

namespace trustsql::plan {

TRUSTSQL_DEFINE_VALUE(Expr)

bool operator==(const Literal& a, const Literal& b) {
  if (a.value.index() != b.value.index()) return false;
  if (const auto* real = std::get_if<double>(&a.value)) {
    return std::bit_cast<std::uint64_t>(*real) == std::bit_cast<std::uint64_t>(std::get<double>(b.value));
  }
  return a.value == b.value;
}

std::uint64_t Literal::hash(std::uint64_t seed) const {
  return trustsql::hash(view(value), mix64(seed ^ value.index()));
}

Expr literal(Value value) { return {Literal{std::move(value)}}; }
Expr column(AttributeId id) { return {Column{id}}; }
Expr compare(CompareOp op, Expr left, Expr right, Comparison how) {
  return {Compare{op, how, std::move(left), std::move(right)}};
}
Expr is_null(Expr operand, bool negated) { return {IsNull{std::move(operand), negated}}; }
Expr negation(Expr operand) { return {Not{std::move(operand)}}; }

namespace {

template <class Junction>
Expr junction(std::vector<Expr> terms, std::int64_t of_none) {
  if (terms.empty()) return literal(of_none);
  if (terms.size() == 1) return std::move(terms.front());
  Junction flat;
  flat.terms.reserve(terms.size());
  for (auto& term : terms) {
    if (auto* inner = term.as<Junction>()) {
      for (auto& part : inner->terms) flat.terms.push_back(std::move(part));
    } else {
      flat.terms.push_back(std::move(term));
    }
  }
  return {std::move(flat)};
}

}  // namespace

Expr conjunction(std::vector<Expr> terms) { return junction<And>(std::move(terms), 1); }
Expr disjunction(std::vector<Expr> terms) { return junction<Or>(std::move(terms), 0); }

const Value* literal_value(const Expr& expr) {
  const auto* literal = expr.as<Literal>();
  return literal != nullptr ? &literal->value : nullptr;
}

bool is_null_literal(const Expr& expr) {
  const auto* value = literal_value(expr);
  return value != nullptr && std::holds_alternative<std::monostate>(*value);
}

const AttributeId* column_id(const Expr& expr) {
  const auto* column = expr.as<Column>();
  return column != nullptr ? &column->id : nullptr;
}

CompareOp mirrored(CompareOp op) {
  switch (op) {
    case CompareOp::less: return CompareOp::greater;
    case CompareOp::less_equal: return CompareOp::greater_equal;
    case CompareOp::greater: return CompareOp::less;
    case CompareOp::greater_equal: return CompareOp::less_equal;
    default: return op;
  }
}

CompareOp negated(CompareOp op) {
  switch (op) {
    case CompareOp::equal: return CompareOp::not_equal;
    case CompareOp::not_equal: return CompareOp::equal;
    case CompareOp::less: return CompareOp::greater_equal;
    case CompareOp::less_equal: return CompareOp::greater;
    case CompareOp::greater: return CompareOp::less_equal;
    case CompareOp::greater_equal: return CompareOp::less;
    case CompareOp::is: return CompareOp::is_not;
    case CompareOp::is_not: return CompareOp::is;
  }
  return op;
}

}  // namespace trustsql::plan
