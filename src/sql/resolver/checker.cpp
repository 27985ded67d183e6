#include "sql/resolver/checker.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "sql/ast_walk.hpp"

namespace trustsql::resolver {

namespace {

constexpr std::size_t max_joined = 64;

const ast::Expr& under_alias(const ColumnBinding& binding) { return *binding.select->columns[static_cast<std::size_t>(binding.item)].expr; }

}  // namespace

bool Checker::misuse(std::string message, ast::Span span) { return context_.fail(Diagnosis::Kind::misuse, std::move(message), span); }

bool Checker::query(const ResolvedQuery& query) {
  if (checked_.find(&query) != nullptr) return true;
  checked_[&query] = true;
  if (!recursion(query)) return false;
  for (const auto* arm : query.arms) {
    if (!select(*arm)) return false;
  }
  for (const auto& term : query.order_by) {
    // Terms behind a compound query stand for its columns, those that are numbers or aliases too.
    const bool is_own = query.arms.size() == 1 && !small_integer(skip_collate(*term.expr));
    if ((is_own && !scalar(*term.expr)) || !collation(term.type.collation, term.expr->span)) return false;
  }
  const bool is_merged =
      std::any_of(query.node->arms.begin() + 1, query.node->arms.end(), [](const ast::Arm& arm) { return arm.op != ast::SetOp::union_all; });
  for (const auto* arm : query.arms) {
    const bool is_distinct = arm->node != nullptr && arm->node->distinct;
    for (const auto& column : arm->columns) {
      if ((is_distinct || is_merged) && !collation(column.type.collation, column.expr->span)) return false;
    }
  }
  return (!query.node->limit || scalar(*query.node->limit)) && (!query.node->offset || scalar(*query.node->offset));
}

bool Checker::recursion(const ResolvedQuery& query) {
  if (query.first_recursive_arm < 0) return true;
  for (std::size_t i = static_cast<std::size_t>(query.first_recursive_arm); i < query.arms.size(); ++i) {
    const ResolvedSelect& arm = *query.arms[i];
    if (!arm.windows.empty()) return misuse("cannot use window functions in recursive queries", arm.node->span);
    if (arm.is_aggregate) return misuse("recursive aggregate queries not supported", arm.node->span);
  }
  return true;
}

bool Checker::select(const ResolvedSelect& select) {
  if (select.values != nullptr) {
    for (const auto& row : select.values->rows) {
      if (!scalars(row)) return false;
    }
    return true;
  }
  if (!from(select.from) || !joins(select) || !aggregates(select)) return false;
  for (const auto& column : select.columns) {
    if (!scalar(*column.expr)) return false;
  }
  const auto& node = *select.node;
  if (node.where && !scalar(*node.where)) return false;
  for (const auto& term : select.group_by) {
    const bool is_number = small_integer(skip_collate(*term.expr)).has_value();
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
    const auto hidden = std::count_if(relation.columns.begin(), relation.columns.end(), [](const RelationColumn& c) { return c.hidden; });
    if (static_cast<std::ptrdiff_t>(function->arguments.size()) > hidden) {
      return context_.fail(Diagnosis::Kind::function_arguments,
                           "too many arguments on " + relation.table->name + "() - max " + std::to_string(hidden), item.item->span);
    }
    if (!scalars(function->arguments)) return false;
  }
  return true;
}

// ON may refer to what is joined later only where all joins are inner ones.
bool Checker::joins(const ResolvedSelect& select) {
  const auto& items = select.from;
  const auto is_outer = [](const ResolvedFromItem& item) { return item.join >= ast::JoinType::left; };
  const bool has_right = std::any_of(
      items.begin(), items.end(), [](const ResolvedFromItem& item) { return item.join == ast::JoinType::right || item.join == ast::JoinType::full; });
  const auto holds = [](const auto& self, const ResolvedFromItem& item, const Relation* relation) -> bool {
    if (item.relation == relation) return true;
    return std::any_of(item.group.begin(), item.group.end(), [&](const ResolvedFromItem& inner) { return self(self, inner, relation); });
  };
  for (std::size_t i = 1; i < items.size(); ++i) {
    if (items[i].on == nullptr || !(is_outer(items[i]) || has_right)) continue;
    bool refers_right = false;
    const auto look = [&](const auto& self, const ast::Expr& expr) -> void {
      ast::walk(expr, [&](const ast::ColumnRef& ref) {
        const auto* binding = tables_.bindings.find(&ref);
        if (binding == nullptr || binding->select != &select) return;
        if (binding->kind == ColumnBinding::Kind::alias) return self(self, under_alias(*binding));
        for (std::size_t j = i + 1; j < items.size(); ++j) {
          if (holds(holds, items[j], binding->column.relation)) refers_right = true;
        }
      });
    };
    look(look, *items[i].on);
    if (refers_right) return misuse("ON clause references tables to its right", items[i].on->span);
  }
  return true;
}

// Aggregates are computed for groups of rows: not where rows are chosen, and not in a SELECT that is no aggregate.
bool Checker::aggregates(const ResolvedSelect& select) {
  if (select.aggregates.empty()) return true;
  if (!select.is_aggregate) return misuse("misuse of aggregate: " + select.aggregates.front()->name.text + "()");
  const auto in_from = [&](const auto& self, const std::vector<ResolvedFromItem>& items) -> bool {
    for (const auto& item : items) {
      if (item.on != nullptr && !no_aggregate(*item.on, select)) return false;
      if (!self(self, item.group)) return false;
      const auto* function = item.relation != nullptr ? std::get_if<ast::TableFunction>(&item.relation->item->source) : nullptr;
      if (function == nullptr) continue;
      for (const auto& argument : function->arguments) {
        if (!no_aggregate(argument, select)) return false;
      }
    }
    return true;
  };
  if (select.node == nullptr) return true;
  if ((select.node->where && !no_aggregate(*select.node->where, select)) || !in_from(in_from, select.from)) return false;
  for (const auto* call : select.aggregates) {
    for (const auto& argument : call->arguments) {
      if (!no_aggregate(argument, select)) return false;
    }
  }
  return std::all_of(select.group_by.begin(), select.group_by.end(), [&](const ResolvedTerm& term) { return no_aggregate(*term.expr, select); });
}

bool Checker::no_aggregate(const ast::Expr& expr, const ResolvedSelect& select) {
  bool ok = true;
  ast::walk(expr, ast::Overloaded{[&](const ast::Expr& node) {
              if (const auto* node_call = node.as<ast::Call>()) {
                const auto* binding = tables_.calls.find(node_call);
                if (ok && binding != nullptr && binding->kind == CallBinding::Kind::aggregate && binding->select == &select) {
                  ok = misuse("misuse of aggregate: " + node_call->name.text + "()", node.span);
                }
              }
              const auto* binding = tables_.binding(node);
              if (ok && binding != nullptr && binding->kind == ColumnBinding::Kind::alias && binding->select == &select) {
                ok = no_aggregate(under_alias(*binding), select);
              }
            }});
  return ok;
}

}  // namespace trustsql::resolver
