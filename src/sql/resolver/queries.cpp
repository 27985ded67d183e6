// FromExpander: queries, their arms, and the subqueries in their expressions.

#include "base/text.hpp"
#include "sql/ast_walk.hpp"
#include "sql/folding.hpp"
#include "sql/resolver/from_expander.hpp"

namespace trustsql::resolver {

namespace {

constexpr std::size_t max_result_columns = 2000;  // SQLITE_MAX_COLUMN

}  // namespace

QueryWork* FromExpander::query(const ast::Query& query, const ResolvedSelect* outer) {
  const DepthGuard depth(context_, bytes_of_query_level);
  if (!depth.ok()) return nullptr;
  With* const outside = with_;
  push_with(query);
  QueryWork& work = make_query(query, outer);
  const bool ok = arms(work, 0);
  with_ = outside;
  return ok ? &work : nullptr;
}

void FromExpander::push_with(const ast::Query& query) {
  if (!query.with) return;
  With& with = with_clauses_.emplace_back();
  with.outer = with_;
  for (const auto& table : query.with->tables) with.tables.push_back({.definition = &table});
  with_ = &with;
}

QueryWork& FromExpander::make_query(const ast::Query& query, const ResolvedSelect* outer) {
  ResolvedQuery& resolved = tables_.queries.emplace_back();
  resolved.node = &query;
  tables_.query_of[&query] = &resolved;
  QueryWork& work = context_.queries.emplace_back();
  work.query = &resolved;
  context_.work_of[&resolved] = &work;

  for (const auto& arm : query.arms) {
    ResolvedSelect& select = tables_.selects.emplace_back();
    select.query = &resolved;
    select.outer = outer;
    resolved.arms.push_back(&select);
    const auto add = [&](ast::SetOp op) -> SelectWork& {
      SelectWork& added = context_.selects.emplace_back();
      added.select = &select;
      context_.select_work_of[&select] = &added;
      work.arms.push_back(&added);
      work.ops.push_back(op);
      return added;
    };
    if (const auto* node = arm.select()) {
      select.node = node;
      tables_.select_of[node] = &select;
      add(arm.op);
      continue;
    }
    const auto& values = std::get<ast::Values>(arm.body);
    select.values = &values;
    for (std::size_t i = 0; i < values.rows.size(); ++i) {
      SelectWork& row = add(i == 0 ? arm.op : ast::SetOp::union_all);
      row.is_values = true;
      for (const auto& expr : values.rows[i]) row.items.push_back({.expr = &expr});
    }
  }
  return work;
}

// From the last arm down to `begin`, in SQLite's order.
bool FromExpander::arms(QueryWork& work, std::size_t begin) {
  for (std::size_t i = work.arms.size(); i-- > begin;) {
    if (work.arms[i]->expanded) return true;
    if (!arm(work, i)) return false;
  }
  return true;
}

bool FromExpander::arm(QueryWork& query, std::size_t index) {
  SelectWork& work = *query.arms[index];
  work.expanded = true;
  if (const auto* select = work.is_values ? nullptr : work.select->node) {
    if (!work.flattened) flatten(work.from, select->from);
    work.flattened = true;
    if (!from(work.from, work) || !select_items(work)) return false;
    work.from.conditions_fold = conditions_fold(work.from, select->where.get());
  }
  return subqueries(query, index);
}

bool FromExpander::select_items(SelectWork& work) {
  for (const auto& item : work.select->node->items) {
    if (const auto* expr = item.expr()) {
      work.items.push_back({.expr = expr,
                            .alias = item.alias ? std::string_view(item.alias->text) : std::string_view(),
                            .has_alias = item.alias.has_value(),
                            .text = item.text});
    } else {
      star(work.from, std::get<ast::Star>(item.value), work);
    }
  }
  if (work.items.size() > max_result_columns)
    return context_.fail(Diagnosis::Kind::limit, "too many columns in result set");
  return true;
}

// The subqueries in the clauses of an arm, and for the last arm those in ORDER BY and LIMIT.
bool FromExpander::subqueries(const QueryWork& query, std::size_t index) {
  SelectWork& work = *query.arms[index];
  const auto in_all = [&](const auto& nodes) {
    for (const auto& node : nodes) {
      if (!subqueries_in(node, work)) return false;
    }
    return true;
  };
  const auto in_one = [&](const auto& box) { return !box || subqueries_in(*box, work); };
  const auto in_from = [&](const auto& self, const FromList& list) -> bool {
    for (const auto& entry : list.entries) {
      if (entry.group && !self(self, *entry.group)) return false;
      if (!list.conditions_fold && !in_one(entry.item->on)) return false;
      const auto* function = std::get_if<ast::TableFunction>(&entry.source->source);
      if (function != nullptr && !in_all(function->arguments)) return false;
    }
    return true;
  };
  for (const auto& item : work.items) {
    if (!subqueries_in(*item.expr, work)) return false;
  }
  if (const auto* select = work.is_values ? nullptr : work.select->node) {
    if ((!work.from.conditions_fold && !in_one(select->where)) || !in_from(in_from, work.from) ||
        !in_all(select->group_by) || !in_one(select->having) || !in_all(select->windows)) {
      return false;
    }
  }
  const auto& node = *query.query->node;
  return index + 1 < query.arms.size() || (in_all(node.order_by) && in_one(node.limit) && in_one(node.offset));
}

template <class Node>
bool FromExpander::subqueries_in(const Node& node, SelectWork& work) {
  bool ok = true;
  ast::walk(node, ast::Overloaded{[&](const ast::Query& subquery) {
                                    ok = ok && query(subquery, work.select) != nullptr;
                                    return false;
                                  },
                                  [&](const ast::Expr& expr) { return !is_dropped(expr, context_.options.version); },
                                  [&](const ast::In& in) { ok = ok && set_of(in, work); },
                                  // SQLite replaces a bound that is not constant by NULL.
                                  [](const ast::FrameBound&) { return false; }});
  return ok;
}

// Treats x IN t and x IN f(...) as x IN (SELECT * FROM ...).
bool FromExpander::set_of(const ast::In& in, SelectWork& work) {
  ast::FromItem item;
  if (const auto* name = std::get_if<ast::TableName>(&in.set)) {
    item.source = ast::Table{*name};
  } else if (const auto* function = std::get_if<ast::TableFunction>(&in.set)) {
    item.source = *function;
  } else {
    return true;
  }
  ast::Select select;
  select.items.push_back({ast::Star{}});
  select.from.push_back(std::move(item));
  ast::Query& tree = tables_.trees.emplace_back();
  tree.arms.push_back({ast::SetOp::union_all, std::move(select)});
  const QueryWork* set = query(tree, work.select);
  if (set == nullptr) return false;
  tables_.set_of[&in] = set->query;
  return true;
}

}  // namespace trustsql::resolver
