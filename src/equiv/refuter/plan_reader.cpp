#include "equiv/refuter/plan_reader.hpp"

#include "plan/walk.hpp"

namespace trustsql::equiv {

using namespace plan;

namespace {

// Longer chains of projections and operands are not followed.
constexpr int deepest = 40;

}  // namespace

ColumnOrigins::ColumnOrigins(const Plan& plan, const DataModel& model) : plan_(plan), model_(model) { note(plan.root); }

void ColumnOrigins::note(const Rel& rel) {
  for_each_rel(rel, [&](const Rel& input) { note(input); });
  for_each_expr(rel, [&](const Expr& expr) { note(expr); });
  const auto define = [&](AttributeId id, const Expr& expr) {
    const auto* column = column_id(expr);
    if (column == nullptr || *column != id) definitions_.emplace(id, &expr);
  };
  if (const auto* n = rel.as<Project>()) {
    for (const auto& item : n->items) define(item.id, item.expr);
  } else if (const auto* m = rel.as<Aggregate>()) {
    for (const auto& key : m->keys) define(key.id, key.expr);
    for (const auto& call : m->calls) {
      if (!call.arguments.empty() && call.name != "count") define(call.id, call.arguments.front());
    }
  } else if (const auto* w = rel.as<Window>()) {
    for (const auto& call : w->calls) {
      if (!call.arguments.empty() && call.name != "count" && call.name != "ntile")
        define(call.id, call.arguments.front());
    }
  } else if (const auto* s = rel.as<SetOp>()) {
    const auto first = outputs(s->inputs.front());
    for (std::size_t i = 0; i < std::min(first.size(), s->ids.size()); ++i) first_branch_.emplace(s->ids[i], first[i]);
  } else if (const auto* r = rel.as<Recursive>()) {
    const auto first = outputs(*r->seed);
    for (std::size_t i = 0; i < std::min(first.size(), r->ids.size()); ++i) first_branch_.emplace(r->ids[i], first[i]);
  }
}

void ColumnOrigins::note(const Expr& expr) {
  for_each_expr(expr, [&](const Expr& operand) { note(operand); });
  for_each_rel(expr, [&](const Rel& rel) { note(rel); });
}

std::optional<ColumnOrigins::Origin> ColumnOrigins::of(AttributeId id, int depth) const {
  if (depth > deepest) return std::nullopt;
  // Computed once: definitions may use one column many times.
  if (const auto known = known_.find(id); known != known_.end()) return known->second;
  auto origin = find(id, depth);
  known_.emplace(id, origin);
  return origin;
}

std::optional<ColumnOrigins::Origin> ColumnOrigins::find(AttributeId id, int depth) const {
  const auto& attribute = plan_.attributes[id];
  if (attribute.table != nullptr && attribute.position >= 0) {
    for (std::size_t t = 0; t < model_.tables.size(); ++t) {
      const auto& table = *model_.tables[t].table;
      if (attribute.table != &table && (attribute.table->name != table.name || attribute.table->schema != table.schema))
        continue;
      const int place = model_.tables[t].place_of(attribute.position);
      if (place >= 0) return Origin{t, static_cast<std::size_t>(place)};
    }
    return std::nullopt;
  }
  const auto definition = definitions_.find(id);
  if (definition != definitions_.end()) return of(*definition->second, depth + 1);
  const auto branch = first_branch_.find(id);
  if (branch != first_branch_.end()) return of(branch->second, depth + 1);
  return std::nullopt;
}

std::optional<ColumnOrigins::Origin> ColumnOrigins::of(const Expr& expr, int depth) const {
  if (depth > deepest) return std::nullopt;
  if (const auto* id = column_id(expr)) return of(*id, depth + 1);
  if (const auto* subquery = expr.as<ScalarSubquery>()) {
    const auto ids = outputs(*subquery->rel);
    return ids.empty() ? std::nullopt : of(ids.front(), depth + 1);
  }
  std::optional<Origin> origin;
  for_each_expr(expr, [&](const Expr& operand) {
    if (!origin) origin = of(operand, depth + 1);
  });
  return origin;
}

}  // namespace trustsql::equiv
