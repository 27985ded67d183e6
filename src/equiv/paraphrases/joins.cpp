// Paraphrases of the FROM clause: the order and the form of joins, and subqueries in the place of tables.

#include <algorithm>

#include "base/text.hpp"
#include "equiv/paraphrases/kinds.hpp"
#include "equiv/rewriting/tree_edit.hpp"

namespace trustsql::equiv::paraphrases {

using namespace ast;
using namespace rewriting;

namespace {

// All ON conditions of a flat join, with qualified names.
std::vector<Expr> join_conditions(const QueryRewriter& rewriter, const Select& select) {
  std::vector<Expr> conditions;
  for (const auto& joined : select.from) {
    for (auto& condition : rewriter.qualified_conjuncts(joined.on)) conditions.push_back(std::move(condition));
  }
  return conditions;
}

// The names of the relations whose columns a qualified condition uses.
std::set<std::string> qualifiers_in(const Expr& condition) {
  std::set<std::string> names;
  ast::walk(condition, [&](const ColumnRef& reference) {
    if (reference.table) names.insert(to_lower_ascii(reference.table->text));
  });
  return names;
}

// The items of a flat join in another order, each condition at the first item that completes it.
std::vector<FromItem> in_order(const Select& select, const ResolvedSelect& resolved, std::vector<Expr> conditions,
                               const std::vector<std::size_t>& order) {
  std::set<std::string> own;
  for (const auto& joined : resolved.from) own.insert(to_lower_ascii(joined.relation->name));
  std::set<std::string> present;
  std::vector<FromItem> items;
  for (const std::size_t position : order) {
    FromItem joined = select.from[position];
    joined.on = {};
    if (joined.join != JoinType::comma) joined.join = JoinType::inner;
    present.insert(to_lower_ascii(resolved.from[position].relation->name));
    std::vector<Expr> complete;
    std::erase_if(conditions, [&](const Expr& condition) {
      const auto names = qualifiers_in(condition);
      const bool ready = !items.empty() && std::ranges::all_of(names, [&](const std::string& name) {
        return present.contains(name) || !own.contains(name);
      });
      if (ready) complete.push_back(condition);
      return ready;
    });
    joined.on = chain_of(std::move(complete));
    if (joined.on) joined.join = JoinType::inner;
    items.push_back(std::move(joined));
  }
  // A condition on the first item alone.
  if (!conditions.empty() && items.size() > 1) {
    items[1].on = both(chain_of(std::move(conditions)), items[1].on);
    items[1].join = JoinType::inner;
  }
  // A comma may not follow a join's condition without changing what the condition can see; JOIN may.
  const bool any_join = std::ranges::any_of(items, [](const FromItem& joined) { return bool(joined.on); });
  if (any_join) {
    for (auto& joined : items) joined.join = JoinType::inner;
  }
  return items;
}

// Whether the item is a table without a join of its own.
bool is_table(const FromItem& joined) { return std::holds_alternative<ast::Table>(joined.source); }

// The columns of `relation` that the query uses, in the order of the table.
std::vector<std::string_view> used_columns(const QueryRewriter& rewriter, const Query& query,
                                           const Relation* relation) {
  std::set<int> used;
  ast::walk(query, [&](const ColumnRef& reference) {
    const auto id = rewriter.column_of(reference);
    if (id.relation == relation && id.column >= 0) used.insert(id.column);
  });
  std::vector<std::string_view> names;
  for (const int position : used) names.push_back(relation->columns[static_cast<std::size_t>(position)].name);
  return names;
}

bool has_star(const Select& select) {
  return std::ranges::any_of(select.items, [](const SelectItem& item) { return item.expr() == nullptr; });
}

// SELECT columns FROM the item's table WHERE conditions; all columns if none are given.
Query selection(const FromItem& joined, const std::vector<std::string_view>& columns, std::vector<Expr> conditions) {
  Select select;
  for (const auto name : columns) select.items.push_back(item(column({}, name)));
  if (columns.empty()) select.items.push_back(SelectItem{Star{}});
  select.from.push_back(joined);
  select.from.front().on = {};
  select.from.front().join = JoinType::comma;
  select.where = chain_of(std::move(conditions));
  return query_of(std::move(select));
}

// The SELECT with relation `position` replaced by a subquery that holds the conjuncts of WHERE about it alone. The
// subquery stands in FROM, or with `with_clause` in a common table, which is then set.
Select with_selection(const QueryRewriter& rewriter, const Query& query, const Select& select,
                      const ResolvedSelect& resolved, std::size_t position, bool all_columns,
                      std::optional<CommonTable>* with_clause) {
  const auto* relation = resolved.from[position].relation;
  Select changed = rewriter.qualified(select);
  std::vector<Expr> inner;
  std::vector<Expr> outer;
  const auto original = conjuncts_of(select.where);
  auto conjuncts = rewriter.qualified_conjuncts(select.where);
  for (auto& conjunct : conjuncts) {
    const auto names = qualifiers_in(conjunct);
    const bool own = names.size() == 1 && equals_ignore_case(*names.begin(), relation->name);
    (own ? inner : outer).push_back(std::move(conjunct));
  }
  // Behind an outer join a condition may not move before the join.
  const bool movable = is_flat_join(select, resolved, 1);
  auto& joined = changed.from[position];
  auto columns =
      all_columns || has_star(select) ? std::vector<std::string_view>() : used_columns(rewriter, query, relation);
  if (movable) changed.where = chain_of(std::move(outer));
  Query inside = selection(select.from[position], columns, movable ? std::move(inner) : std::vector<Expr>());
  const std::string name(relation->name);
  if (with_clause == nullptr) {
    joined.source = DerivedTable{Box<Query>(std::move(inside))};
  } else {
    CommonTable definition;
    definition.name = unquoted(rewriter.fresh_name("selected_" + name));
    definition.query = Box<Query>(std::move(inside));
    joined.source = ast::Table{TableName{{}, definition.name}};
    *with_clause = std::move(definition);
  }
  joined.alias = unquoted(name);
  return changed;
}

}  // namespace

void join_order(QueryRewriter& rewriter) {
  rewriter.each_select([&](Select& select, const ResolvedSelect& resolved) {
    if (!is_flat_join(select, resolved, 2) || select.from.size() > 8) return;
    const std::size_t size = select.from.size();
    std::vector<std::size_t> forward(size);
    for (std::size_t i = 0; i < size; ++i) forward[i] = i;
    std::vector<std::vector<std::size_t>> orders;
    orders.emplace_back(forward.rbegin(), forward.rend());
    for (std::size_t i = 0; i + 1 < size; ++i) {
      auto order = forward;
      std::swap(order[i], order[i + 1]);
      if (order != orders.front()) orders.push_back(std::move(order));
    }
    const auto conditions = join_conditions(rewriter, select);
    for (const auto& order : orders) rewriter.with(select.from, in_order(select, resolved, conditions, order));
  });
}

void comma_join(QueryRewriter& rewriter) {
  rewriter.each_select([&](Select& select, const ResolvedSelect& resolved) {
    if (!is_flat_join(select, resolved, 2)) return;
    const bool has_conditions = std::ranges::any_of(select.from, [](const FromItem& i) { return bool(i.on); });
    Select changed = select;
    if (has_conditions) {
      // JOIN ... ON c as a comma and WHERE c.
      for (auto& joined : changed.from) {
        joined.join = JoinType::comma;
        joined.on = {};
      }
      changed.where = both(chain_of(join_conditions(rewriter, select)), select.where);
    } else {
      // The equalities of columns of two relations in WHERE as ON.
      std::vector<Expr> linking;
      std::vector<Expr> rest;
      for (auto& conjunct : rewriter.qualified_conjuncts(select.where)) {
        const auto* equality = conjunct.as<Binary>();
        const bool links = equality != nullptr && equality->op == BinaryOp::equal && equality->left->is<ColumnRef>() &&
                           equality->right->is<ColumnRef>() && qualifiers_in(conjunct).size() == 2;
        (links ? linking : rest).push_back(std::move(conjunct));
      }
      if (linking.empty()) return;
      std::vector<std::size_t> forward(select.from.size());
      for (std::size_t i = 0; i < forward.size(); ++i) forward[i] = i;
      changed.from = in_order(select, resolved, std::move(linking), forward);
      changed.where = chain_of(std::move(rest));
    }
    rewriter.with(select, std::move(changed));
  });
}

void join_using(QueryRewriter& rewriter) {
  rewriter.each_select([&](Select& select, const ResolvedSelect& resolved) {
    if (select.from.size() != resolved.from.size()) return;
    for (std::size_t i = 1; i < select.from.size(); ++i) {
      auto& joined = select.from[i];
      if (joined.on) {
        const auto* equality = joined.on->as<Binary>();
        if (equality == nullptr || equality->op != BinaryOp::equal) continue;
        const auto left = rewriter.column_of(*equality->left);
        const auto right = rewriter.column_of(*equality->right);
        if (left.relation == nullptr || right.relation == nullptr) continue;
        const auto name = QueryRewriter::column_name(left);
        if (!equals_ignore_case(name, QueryRewriter::column_name(right))) continue;
        Select changed = rewriter.qualified(select);
        changed.from[i].on = {};
        changed.from[i].using_columns = {unquoted(name)};
        rewriter.with(select, std::move(changed));
      } else if (!resolved.from[i].using_columns.empty()) {
        Select changed = rewriter.qualified(select);
        std::vector<Expr> equalities;
        for (const auto& used : resolved.from[i].using_columns)
          equalities.push_back(
              binary(BinaryOp::equal, rewriter.qualified(*used.left), rewriter.qualified(*used.right)));
        changed.from[i].using_columns.clear();
        changed.from[i].natural = false;
        changed.from[i].on = chain_of(std::move(equalities));
        rewriter.with(select, std::move(changed));
      }
    }
  });
}

void outer_join(QueryRewriter& rewriter) {
  rewriter.each_select([&](Select& select, const ResolvedSelect& resolved) {
    if (!is_flat_join(select, resolved, 2)) return;
    auto& last = select.from.back();
    if (!last.on || last.join != JoinType::inner) return;
    // The matching column of the last table is NULL where it has no match.
    const auto* equality = last.on->as<Binary>();
    if (equality == nullptr || equality->op != BinaryOp::equal) return;
    for (const auto* side : {equality->left.get(), equality->right.get()}) {
      const auto id = rewriter.column_of(*side);
      if (id.relation == nullptr || id.relation != resolved.from.back().relation) continue;
      Select changed = rewriter.qualified(select);
      changed.from.back().join = JoinType::left;
      const Box<Expr> matched(Expr(IsNull{Box<Expr>(column(id.relation->name, QueryRewriter::column_name(id))), true}));
      changed.where = both(changed.where, matched);
      rewriter.with(select, std::move(changed));
    }
  });
}

void derived_table(QueryRewriter& rewriter) {
  rewriter.each_select([&](Select& select, const ResolvedSelect& resolved) {
    if (select.from.size() != resolved.from.size()) return;
    for (std::size_t i = 0; i < select.from.size() && !rewriter.done(); ++i) {
      if (resolved.from[i].relation == nullptr || !is_table(select.from[i])) continue;
      for (const bool all_columns : {false, true})
        rewriter.with(select, with_selection(rewriter, rewriter.query(), select, resolved, i, all_columns, nullptr));
    }
  });
}

void common_table(QueryRewriter& rewriter) {
  if (rewriter.query().with) return;
  rewriter.each_select([&](Select& select, const ResolvedSelect& resolved) {
    if (select.from.size() != resolved.from.size()) return;
    for (std::size_t i = 0; i < select.from.size() && !rewriter.done(); ++i) {
      if (resolved.from[i].relation == nullptr || !is_table(select.from[i])) continue;
      std::optional<CommonTable> definition;
      Select changed = with_selection(rewriter, rewriter.query(), select, resolved, i, false, &definition);
      std::swap(select, changed);
      With with;
      with.tables.push_back(*std::move(definition));
      rewriter.with(rewriter.query().with, std::optional(std::move(with)));
      std::swap(select, changed);
    }
  });
}

}  // namespace trustsql::equiv::paraphrases
