#include "plan/builder/builder.hpp"

namespace trustsql::plan {

SortKey Builder::sort_key(const ast::OrderTerm& term, const ResolvedTerm& resolved, Expr expr) {
  SortKey key{std::move(expr), term.descending, !term.descending, collation_name(resolved.type.collation)};
  if (term.nulls != ast::NullsOrder::unstated) key.nulls_first = term.nulls == ast::NullsOrder::first;
  return key;
}

Rel Builder::build_select(const ResolvedSelect& select, const std::vector<ResolvedTerm>& order_by) {
  SelectScope own{.select = &select};
  scopes_[&select] = &own;
  Rel rel = build_from(select.from);
  if (select.where != nullptr) rel = Rel{Filter{std::move(rel), build_conjuncts(*select.where)}};
  own.has_rows = true;

  std::vector<Expr> items;
  items.reserve(select.columns.size());
  for (const auto& column : select.columns) items.push_back(build_expr(*column.expr));
  std::vector<Expr> having;
  if (select.node != nullptr && select.node->having) having = build_conjuncts(*select.node->having);
  std::vector<Expr> order_exprs;  // the terms that are not result columns
  for (const auto& term : order_by) {
    if (term.column < 0) order_exprs.push_back(build_expr(*term.expr));
  }

  AttributeSet visible;  // what the select list may pass on under its own id, unlike attributes of outer queries
  if (select.is_aggregate) {
    auto aggregate = build_aggregate(select, std::move(rel), {&items, &having, &order_exprs});
    for (const auto& key : aggregate.keys) visible.add(key.id);
    for (const auto& call : aggregate.calls) visible.add(call.id);
    rel = Rel{std::move(aggregate)};
    if (!having.empty()) rel = Rel{Filter{std::move(rel), std::move(having)}};
  } else {
    add_visible(select.from, visible);
  }
  if (!own.windows.empty()) {
    for (const auto& call : own.windows) visible.add(call.id);
    rel = Rel{Window{std::move(rel), std::move(own.windows)}};
  }
  scopes_.erase(&select);
  return project_and_order(select, std::move(rel), visible, std::move(items), order_by, std::move(order_exprs));
}

namespace {

// Rewrites expressions over the rows of a FROM clause into expressions over its groups: an expression equal to a key
// becomes the key, any other column a bare column.
class GroupLifter {
 public:
  GroupLifter(Aggregate& aggregate, const AttributeSet& input) : aggregate_(aggregate), input_(input) {}

  void lift(Expr& expr) {
    if (const auto* id = column_id(expr)) {
      if (input_.contains(*id)) expr = column(grouped(*id));
      return;
    }
    for (const auto& key : aggregate_.keys) {
      // A constant is not replaced: it may be in an aggregate of a subquery, and a column there would make that an
      // aggregate of this query.
      if (!key.expr.is<Column>() && key.expr == expr && !references(key.expr).empty()) {
        expr = column(key.id);
        return;
      }
    }
    for_each_expr(expr, [&](Expr& operand) { lift(operand); });
    for_each_rel(expr, [&](Rel& rel) { lift(rel); });
  }

  void lift(Rel& rel) {
    for_each_expr(rel, [&](Expr& expr) { lift(expr); });
    for_each_rel(rel, [&](Rel& input) { lift(input); });
  }

 private:
  // The attribute of a group that holds the column `id` of its rows.
  AttributeId grouped(AttributeId id) {
    for (const auto& key : aggregate_.keys) {
      if (const auto* from = column_id(key.expr); from != nullptr && *from == id) return key.id;
    }
    for (const auto& call : aggregate_.calls) {
      if (call.is_bare() && *column_id(call.arguments.front()) == id) return call.id;
    }
    AggregateCall call;
    call.id = id;
    call.arguments.push_back(column(id));
    aggregate_.calls.push_back(std::move(call));
    return id;
  }

  Aggregate& aggregate_;
  const AttributeSet& input_;
};

}  // namespace

Aggregate Builder::build_aggregate(const ResolvedSelect& select, Rel input,
                                   const std::vector<std::vector<Expr>*>& users) {
  Aggregate aggregate;
  aggregate.grouped = !select.group_by.empty();
  for (const auto& term : select.group_by) {
    const auto& node = term.column >= 0 ? *select.columns[static_cast<std::size_t>(term.column)].expr : *term.expr;
    GroupKey key;
    key.expr = build_expr(node);
    key.collation = collation_name(term.type.collation);
    bool known = false;
    for (const auto& other : aggregate.keys)
      known = known || (other.expr == key.expr && other.collation == key.collation);
    if (known) continue;
    AttributeSet visible;  // computed for each key, since building the key may have added columns
    add_visible(select.from, visible);
    const auto* from = column_id(key.expr);
    bool id_is_free = from != nullptr && visible.contains(*from);
    for (const auto& other : aggregate.keys) id_is_free = id_is_free && other.id != *from;
    if (id_is_free) {
      key.id = *from;
    } else {
      Attribute attribute;
      attribute.name = "key";
      attribute.types = term.type.types;
      attribute.affinity = term.type.affinity;
      attribute.collation = key.collation;
      attribute.storage = storage_of(key.expr, plan_);
      key.id = plan_.add_attribute(attribute);
    }
    aggregate.keys.push_back(std::move(key));
  }
  auto& own = scope(&select);
  aggregate.calls = std::move(own.calls);
  AttributeSet visible;
  add_visible(select.from, visible);
  GroupLifter lifter(aggregate, visible);
  for (auto* exprs : users) {
    for (auto& expr : *exprs) lifter.lift(expr);
  }
  Rel windows{Window{{}, std::move(own.windows)}};
  for_each_expr(windows, [&](Expr& expr) { lifter.lift(expr); });
  own.windows = std::move(windows.as<Window>()->calls);
  aggregate.input = std::move(input);
  return aggregate;
}

Rel Builder::project_and_order(const ResolvedSelect& select, Rel input, const AttributeSet& visible,
                               std::vector<Expr> items, const std::vector<ResolvedTerm>& order_by,
                               std::vector<Expr> order_exprs) {
  const auto add_item = [&](Project& project, Expr expr, const ExprType& type, std::string_view name) {
    const auto* from = column_id(expr);
    // Unary plus, which plans do not have, makes another column of a column: one without affinity.
    if (from != nullptr && visible.contains(*from) && plan_.attributes[*from].affinity == type.affinity) {
      project.items.push_back({*from, std::move(expr)});
      return;
    }
    Attribute attribute;
    attribute.name = plan_.texts.keep(name);
    attribute.types = type.types;
    attribute.affinity = type.affinity;
    attribute.collation = collation_name(type.collation);
    attribute.storage = storage_of(expr, plan_);
    project.items.push_back({plan_.add_attribute(attribute), std::move(expr)});
  };

  Project project;
  for (std::size_t i = 0; i < items.size(); ++i)
    add_item(project, std::move(items[i]), select.columns[i].type, select.columns[i].name);
  const auto result_count = project.items.size();
  std::vector<SortKey> keys;
  std::size_t next = 0;
  for (std::size_t i = 0; i < order_by.size(); ++i) {
    const auto& term = order_by[i];
    AttributeId id = 0;
    if (term.column >= 0) {
      id = project.items[static_cast<std::size_t>(term.column)].id;
    } else {
      add_item(project, std::move(order_exprs[next++]), term.type, "order");
      id = project.items.back().id;
    }
    keys.push_back(sort_key(select.query->node->order_by[i], term, column(id)));
  }
  std::vector<AttributeId> ids;
  for (std::size_t i = 0; i < result_count; ++i) ids.push_back(project.items[i].id);
  const bool has_extra = project.items.size() > result_count;
  std::vector<AttributeId> extra;
  for (auto i = result_count; i < project.items.size(); ++i) extra.push_back(project.items[i].id);

  project.input = std::move(input);
  Rel rel{std::move(project)};
  if (select.node != nullptr && select.node->distinct) {
    std::vector<std::string_view> names;
    bool all_binary = true;
    for (const auto& column : select.columns) {
      names.push_back(collation_name(column.type.collation));
      all_binary = all_binary && names.back() == binary_collation;
    }
    if (!has_extra) {
      if (all_binary) names.clear();
      rel = Rel{Distinct{std::move(rel), std::move(names)}};
    } else {
      // ORDER BY has a term that is not in the DISTINCT list: its value comes from some row of each set of equal rows.
      Aggregate aggregate;
      aggregate.grouped = true;
      aggregate.of_distinct = true;
      AttributeSet known;
      for (std::size_t i = 0; i < result_count; ++i) {
        if (known.contains(ids[i])) continue;
        known.add(ids[i]);
        aggregate.keys.push_back({ids[i], column(ids[i]), names[i]});
      }
      for (const auto id : extra) {
        if (known.contains(id)) continue;
        known.add(id);
        AggregateCall call;
        call.id = id;
        call.arguments.push_back(column(id));
        aggregate.calls.push_back(std::move(call));
      }
      aggregate.input = std::move(rel);
      rel = Rel{std::move(aggregate)};
    }
  }
  if (!keys.empty()) rel = Rel{Sort{std::move(rel), std::move(keys)}};
  if (has_extra) {
    Project final;
    for (const auto id : ids) final.items.push_back({id, column(id)});
    final.input = std::move(rel);
    rel = Rel{std::move(final)};
  }
  return rel;
}

}  // namespace trustsql::plan
