#include "sql/resolver/checker.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "sql/ast_walk.hpp"
#include "sql/folding.hpp"

namespace trustsql::resolver {

namespace {

constexpr std::size_t max_joined = 64;

const ast::Expr& under_alias(const ColumnBinding& binding) {
  return *binding.select->columns[static_cast<std::size_t>(binding.item)].expr;
}

// Whether rows of the query's arms are compared with each other.
bool is_merged(const ast::Query& query) {
  return std::any_of(query.arms.begin() + 1, query.arms.end(),
                     [](const ast::Arm& arm) { return arm.op != ast::SetOp::union_all; });
}

}  // namespace

bool Checker::misuse(std::string message, ast::Span span) {
  return context_.fail(Diagnosis::Kind::misuse, std::move(message), span);
}

bool Checker::query(const ResolvedQuery& query, bool for_exists) {
  if (checked_.find(&query) != nullptr) return true;
  checked_[&query] = true;
  if (!recursion(query)) return false;
  // For EXISTS only the existence of rows matters, so SQLite computes neither their columns nor their order.
  const bool merged = is_merged(*query.node);
  const bool rows_only = for_exists && (!merged || context_.options.version >= 3'054'000);
  for (const auto* arm : query.arms) {
    if (!select(*arm, rows_only)) return false;
  }
  for (const auto& term : query.order_by) {
    if (rows_only && query.arms.size() == 1) break;
    // Terms after a compound query refer to its columns, whether by number, by alias or otherwise.
    const bool is_own = query.arms.size() == 1 && !small_integer(skip_collate(*term.expr), context_.options.version);
    if ((is_own && !scalar(*term.expr)) || !collation(term.type.collation, term.expr->span)) return false;
  }
  for (const auto* arm : query.arms) {
    const bool is_distinct = arm->node != nullptr && arm->node->distinct && !rows_only;
    for (const auto& column : arm->columns) {
      if ((is_distinct || merged) && !collation(column.type.collation, column.expr->span)) return false;
    }
  }
  return (!query.node->limit || scalar(*query.node->limit)) && (!query.node->offset || scalar(*query.node->offset));
}

bool Checker::recursion(const ResolvedQuery& query) {
  if (query.first_recursive_arm < 0) return true;
  for (auto i = static_cast<std::size_t>(query.first_recursive_arm); i < query.arms.size(); ++i) {
    const ResolvedSelect& arm = *query.arms[i];
    if (!arm.windows.empty()) return misuse("cannot use window functions in recursive queries", arm.node->span);
    if (arm.is_aggregate) return misuse("recursive aggregate queries not supported", arm.node->span);
  }
  return true;
}

bool Checker::select(const ResolvedSelect& select, bool rows_only) {
  if (select.values != nullptr) {
    for (const auto& row : select.values->rows) {
      if (!scalars(row)) return false;
    }
    return true;
  }
  if (!from(select.from) || !joins(select, select.from) || !aggregates(select, rows_only) || !windows(select))
    return false;
  for (const auto& column : select.columns) {
    if (!rows_only && !scalar(*column.expr)) return false;
  }
  const auto computes = [&](const ast::Call* node) { return call(*node, {}); };
  if (rows_only && !std::all_of(select.aggregates.begin(), select.aggregates.end(), computes)) return false;
  if (rows_only && !std::all_of(select.windows.begin(), select.windows.end(), computes)) return false;
  const auto& node = *select.node;
  if (select.where != nullptr && !scalar(*select.where)) return false;
  for (const auto& term : select.group_by) {
    const bool is_number = small_integer(skip_collate(*term.expr), context_.options.version).has_value();
    if ((!is_number && !scalar(*term.expr)) || !collation(term.type.collation, term.expr->span)) return false;
  }
  return !node.having || scalar(*node.having);
}

bool Checker::from(const std::vector<ResolvedFromItem>& items) {
  if (items.size() > max_joined) return context_.fail(Diagnosis::Kind::limit, "at most 64 tables in a join");
  for (const auto& item : items) {
    if (!from(item.group)) return false;
    if (item.on != nullptr && !scalar(*item.on)) return false;
    if (item.relation == nullptr) continue;
    const Relation& relation = *item.relation;
    const bool is_own_step = relation.kind == Relation::Kind::recursive_table;
    if (relation.query != nullptr && !is_own_step && !query(*relation.query)) return false;
    const auto* function = std::get_if<ast::TableFunction>(&relation.item->source);
    if (function == nullptr) continue;
    const auto hidden = std::count_if(relation.columns.begin(), relation.columns.end(),
                                      [](const RelationColumn& c) { return c.hidden; });
    if (static_cast<std::ptrdiff_t>(function->arguments.size()) > hidden) {
      return context_.fail(Diagnosis::Kind::function_arguments,
                           "too many arguments on " + relation.table->name + "() - max " + std::to_string(hidden),
                           item.item->span);
    }
    if (!scalars(function->arguments)) return false;
  }
  return true;
}

// ON may refer to tables that are joined later only if all joins are inner joins.
bool Checker::joins(const ResolvedSelect& select, const std::vector<ResolvedFromItem>& items) {
  const auto is_outer = [](const ResolvedFromItem& item) { return item.join >= ast::JoinType::left; };
  const bool has_right = std::any_of(items.begin(), items.end(), [](const ResolvedFromItem& item) {
    return item.join == ast::JoinType::right || item.join == ast::JoinType::full;
  });
  const auto contains = [](const auto& self, const ResolvedFromItem& item, const Relation* relation) -> bool {
    if (item.relation == relation) return true;
    return std::any_of(item.group.begin(), item.group.end(),
                       [&](const ResolvedFromItem& inner) { return self(self, inner, relation); });
  };
  for (const auto& item : items) {
    if (!joins(select, item.group)) return false;
  }
  for (std::size_t i = 1; i < items.size(); ++i) {
    if (items[i].on == nullptr || !(is_outer(items[i]) || has_right)) continue;
    bool refers_right = false;
    const auto look = [&](const auto& self, const ast::Expr& expr) -> void {
      ast::walk(expr, [&](const ast::ColumnRef& ref) {
        const auto* binding = tables_.bindings.find(&ref);
        if (binding == nullptr || binding->select != &select) return;
        if (binding->kind == ColumnBinding::Kind::alias) return self(self, under_alias(*binding));
        const auto is_right = [&](ColumnId id) {
          return std::any_of(items.begin() + static_cast<std::ptrdiff_t>(i) + 1, items.end(),
                             [&](const ResolvedFromItem& item) { return contains(contains, item, id.relation); });
        };
        refers_right = refers_right || is_right(binding->column) ||
                       std::any_of(binding->more.begin(), binding->more.end(), is_right);
      });
    };
    look(look, *items[i].on);
    if (refers_right) return misuse("ON clause references tables to its right", items[i].on->span);
  }
  return true;
}

// Aggregates are computed for groups of rows, so they are not allowed where rows are filtered or joined, nor in a
// SELECT that does not aggregate.
bool Checker::aggregates(const ResolvedSelect& select, bool rows_only) {
  if (select.aggregates.empty()) return true;
  const auto in_from = [&](const auto& self, const std::vector<ResolvedFromItem>& items) -> bool {
    for (const auto& item : items) {
      if (item.on != nullptr && !no_aggregate(*item.on, select)) return false;
      if (!self(self, item.group)) return false;
      const auto* function =
          item.relation != nullptr ? std::get_if<ast::TableFunction>(&item.relation->item->source) : nullptr;
      if (function == nullptr) continue;
      for (const auto& argument : function->arguments) {
        if (!no_aggregate(argument, select)) return false;
      }
    }
    return true;
  };
  if ((select.where != nullptr && !no_aggregate(*select.where, select)) || !in_from(in_from, select.from)) return false;
  if (!select.is_aggregate) {
    // Only ORDER BY is left, which SQLite drops if there is one row or the order of the rows does not matter.
    if (rows_only || select.from.empty() || select.query->arms.size() > 1) return true;
    const auto& order_by = select.query->node->order_by;
    return std::all_of(order_by.begin(), order_by.end(),
                       [&](const ast::OrderTerm& term) { return no_aggregate(term.expr, select); });
  }
  for (const auto* call : select.aggregates) {
    for (const auto& argument : call->arguments) {
      if (!no_aggregate(argument, select)) return false;
    }
    if (context_.options.version < 3'045'000 && tables_.calls.find(call)->depth > 0 && !is_in_reach(*call, select))
      return misuse("misuse of aggregate: " + call->name.text + "()");
  }
  return std::all_of(select.group_by.begin(), select.group_by.end(), [&](const ResolvedTerm& term) {
    return no_aggregate(term.column < 0 ? *term.expr : *select.columns[static_cast<std::size_t>(term.column)].expr,
                        select);
  });
}

// SQLite searches subqueries for the aggregates of a SELECT as well, but before 3.45 not their FROM clauses.
bool Checker::is_in_reach(const ast::Call& call, const ResolvedSelect& select) const {
  bool is_in_definition = false;
  const auto look = [&](const auto& node) {
    ast::walk(node, [&](const ast::DerivedTable& table) {
      ast::walk(*table.query, [&](const ast::Call& inner) { is_in_definition = is_in_definition || &inner == &call; });
      return false;
    });
  };
  for (const auto& column : select.columns) look(*column.expr);
  if (select.node != nullptr && select.node->having) look(*select.node->having);
  for (const auto& term : select.query->node->order_by) look(term.expr);
  return !is_in_definition;
}

// Window functions make SQLite split the SELECT in two, an inner one for groups and an outer one for windows. The terms
// of GROUP BY move to the inner one, and so do the aggregates, except those in subqueries.
bool Checker::windows(const ResolvedSelect& select) {
  if (select.windows.empty()) return true;
  for (const auto& term : select.group_by) {
    if (term.column < 0) continue;
    const auto* window = first_window(*select.columns[static_cast<std::size_t>(term.column)].expr, select);
    if (window != nullptr) return misuse("misuse of window function " + window->name.text + "()", term.expr->span);
  }
  bool ok = true;
  const auto in_subquery =
      ast::Overloaded{[&](const ast::Expr& node) { return !is_dropped(node, context_.options.version); },
                      [&](const ast::Exists& exists) {
                        ok = ok && no_aggregate(exists, select);
                        return false;
                      },
                      [&](const ast::Query& query) {
                        ok = ok && no_aggregate(query, select);
                        return false;
                      }};
  if (select.aggregates.empty()) return true;
  for (const auto& column : select.columns) ast::walk(*column.expr, in_subquery);
  for (const auto& term : select.query->node->order_by) ast::walk(term.expr, in_subquery);
  return ok;
}

const ast::Call* Checker::first_window(const ast::Expr& expr, const ResolvedSelect& select) const {
  const ast::Call* window_call = nullptr;
  ast::walk(expr, ast::Overloaded{[&](const ast::Expr& node) { return !is_dropped(node, context_.options.version); },
                                  [](const ast::Query&) { return false; },
                                  [&](const ast::Call& call) {
                                    const auto* binding = tables_.calls.find(&call);
                                    const bool is_window = binding != nullptr &&
                                                           binding->kind == CallBinding::Kind::window &&
                                                           binding->select == &select;
                                    if (window_call == nullptr && is_window) window_call = &call;
                                  }});
  return window_call;
}

template <ast::Node T>
bool Checker::no_aggregate(const T& part, const ResolvedSelect& select) {
  bool ok = true;
  ast::walk(part, ast::Overloaded{[&](const ast::Expr& node) {
                                    if (const auto* node_call = node.as<ast::Call>()) {
                                      const auto* binding = tables_.calls.find(node_call);
                                      if (ok && binding != nullptr && binding->kind == CallBinding::Kind::aggregate &&
                                          binding->select == &select) {
                                        ok = misuse("misuse of aggregate: " + node_call->name.text + "()", node.span);
                                      }
                                    }
                                    const auto* binding = tables_.binding(node);
                                    if (ok && binding != nullptr && binding->kind == ColumnBinding::Kind::alias &&
                                        binding->select == &select) {
                                      ok = no_aggregate(under_alias(*binding), select);
                                    }
                                  },
                                  [&](const ast::Exists& exists) {
                                    if (is_merged(*exists.query)) return true;
                                    // Its result columns are not computed.
                                    for (const auto& arm : exists.query->arms) {
                                      if (arm.select() == nullptr) continue;
                                      const ResolvedSelect& resolved = **tables_.select_of.find(arm.select());
                                      for (const auto& term : resolved.group_by) {
                                        if (term.column < 0) continue;
                                        ok = ok &&
                                             no_aggregate(*resolved.columns[static_cast<std::size_t>(term.column)].expr,
                                                          select);
                                      }
                                      ast::for_each_child(*arm.select(), [&](const auto& child) {
                                        if constexpr (!std::is_same_v<std::decay_t<decltype(child)>, ast::SelectItem>) {
                                          ok = ok && no_aggregate(child, select);
                                        }
                                      });
                                    }
                                    return false;
                                  }});
  return ok;
}

}  // namespace trustsql::resolver
