#include "plan/usage.hpp"

#include <algorithm>

#include "plan/walk.hpp"

namespace trustsql::plan {

namespace {

using Order = Usage::Order;

bool is_order_sensitive(const AggregateCall& call) {
  // The built-in aggregates that give the same result in any order (for reals, up to rounding).
  for (const std::string_view name : {"count", "min", "max", "sum", "avg", "total", ""}) {
    if (call.name == name) return false;
  }
  return true;
}

Usage everything(const Rel& rel) { return {output_set(rel), true, true, Order::used}; }

Usage existence(AttributeSet needed) { return {std::move(needed), false, false, Order::unseen}; }

}  // namespace

Usage usage_of_input(const Rel& rel, const Rel& input, const Usage& usage) {
  Usage result = usage;
  const auto own = references_of_operator(rel);
  const auto restrict = [&] { result.needed &= output_set(input); };
  if (rel.is<Project>()) {
    result.needed = own;  // also by items that nothing uses, as long as they are there (column_pruning)
    result.positional = false;
  } else if (const auto* n = rel.as<Join>()) {
    if ((n->type == JoinType::semi || n->type == JoinType::anti) && &input == n->right.get())
      return existence(own & output_set(input));
    result.needed |= own;
    if (n->type != JoinType::semi && n->type != JoinType::anti) result.order = Order::unseen;
  } else if (const auto* n = rel.as<Apply>()) {
    if (&input == n->right.get()) {
      if (n->type == ApplyType::semi || n->type == ApplyType::anti) return existence(own & output_set(input));
      return everything(input);
    }
    result.needed |= own;
    result.needed |= free_attributes(*n->right);
    if (n->type == ApplyType::lateral || n->type == ApplyType::lateral_left) result.order = Order::unseen;
  } else if (const auto* n = rel.as<Aggregate>()) {
    result.needed = own;
    result.positional = false;
    result.duplicates_matter = !std::all_of(n->calls.begin(), n->calls.end(), [](const AggregateCall& c) {
      return c.distinct || c.is_bare() || c.name == "min" || c.name == "max";
    });
    result.order = std::any_of(n->calls.begin(), n->calls.end(), is_order_sensitive) ? Order::used : Order::unseen;
  } else if (rel.is<Window>()) {
    result.needed |= own;
    result.duplicates_matter = true;
    result.order = Order::used;
  } else if (rel.is<Distinct>()) {
    result = everything(input);
    result.duplicates_matter = false;
    result.order = usage.order;
  } else if (rel.is<Sort>()) {
    result.needed |= own;
    result.order = Order::unseen;
  } else if (rel.is<Limit>()) {
    result.duplicates_matter = true;
    result.order = Order::used;
  } else if (const auto* n = rel.as<SetOp>()) {
    result = everything(input);
    result.duplicates_matter = n->op == ast::SetOp::union_all && usage.duplicates_matter;
    result.order = Order::unseen;
    return result;
  } else if (rel.is<Derived>()) {
    if (result.order == Order::shown) result.order = Order::unseen;
  } else if (rel.is<Recursive>()) {
    return everything(input);
  } else {  // Filter
    result.needed |= own;
  }
  restrict();
  return result;
}

Usage usage_of_subquery(const Expr& expr) {
  if (const auto* n = expr.as<Exists>()) {
    static_cast<void>(n);
    return existence({});
  }
  if (const auto* n = expr.as<InSubquery>()) return {output_set(*n->rel), true, false, Order::unseen};
  const auto* n = expr.as<ScalarSubquery>();
  return {output_set(*n->rel), true, true, Order::used};
}

}  // namespace trustsql::plan
