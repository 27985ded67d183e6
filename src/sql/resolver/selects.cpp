// NameResolver: queries and the clauses of a SELECT, in SQLite's order (resolveSelectStep in resolve.c).

#include <utility>

#include "base/text.hpp"
#include "sql/resolver/name_resolver.hpp"

namespace trustsql::resolver {

namespace {

std::string_view set_op_name(ast::SetOp op) {
  static constexpr std::string_view names[] = {"UNION", "UNION ALL", "INTERSECT", "EXCEPT"};
  return names[static_cast<std::size_t>(op)];
}

}  // namespace

bool NameResolver::query(QueryWork& query, Scope* outer) {
  if (query.resolved) return true;
  const DepthGuard depth(context_, bytes_of_query_level);
  if (!depth.ok()) return false;
  query.resolved = true;
  for (std::size_t i = query.arms.size(); i-- > 0;) {
    if (!arm(query, i, outer)) return false;
  }
  if (query.arms.size() > 1 && !compound_order_by(query)) return false;
  publish_columns(query);
  return true;
}

bool NameResolver::view(QueryWork& query) {
  query.is_view = true;
  QueryWork* const outside = std::exchange(view_, &query);
  const bool ok = this->query(query, nullptr) && !context_.failed();
  view_ = outside;
  return ok;
}

bool NameResolver::arm(QueryWork& query, std::size_t index, Scope* outer) {
  SelectWork& work = *query.arms[index];
  if (!work.is_values) check_windows(work);
  if (index + 1 == query.arms.size()) {
    // LIMIT and OFFSET see no names at all.
    const auto& node = *query.query->node;
    Scope nothing{.work = &work};
    if (node.limit && !root(nothing, *node.limit)) return false;
    if (node.offset && !root(nothing, *node.offset)) return false;
  }
  if (!from(work.from, work, outer)) return false;
  Scope scope{.outer = outer, .work = &work, .from = &work.from};
  if (!items(scope) || !clauses(scope) || !order_and_group(query, scope)) return false;

  if (index + 1 < query.arms.size()) {
    const SelectWork& next = *query.arms[index + 1];
    if (next.items.size() != work.items.size()) {
      return context_.fail(Diagnosis::Kind::columns,
                           next.is_values
                               ? "all VALUES must have the same number of terms"
                               : "SELECTs to the left and right of " + std::string(set_op_name(query.ops[index + 1])) +
                                     " do not have the same number of result columns",
                           query.query->node->span);
    }
  }
  publish(query, index);
  return true;
}

bool NameResolver::items(Scope& scope) {
  scope.aggregates = scope.windows = true;
  bool has_aggregate = false;
  for (auto& item : scope.work->items) {
    if (!root(scope, *item.expr, &item.has_aggregate, &item.has_window)) return false;
    has_aggregate = has_aggregate || item.has_aggregate;
  }
  const auto* node = scope.work->select->node;
  if (has_aggregate || (node != nullptr && !node->group_by.empty())) scope.work->select->is_aggregate = true;
  return true;
}

// HAVING, WHERE, join conditions and arguments of table-valued functions, which can all use the aliases of result
// columns.
bool NameResolver::clauses(Scope& scope) {
  const auto& work = *scope.work;
  scope.windows = false;
  scope.aggregates = work.select->is_aggregate;
  scope.aliases = true;
  const auto* node = work.is_values ? nullptr : work.select->node;
  if (node == nullptr) return true;
  if (node->having) {
    if (!work.select->is_aggregate) {
      return context_.fail(Diagnosis::Kind::misuse, "HAVING clause on a non-aggregate query", node->having->span);
    }
    if (!root(scope, *node->having)) return false;
  }
  return conditions(scope, work.from, node->where.get());
}

// Before 3.53 ORDER BY and GROUP BY do not see the enclosing SELECTs.
bool NameResolver::order_and_group(const QueryWork& query, Scope& scope) {
  if (context_.options.version < 3'053'000) scope.outer = nullptr;
  scope.aggregates = scope.windows = true;
  if (query.arms.size() == 1) {
    std::vector<const ast::Expr*> order;
    for (const auto& term : query.query->node->order_by) order.push_back(&term.expr);
    if (!terms(scope, order, Clause::order, query.query->order_by)) return false;
  }
  scope.windows = false;
  const auto* node = scope.work->is_values ? nullptr : scope.work->select->node;
  if (node == nullptr || node->group_by.empty()) return true;
  std::vector<const ast::Expr*> group;
  for (const auto& expr : node->group_by) group.push_back(&expr);
  return terms(scope, group, Clause::group, scope.work->select->group_by);
}

bool NameResolver::from(const FromList& list, SelectWork& work, Scope* outer) {
  for (const auto& entry : list.entries) {
    if (entry.group) {
      const DepthGuard depth(context_, bytes_of_query_level);
      if (!depth.ok() || !group(*entry.group, work, outer)) return false;
      continue;
    }
    Relation& relation = *entry.relation;
    if (relation.query == nullptr || relation.kind == Relation::Kind::recursive_table) continue;
    QueryWork& query = **context_.work_of.find(relation.query);
    if (query.is_view) {
      if (outer != nullptr) adopt_view(query, *outer);
    } else if (!this->query(query, outer) || context_.failed()) {
      return false;
    }
    relation.correlated = query.query->correlated;
  }
  return true;
}

// A parenthesised join is resolved like a subquery in FROM: its contents do not see the items beside it.
bool NameResolver::group(const FromList& list, SelectWork& work, Scope* outer) {
  if (!from(list, work, outer)) return false;
  Scope scope{.outer = outer, .work = &work, .from = &list};
  for (const auto& column : list.columns) {
    if (!root(scope, *column.expr)) return false;
  }
  return conditions(scope, list, nullptr);
}

// WHERE, which may be nullptr, then the join conditions, as operands of AND, then the arguments of table-valued
// functions.
bool NameResolver::conditions(Scope& scope, const FromList& list, const ast::Expr* where) {
  if (!list.conditions_fold) {
    if (where != nullptr && !expr(scope, *where)) return false;
    for (const auto& entry : list.entries) {
      if (context_.failed() && !entry.using_names.empty()) return false;
      if (entry.item->on && !expr(scope, *entry.item->on)) return false;
    }
    if (context_.failed()) return false;
  }
  for (const auto& entry : list.entries) {
    const auto* function = std::get_if<ast::TableFunction>(&entry.source->source);
    if (function == nullptr) continue;
    for (const auto& argument : function->arguments) {
      if (!root(scope, argument)) return false;
    }
  }
  return true;
}

// A view is resolved independently of the names around its use, with one exception: if "x" in it is not a column and so
// would be a string, SQLite prefers a column x of the enclosing query; likewise for TRUE and FALSE.
void NameResolver::adopt_view(QueryWork& query, Scope& outer) {
  for (auto* arm : query.arms) {
    arm->select->outer = outer.work->select;
    for (const auto& entry : arm->from.entries) {
      if (entry.relation == nullptr || entry.relation->query == nullptr) continue;
      QueryWork& inner = **context_.work_of.find(entry.relation->query);
      if (inner.is_view) adopt_view(inner, outer);
    }
  }
  for (const auto& fallback : query.fallbacks) {
    const auto string = *tables_.bindings.find(fallback.ref);
    Scope scope{.outer = &outer, .work = fallback.work};
    ColumnBinding& binding = tables_.bindings[fallback.ref];
    binding = {};
    const bool is_inner_trial = std::exchange(context_.is_trial, true);
    const bool binds = bind(scope, *fallback.ref, {});
    context_.is_trial = is_inner_trial;
    if (!binds) {
      context_.error.reset();
      tables_.bindings[fallback.ref] = string;
    }
  }
}

// Resolves a whole expression: a clause, or one of its parts. Sets `has_aggregate` if it has aggregates over the rows
// of the scope, and `has_window` if it has window functions.
bool NameResolver::root(Scope& scope, const ast::Expr& expr, bool* has_aggregate, bool* has_window) {
  const bool aggregate_before = std::exchange(scope.has_aggregate, false);
  const bool window_before = std::exchange(scope.has_window, false);
  const bool ok = this->expr(scope, expr) && !context_.failed();
  if (has_aggregate != nullptr) *has_aggregate = scope.has_aggregate;
  if (has_window != nullptr) *has_window = scope.has_window;
  scope.has_aggregate = scope.has_aggregate || aggregate_before;
  scope.has_window = scope.has_window || window_before;
  return ok;
}

}  // namespace trustsql::resolver
