// Typer: derives the type of an expression from those of its parts.

#include <algorithm>

#include "base/text.hpp"
#include "sql/ast_walk.hpp"
#include "sql/folding.hpp"
#include "sql/resolver/typer.hpp"

namespace trustsql::resolver {

namespace {

using Strength = Collation::Strength;

TypeSet types_of(const Value& value) { return view(value).type; }

// `values`, and NULL if an operand may be NULL; only NULL if an operand always is.
TypeSet strict(TypeSet values, std::initializer_list<TypeSet> operands) {
  for (const TypeSet operand : operands) {
    if (operand == types::null) return types::null;
    if (operand.may_be_null()) values = values.with_null();
  }
  return values;
}

bool is_integer(TypeSet types) { return types.without_null().is_subset_of(types::integer); }

// + - * / %: texts and blobs are read as numbers. Integers that overflow become reals; a division by zero is NULL, and
// so is a NaN, such as Inf - Inf.
TypeSet arithmetic(ast::BinaryOp op, TypeSet left, TypeSet right) {
  const bool integers = is_integer(left) && is_integer(right);
  TypeSet result = types::number;
  switch (op) {
    case ast::BinaryOp::add:
    case ast::BinaryOp::subtract:
      if (!is_integer(left) && !is_integer(right)) result = result.with_null();
      break;
    case ast::BinaryOp::multiply:
      if (!integers) result = result.with_null();
      break;
    case ast::BinaryOp::remainder: result = (integers ? types::integer : types::number).with_null(); break;
    default: result = result.with_null(); break;
  }
  return strict(result, {left, right});
}

// -x. The smallest integer has no positive counterpart; no literal has that value, but its negation can:
// -9223372036854775808.
TypeSet negative(const ast::Expr& operand, TypeSet types) {
  if (const auto* literal = operand.as<ast::Literal>()) {
    const bool is_integer_text = literal->kind == ast::Literal::Kind::integer;
    return is_integer_text && types == types::real ? types::number
           : types == types::integer               ? types
                                                   : strict(types::number, {types});
  }
  const TypeSet values = types.without_null();
  return strict(values == types::real ? types::real : types::number, {types});
}

}  // namespace

Typer::Typed Typer::expr(const ast::Expr& expr) {
  if (const auto* cached = tables_.types.find(&expr)) return {*cached, false};
  const auto visit = ast::Overloaded{
      [&](const ast::Literal& node) {
        const bool is_clock = node.kind >= ast::Literal::Kind::current_date;
        return Typed{{.types = is_clock ? types::text : types_of(node.value())}};
      },
      [&](const ast::ColumnRef& node) { return of_column(node); },
      [](const ast::Parameter&) { return Typed{}; },
      [&](const ast::Unary& node) { return of_unary(node); },
      [&](const ast::Binary& node) { return of_binary(node); },
      [&](const ast::IsNull& node) {
        Typed typed = this->expr(*node.operand);
        typed.type = {.collation = typed.collates ? typed.type.collation : Collation{}, .types = types::integer};
        return typed;
      },
      [&](const ast::Between& node) {
        const Typed operand = this->expr(*node.operand);
        Typed typed = combine({operand, this->expr(*node.low), this->expr(*node.high)});
        // Before 3.53 SQLite ignores a COLLATE in the bounds when it determines the collation of the whole expression.
        if (tables_.version >= 3'053'000) return typed;
        typed.collates = operand.collates;
        typed.type.collation = operand.collates ? operand.type.collation : Collation{};
        return typed;
      },
      [&](const ast::Like& node) {
        std::vector<Typed> parts = {this->expr(*node.pattern), this->expr(*node.operand)};
        if (node.escape) parts.push_back(this->expr(*node.escape));
        Typed typed = combine(parts);
        // The result of a function of the host, negated if there is a NOT.
        if (node.op == ast::LikeOp::regexp || node.op == ast::LikeOp::match) {
          typed.type.types = node.negated ? types::integer.with_null() : types::any;
        }
        return typed;
      },
      [&](const ast::In& node) { return of_in(node); },
      [&](const ast::Case& node) { return of_case(node); },
      [&](const ast::Cast& node) { return of_cast(node); },
      [&](const ast::Collate& node) {
        Typed typed = this->expr(*node.operand);
        typed.type.collation = {collation_name(node.collation.text), Strength::collate};
        typed.collates = true;
        return typed;
      },
      [&](const ast::Call& node) { return of_call(node); },
      [&](const ast::Subquery& node) { return of_subquery(node); },
      [&](const ast::Exists& node) {
        if (auto* const* query = tables_.query_of.find(node.query.get())) this->query(**query);
        return Typed{{.types = types::integer}};
      },
      [&](const ast::Row& node) {
        Typed first;
        for (std::size_t i = 0; i < node.elements.size(); ++i) {
          const Typed element = this->expr(node.elements[i]);
          if (i == 0) first = element;
          first.collates = first.collates || element.collates;
        }
        return first;
      },
  };
  const Typed typed =
      is_dropped(expr, tables_.version) ? Typed{{.types = types::integer}} : std::visit(visit, expr.node);
  tables_.types[&expr] = typed.type;
  return typed;
}

// The type of a truth value computed from these operands: it may be NULL if one of them may. The collation is that of
// the first operand that has a COLLATE operator.
Typer::Typed Typer::combine(const std::vector<Typed>& parts) {
  Typed typed{.type = {.types = types::integer}};
  for (const auto& part : parts) {
    if (part.collates && !typed.collates) {
      typed.collates = true;
      typed.type.collation = part.type.collation;
    }
    if (part.type.may_be_null()) typed.type.types = typed.type.types.with_null();
  }
  return typed;
}

Typer::Typed Typer::of_column(const ast::ColumnRef& ref) {
  const auto* binding = tables_.bindings.find(&ref);
  if (binding == nullptr) return {};
  Typed typed;
  switch (binding->kind) {
    case ColumnBinding::Kind::string: typed.type.types = types::text; return typed;
    case ColumnBinding::Kind::boolean: typed.type.types = types::integer; return typed;
    case ColumnBinding::Kind::alias:
      typed.type = expr(*binding->select->columns[static_cast<std::size_t>(binding->item)].expr).type;
      return typed;
    case ColumnBinding::Kind::column: typed.type = column(binding->column); break;
    case ColumnBinding::Kind::coalesce: {
      const ExprType leading = column(binding->column);
      if (binding->merged == ColumnBinding::Merged::typed) typed.type = leading;
      if (binding->merged == ColumnBinding::Merged::passed) typed.type.collation.strength = Strength::column;
      TypeSet first = leading.types;
      for (const auto& id : binding->more) {
        if (!first.may_be_null()) break;
        first = first.without_null() | column(id).types;
      }
      typed.type.types = first;
      break;
    }
  }
  if (std::find(single_rows_.begin(), single_rows_.end(), binding->select) != single_rows_.end()) {
    typed.type.types = typed.type.types.with_null();
  }
  return typed;
}

Typer::Typed Typer::of_unary(const ast::Unary& node) {
  Typed typed = expr(*node.operand);
  const TypeSet types = typed.type.types;
  if (node.op == ast::UnaryOp::plus) {
    typed.type.affinity = Affinity::none;
    return typed;
  }
  typed.type = {.collation = typed.collates ? typed.type.collation : Collation{}};
  typed.type.types = node.op == ast::UnaryOp::minus ? negative(*node.operand, types) : strict(types::integer, {types});
  return typed;
}

Typer::Typed Typer::of_binary(const ast::Binary& node) {
  const Typed left = expr(*node.left);
  const Typed right = expr(*node.right);
  Typed typed = combine({left, right});
  TypeSet& result = typed.type.types;
  const TypeSet a = left.type.types;
  const TypeSet b = right.type.types;
  using Op = ast::BinaryOp;
  switch (node.op) {
    case Op::is:
    case Op::is_not: result = types::integer; break;
    case Op::add:
    case Op::subtract:
    case Op::multiply:
    case Op::divide:
    case Op::remainder: result = arithmetic(node.op, a, b); break;
    case Op::concat: result = strict(types::text, {a, b}); break;
    case Op::arrow: result = types::null | types::text; break;
    case Op::double_arrow: result = types::null | types::number | types::text; break;
    case Op::logical_or:
    case Op::logical_and: break;
    default: {
      // Rows are compared element by element; only the type of the first element is known here.
      const auto is_row = [&](const ast::Expr& operand) {
        const auto* subquery = operand.as<ast::Subquery>();
        auto* const* query = subquery != nullptr ? tables_.query_of.find(subquery->query.get()) : nullptr;
        return operand.is<ast::Row>() || (query != nullptr && (*query)->columns.size() > 1);
      };
      result = is_row(*node.left) ? types::integer.with_null() : strict(types::integer, {a, b});
      break;
    }
  }
  return typed;
}

Typer::Typed Typer::of_in(const ast::In& node) {
  if (const auto* list = std::get_if<std::vector<ast::Expr>>(&node.set)) {
    std::vector<Typed> parts = {expr(*node.operand)};
    for (const auto& element : *list) parts.push_back(expr(element));
    Typed typed = combine(parts);
    if (node.operand->is<ast::Row>()) typed.type.types = typed.type.types.with_null();
    return typed;
  }
  Typed typed = expr(*node.operand);
  const auto* subquery = std::get_if<ast::Box<ast::Query>>(&node.set);
  auto* const* set = subquery != nullptr ? tables_.query_of.find(subquery->get()) : tables_.set_of.find(&node);
  bool may_be_null = typed.type.may_be_null() || node.operand->is<ast::Row>() || node.operand->is<ast::Subquery>();
  if (set != nullptr) {
    query(**set);
    for (const auto& column : (*set)->columns) may_be_null = may_be_null || column.type.may_be_null();
  }
  typed.type = {.collation = typed.collates ? typed.type.collation : Collation{},
                .types = may_be_null ? types::integer.with_null() : types::integer};
  return typed;
}

Typer::Typed Typer::of_case(const ast::Case& node) {
  std::vector<Typed> parts;
  if (node.operand) parts.push_back(expr(*node.operand));
  TypeSet result;
  for (const auto& branch : node.branches) {
    parts.push_back(expr(*branch.condition));
    parts.push_back(expr(*branch.result));
    result = result | parts.back().type.types;
  }
  if (node.otherwise) parts.push_back(expr(*node.otherwise));
  result = result | (node.otherwise ? parts.back().type.types : types::null);
  Typed typed = combine(parts);
  typed.type.types = result;
  return typed;
}

Typer::Typed Typer::of_cast(const ast::Cast& node) {
  Typed typed = expr(*node.operand);
  const Affinity affinity = node.type.empty() ? Affinity::numeric : affinity_of_type(node.type);
  typed.type.affinity = affinity;
  typed.type.types = cast_types(typed.type.types, affinity);
  return typed;
}

Typer::Typed Typer::of_call(const ast::Call& node) {
  const auto* binding = tables_.calls.find(&node);
  // When the arguments of an aggregate are evaluated, there is a row.
  const bool is_aggregate = binding != nullptr && binding->kind == CallBinding::Kind::aggregate;
  std::vector<const ResolvedSelect*> outside = single_rows_;
  if (is_aggregate) std::erase(single_rows_, binding->select);
  std::vector<Typed> arguments;
  for (const auto& argument : node.arguments) arguments.push_back(expr(argument));
  for (const auto& term : node.order_by) expr(term.expr);
  if (node.filter) expr(*node.filter);
  single_rows_ = std::move(outside);

  Typed typed = combine(arguments);
  typed.type.types = types::any;
  if (binding == nullptr || binding->function == nullptr) return typed;
  if (binding->window != nullptr) {
    for (const auto* partition : binding->window->partition_by) expr(*partition);
    for (const auto* term : binding->window->order_by) expr(term->expr);
    if (const auto* frame = binding->window->frame) {
      if (frame->start.offset) expr(*frame->start.offset);
      if (frame->end.offset) expr(*frame->end.offset);
    }
  }
  typed.type.types = call_types(*binding, node, arguments);
  return typed;
}

// Whether an aggregate is always computed over at least one row.
static bool has_rows(const CallBinding& binding, const ast::Call& call) {
  return binding.kind == CallBinding::Kind::aggregate && !binding.select->group_by.empty() && !call.filter;
}

TypeSet Typer::call_types(const CallBinding& binding, const ast::Call& call,
                          const std::vector<Typed>& arguments) const {
  using Returns = SqlFunction::Returns;
  const SqlFunction& function = *binding.function;
  const auto argument = [&](std::size_t i) { return arguments[i].type.types; };
  TypeSet argument_types;
  bool may_be_null = false;
  for (const auto& typed : arguments) {
    argument_types = argument_types | typed.type.types;
    may_be_null = may_be_null || typed.type.may_be_null();
  }
  switch (function.returns) {
    case Returns::types: return function.types;
    case Returns::null_if_any: return may_be_null ? function.types.with_null() : function.types;
    case Returns::arguments: return argument_types;
    case Returns::first_not_null: {
      TypeSet first = argument(0);
      for (std::size_t i = 1; i < arguments.size() && first.may_be_null(); ++i)
        first = first.without_null() | argument(i);
      return first;
    }
    case Returns::first_argument: return argument(0) | function.types;
    case Returns::branches: {
      TypeSet result;
      for (std::size_t i = 1; i < arguments.size(); i += 2) result = result | argument(i);
      return result | (arguments.size() % 2 == 1 ? arguments.back().type.types : types::null);
    }
    case Returns::one_of_group: return has_rows(binding, call) && !may_be_null ? argument(0) : argument(0).with_null();
    case Returns::sum:
    case Returns::total: {
      // Reals can add up to a NaN (Inf - Inf), which is NULL.
      const bool integers = is_integer(argument(0));
      TypeSet result = integers && function.types == types::number ? types::integer : function.types;
      const bool has_value = function.returns == Returns::total || (has_rows(binding, call) && !may_be_null);
      return integers && has_value ? result : result.with_null();
    }
    case Returns::row_or_default: return arguments.size() == 3 ? argument(0) | argument(2) : argument(0).with_null();
  }
  return types::any;
}

}  // namespace trustsql::resolver
