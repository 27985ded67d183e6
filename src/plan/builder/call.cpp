#include <utility>

#include "base/text.hpp"
#include "plan/builder/builder.hpp"

namespace trustsql::plan {

Expr Builder::build_call(const ast::Call& node, const ExprType& result) {
  const auto& binding = resolution_.call(node);
  switch (binding.kind) {
    case CallBinding::Kind::scalar: return build_scalar_call(node, binding);
    case CallBinding::Kind::aggregate: return build_aggregate_call(node, binding, result);
    case CallBinding::Kind::window: return build_window_call(node, binding, result);
  }
  return literal({});
}

std::string_view Builder::function_name(const ast::Name& name, const SqlFunction* info) {
  return plan_.texts.keep(info != nullptr ? std::string(info->name) : to_lower_ascii(name.text));
}

std::vector<Expr> Builder::build_arguments(const ast::Call& node, const SqlFunction* function) {
  auto arguments = build_exprs(node.arguments);
  if (function == nullptr || !function->reads_subtype) return arguments;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    // Only the argument itself: operators around it may remove the mark, depending on the version of SQLite.
    auto* call = node.arguments[i].is<ast::Call>() ? arguments[i].as<Function>() : nullptr;
    if (call != nullptr && call->info != nullptr && call->info->subtype == SqlFunction::Subtype::json &&
        call->info == resolution_.call(*node.arguments[i].as<ast::Call>()).function)
      call->is_json = true;
    const auto* arrow = node.arguments[i].as<ast::Binary>();
    if (arrow != nullptr && arrow->op == ast::BinaryOp::arrow) arguments[i].as<Binary>()->is_json = true;
  }
  return arguments;
}

std::string_view Builder::collation_of_first(const std::vector<ast::Expr>& arguments) {
  for (const auto& argument : arguments) {
    const auto& collation = type(argument).collation;
    if (collation.strength != Collation::Strength::none) return collation_name(collation);
  }
  return binary_collation;
}

Expr Builder::build_scalar_call(const ast::Call& node, const CallBinding& binding) {
  const auto name = function_name(node.name, binding.function);
  // Hints for SQLite's planner: the value is always that of the argument.
  if ((name == "likely" || name == "unlikely" || name == "likelihood") && !node.arguments.empty())
    return build_expr(node.arguments.front());
  Function function;
  function.name = name;
  function.info = binding.function;
  function.arguments = build_arguments(node, binding.function);
  if (name == "min" || name == "max" || name == "nullif") function.collation = collation_of_first(node.arguments);
  return {std::move(function)};
}

SortKey Builder::call_order(const ast::OrderTerm& term) {
  ResolvedTerm resolved;
  resolved.type = type(term.expr);
  return sort_key(term, resolved, build_expr(term.expr));
}

template <class C>
Expr Builder::add_call(std::vector<C>& calls, C call, const Attribute& attribute) {
  for (const auto& other : calls) {
    call.id = other.id;
    if (other == call) return column(other.id);
  }
  call.id = plan_.add_attribute(attribute);
  calls.push_back(std::move(call));
  return column(calls.back().id);
}

// total() begins with 0.0, so it is never -0.0. An average may be, where the sum of reals is tiny.
Affinity Builder::storage_of_aggregate(const AggregateCall& call) const {
  if (call.name == "total") return Affinity::real;
  if (call.name == "min" || call.name == "max") return storage_of(call.arguments.front(), plan_);
  if (call.name != "avg") return Affinity::none;
  return types_of(call.arguments.front(), plan_, {}).without_null() == types::integer ? Affinity::real : Affinity::none;
}

// Only of functions that return one of the values of their argument.
Affinity Builder::storage_of_window(const WindowCall& call) const {
  const bool returns_argument = call.name == "min" || call.name == "max" || call.name == "first_value" ||
                                call.name == "last_value" || call.name == "nth_value";
  return returns_argument ? storage_of(call.arguments.front(), plan_) : Affinity::none;
}

Expr Builder::build_aggregate_call(const ast::Call& node, const CallBinding& binding, const ExprType& result) {
  // SQLite does not look at the select list of EXISTS, so it accepts there what is a misuse elsewhere in WHERE.
  if (!scope(binding.select).has_rows)
    fail("an aggregate over rows of the outer query in a subquery in its WHERE or FROM is not supported");
  AggregateCall call;
  call.name = function_name(node.name, binding.function);
  call.info = binding.function;
  call.distinct = node.distinct;
  const auto outer_depth = std::exchange(aggregate_depth_, binding.depth);
  call.arguments = build_arguments(node, binding.function);
  for (const auto& term : node.order_by) call.order_by.push_back(call_order(term));
  if (node.filter) call.filter = build_expr(*node.filter);
  aggregate_depth_ = outer_depth;
  if (node.distinct || call.name == "min" || call.name == "max") call.collation = collation_of_first(node.arguments);
  Attribute attribute;
  attribute.name = call.name;
  attribute.types = result.types;
  attribute.storage = storage_of_aggregate(call);
  return add_call(scope(binding.select).calls, std::move(call), attribute);
}

Expr Builder::build_window_call(const ast::Call& node, const CallBinding& binding, const ExprType& result) {
  WindowCall call;
  call.name = function_name(node.name, binding.function);
  call.info = binding.function;
  call.star = node.star;
  call.arguments = build_exprs(node.arguments);
  if (node.filter) call.filter = build_expr(*node.filter);
  if (call.name == "min" || call.name == "max") call.collation = collation_of_first(node.arguments);
  const auto& window = *binding.window;
  for (const auto* expr : window.partition_by) {
    GroupKey key;
    key.expr = build_expr(*expr);
    key.collation = collation_name(type(*expr).collation);
    call.partition_by.push_back(std::move(key));
  }
  for (const auto* term : window.order_by) call.order_by.push_back(call_order(*term));
  if (window.frame != nullptr) {
    const auto bound = [&](const ast::FrameBound& from) {
      FrameBound to{from.kind, {}};
      if (from.offset) to.offset = build_expr(*from.offset);
      return to;
    };
    call.frame = Frame{window.frame->unit, bound(window.frame->start), bound(window.frame->end), window.frame->exclude};
  }
  Attribute attribute;
  attribute.name = call.name;
  attribute.types = result.types;
  attribute.storage = storage_of_window(call);
  return add_call(scope(binding.select).windows, std::move(call), attribute);
}

}  // namespace trustsql::plan
