#include <algorithm>

#include "equiv/checker/laws.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv::checker {

using namespace plan;

namespace {

using Order = Demand::Order;

// Whether the result of the call does not depend on the order of the rows.
bool ignores_order(const AggregateCall& call) {
  return call.is_bare() || call.name == "count" || call.name == "min" || call.name == "max" || call.name == "sum" ||
         call.name == "avg" || call.name == "total";
}

// Whether the result of the call is the same if a row occurs twice.
bool ignores_repeats(const AggregateCall& call) {
  return call.distinct || call.is_bare() || call.name == "min" || call.name == "max";
}

Demand demand_on_matches(const AttributeSet& needed) { return {needed, false, false, Order::none}; }

}  // namespace

Demand demand_of_input(const Rel& rel, const Rel& input, const Demand& demand) {
  const auto columns = output_set(input);
  const auto used_here = references_of_operator(rel);
  const Demand everything{columns, true, true, Order::used};
  // What most operators do: pass on the demand on them, and use some columns themselves.
  Demand result = demand;
  result.needed = (demand.needed | used_here) & columns;
  return std::visit(Overloaded{
                        [&](const auto&) { return everything; },
                        [&](const Filter&) { return result; },
                        [&](const Derived&) {
                          if (result.order == Order::shown) result.order = Order::none;
                          return result;
                        },
                        [&](const Project& n) {
                          result.needed = {};
                          for (const auto& item : n.items) {
                            if (demand.places || demand.needed.contains(item.id))
                              result.needed |= references(item.expr) & columns;
                          }
                          result.places = false;
                          return result;
                        },
                        [&](const Join& n) {
                          const bool chooses = n.type == JoinType::semi || n.type == JoinType::anti;
                          if (chooses && &input == n.right.get()) return demand_on_matches(used_here & columns);
                          if (!chooses) result.order = Order::none;
                          return result;
                        },
                        [&](const Apply& n) {
                          const bool chooses = n.type == ApplyType::semi || n.type == ApplyType::anti;
                          if (&input == n.right.get())
                            return chooses ? demand_on_matches(used_here & columns) : everything;
                          result.needed |= free_attributes(*n.right) & columns;
                          if (!chooses && n.type != ApplyType::scalar) result.order = Order::none;
                          return result;
                        },
                        [&](const Aggregate& n) {
                          return Demand{
                              used_here & columns, false, !std::all_of(n.calls.begin(), n.calls.end(), ignores_repeats),
                              std::all_of(n.calls.begin(), n.calls.end(), ignores_order) ? Order::none : Order::used};
                        },
                        [&](const Window&) {
                          result.repeats = true;
                          result.order = Order::used;
                          return result;
                        },
                        [&](const Distinct&) {
                          return Demand{columns, true, false, demand.order};
                        },
                        [&](const Sort&) {
                          result.order = Order::none;
                          return result;
                        },
                        [&](const Limit&) {
                          result.repeats = true;
                          result.order = Order::used;
                          return result;
                        },
                        [&](const SetOp& n) {
                          return Demand{columns, true, n.op == ast::SetOp::union_all && demand.repeats, Order::none};
                        },
                    },
                    rel.node);
}

Demand demand_of_subquery(const Expr& expr) {
  if (expr.is<Exists>()) return demand_on_matches({});
  if (const auto* in = expr.as<InSubquery>()) return {output_set(*in->rel), true, false, Order::none};
  const auto* scalar = expr.as<ScalarSubquery>();
  return {output_set(*scalar->rel), true, true, Order::used};
}

std::optional<Renaming> renaming_of_copy(const Rel& a, const Rel& b) {
  const auto produced = [](const Rel& rel) {
    std::vector<AttributeId> ids;
    walk(rel, [&](const Rel& each) { for_each_produced(each, [&](AttributeId id) { ids.push_back(id); }); });
    return ids;
  };
  const auto of_a = produced(a);
  const auto of_b = produced(b);
  if (of_a.size() != of_b.size()) return std::nullopt;
  Renaming renaming;
  for (std::size_t i = 0; i < of_a.size(); ++i) renaming[of_a[i]] = of_b[i];
  return renaming;
}

std::optional<std::vector<Expr>> difference(const std::vector<Expr>& all, const std::vector<Expr>& some) {
  auto rest = all;
  for (const auto& each : some) {
    const auto place = std::find(rest.begin(), rest.end(), each);
    if (place == rest.end()) return std::nullopt;
    rest.erase(place);
  }
  return rest;
}

const std::vector<Expr>& conditions_of(const Rel& rel) {
  static const std::vector<Expr> none;
  const auto* filter = rel.as<Filter>();
  return filter != nullptr ? filter->conjuncts : none;
}

const Rel& unfiltered(const Rel& rel) {
  const auto* filter = rel.as<Filter>();
  return filter != nullptr ? *filter->input : rel;
}

const Expr* item_of(const Project& project, AttributeId id) {
  const auto item =
      std::find_if(project.items.begin(), project.items.end(), [&](const ProjectItem& item) { return item.id == id; });
  return item != project.items.end() ? &item->expr : nullptr;
}

namespace {

bool is_same_but_for(const Expr& a, const Expr& b,
                     FunctionRef<std::optional<bool>(const Expr&, const Expr&)> replaced) {
  if (const auto answer = replaced(a, b)) return *answer;
  if (a.node.index() != b.node.index() || a.is<ScalarSubquery>() || a.is<Exists>() || a.is<InSubquery>()) return a == b;
  std::vector<const Expr*> parts;
  for_each_expr(a, [&](const Expr& part) { parts.push_back(&part); });
  // They must be equal except for the parts compared here.
  Expr rebuilt = b;
  std::size_t index = 0;
  bool fine = true;
  for_each_expr(rebuilt, [&](Expr& part) {
    fine = fine && index < parts.size() && is_same_but_for(*parts[index], part, replaced);
    if (index < parts.size()) part = *parts[index];
    ++index;
  });
  return fine && index == parts.size() && rebuilt == a;
}

}  // namespace

bool same_expressions(const Rel& a, const Rel& b, FunctionRef<std::optional<bool>(const Expr&, const Expr&)> replaced) {
  std::vector<const Expr*> of_a;
  std::vector<const Expr*> of_b;
  for_each_expr(a, [&](const Expr& each) { of_a.push_back(&each); });
  for_each_expr(b, [&](const Expr& each) { of_b.push_back(&each); });
  return std::equal(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(),
                    [&](const Expr* x, const Expr* y) { return is_same_but_for(*x, *y, replaced); });
}

bool is_fixed(const Expr& expr) { return !has_subquery(expr) && !is_volatile(expr); }

}  // namespace trustsql::equiv::checker
