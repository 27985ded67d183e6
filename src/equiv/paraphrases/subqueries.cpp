// Paraphrases of subqueries in conditions: IN, EXISTS, joins, and the row with the largest or smallest value.

#include <algorithm>

#include "base/text.hpp"
#include "equiv/paraphrases/kinds.hpp"
#include "equiv/rewriting/tree_edit.hpp"

namespace trustsql::equiv::paraphrases {

using namespace ast;
using namespace rewriting;

namespace {

// The SELECT of a subquery that is a plain list of one column's values: no grouping, order, limit or common tables.
const Select* plain_list(const QueryRewriter& rewriter, const Query& query) {
  const auto* select = query.single_select();
  if (select == nullptr || query.with || !query.order_by.empty() || query.limit) return nullptr;
  const auto* resolved = rewriter.find_select(*select);
  if (resolved == nullptr || !is_row_wise(*select, *resolved) || select->from.empty()) return nullptr;
  if (select->items.size() != 1 || select->items[0].expr() == nullptr) return nullptr;
  return select;
}

// x IN (SELECT ...) with a plain list.
struct Membership {
  const Expr* operand = nullptr;
  const Select* list = nullptr;
  bool negated = false;
};
std::optional<Membership> membership_of(const QueryRewriter& rewriter, const Expr& expr) {
  const auto* node = expr.as<In>();
  const auto* query = node == nullptr ? nullptr : std::get_if<Box<Query>>(&node->set);
  const auto* list = query == nullptr ? nullptr : plain_list(rewriter, **query);
  if (list == nullptr) return std::nullopt;
  return Membership{node->operand.get(), list, node->negated};
}

// The FROM clause of a subquery with its names kept apart from those of the rest of the query.
struct Renamed {
  RelationNames names;
  std::vector<FromItem> from;
};
Renamed renamed_from(const QueryRewriter& rewriter, const Select& select, const ResolvedSelect& resolved,
                     const std::set<std::string>& taken) {
  Renamed result;
  for (const auto& joined : resolved.from) {
    const auto* relation = joined.relation;
    if (relation == nullptr || !taken.contains(to_lower_ascii(relation->name))) continue;
    result.names[relation] = rewriter.fresh_name(std::string(relation->name) + "_2");
  }
  result.from = rewriter.qualified(select.from, result.names);
  for (std::size_t i = 0; i < result.from.size() && i < resolved.from.size(); ++i) {
    const auto found = result.names.find(resolved.from[i].relation);
    if (found != result.names.end()) result.from[i].alias = unquoted(found->second);
  }
  return result;
}

std::set<std::string> names_in_from(const ResolvedSelect& resolved) {
  std::set<std::string> names;
  for (const auto& joined : resolved.from) {
    if (joined.relation != nullptr) names.insert(to_lower_ascii(joined.relation->name));
  }
  return names;
}

// Calls visit(select, resolved, qualified conjuncts, position, membership) for each conjunct of WHERE that is one.
template <class Visit>
void each_membership(QueryRewriter& rewriter, Visit visit) {
  rewriter.each_select([&](Select& select, const ResolvedSelect& resolved) {
    if (!select.where) return;
    const auto conjuncts = conjuncts_in(select.where);
    for (std::size_t i = 0; i < conjuncts.size() && !rewriter.done(); ++i) {
      const auto membership = membership_of(rewriter, *conjuncts[i]);
      if (!membership) continue;
      std::vector<Expr> others;
      for (std::size_t k = 0; k < conjuncts.size(); ++k) {
        if (k != i) others.push_back(rewriter.qualified(*conjuncts[k]));
      }
      visit(select, resolved, std::move(others), *membership);
    }
  });
}

// EXISTS (SELECT 1 FROM ... WHERE own conditions AND column = operand), with names kept apart.
Expr exists_for(const QueryRewriter& rewriter, const Membership& membership, const std::set<std::string>& taken) {
  const auto& list = *membership.list;
  const auto* resolved = rewriter.find_select(list);
  auto renamed = renamed_from(rewriter, list, *resolved, taken);
  Select select;
  select.items.push_back(item(integer(1)));
  select.from = std::move(renamed.from);
  const Box<Expr> same(binary(BinaryOp::equal, rewriter.qualified(*list.items[0].expr(), renamed.names),
                              rewriter.qualified(*membership.operand)));
  select.where = both(list.where ? Box<Expr>(rewriter.qualified(*list.where, renamed.names)) : Box<Expr>(), same);
  Expr exists(Exists{Box<Query>(query_of(std::move(select)))});
  return membership.negated ? Expr(Unary{UnaryOp::logical_not, Box<Expr>(std::move(exists))}) : exists;
}

// Finds the equality of a column of `inner` with something from outside among the conjuncts of an EXISTS.
struct Link {
  Expr inside;
  Expr outside;
  std::vector<Expr> rest;
};
std::optional<Link> link_of(const QueryRewriter& rewriter, const Select& select, const ResolvedSelect& resolved) {
  if (!select.where) return std::nullopt;
  const auto is_inside = [&](const Expr& expr) {
    const auto relations = rewriter.relations_in(expr);
    return !relations.empty() &&
           std::ranges::all_of(relations, [&](const Relation* relation) { return relation->select == &resolved; });
  };
  const auto is_outside = [&](const Expr& expr) {
    const auto relations = rewriter.relations_in(expr);
    return !relations.empty() &&
           std::ranges::none_of(relations, [&](const Relation* relation) { return relation->select == &resolved; });
  };
  std::optional<Link> link;
  std::vector<Expr> rest;
  for (const auto* conjunct : conjuncts_in(select.where)) {
    const auto* node = link ? nullptr : conjunct->as<Binary>();
    if (node != nullptr && node->op == BinaryOp::equal && is_inside(*node->left) && is_outside(*node->right)) {
      link = Link{rewriter.qualified(*node->left), rewriter.qualified(*node->right), {}};
    } else if (node != nullptr && node->op == BinaryOp::equal && is_inside(*node->right) && is_outside(*node->left)) {
      link = Link{rewriter.qualified(*node->right), rewriter.qualified(*node->left), {}};
    } else {
      rest.push_back(rewriter.qualified(*conjunct));
    }
  }
  if (link) link->rest = std::move(rest);
  return link;
}

// The conditions of a join, sorted by how they use one of its tables, which becomes the list of an IN.
struct TableAsList {
  Expr operand;              // of IN: what the table is joined with
  Expr element;              // of the list: its own column
  std::vector<Expr> own;     // about that table alone
  std::vector<Expr> others;  // not about it
};
// `conditions` have qualified names. nullopt unless exactly one equality of columns links the table to the others.
std::optional<TableAsList> table_as_list(const std::vector<Expr>& conditions, std::string_view table) {
  // Whether some, and whether all columns are the table's.
  const auto use = [&](const Expr& expr) {
    bool some = false;
    bool all = true;
    ast::walk(expr, [&](const ColumnRef& node) {
      const bool own = node.table && equals_ignore_case(node.table->text, table);
      some = some || own;
      all = all && own;
    });
    return std::pair(some, all);
  };
  std::optional<TableAsList> sorted;
  std::vector<Expr> own;
  std::vector<Expr> others;
  for (const auto& condition : conditions) {
    const auto [some, all] = use(condition);
    if (!some || all) {
      (some ? own : others).push_back(condition);
      continue;
    }
    const auto* equality = condition.as<Binary>();
    const bool links = equality != nullptr && equality->op == BinaryOp::equal && equality->left->is<ColumnRef>() &&
                       equality->right->is<ColumnRef>();
    if (!links || sorted) return std::nullopt;
    const bool left = use(*equality->left).first;
    sorted = TableAsList{left ? *equality->right : *equality->left, left ? *equality->left : *equality->right, {}, {}};
  }
  if (!sorted) return std::nullopt;
  sorted->own = std::move(own);
  sorted->others = std::move(others);
  return sorted;
}

// The items of a join without one of them, and without conditions.
std::vector<FromItem> without_item(std::vector<FromItem> items, std::size_t position) {
  items.erase(items.begin() + static_cast<std::ptrdiff_t>(position));
  for (auto& joined : items) joined.on = {};
  return items;
}

// Takes the equalities of two columns from a list.
std::vector<Expr> take_equalities(std::vector<Expr>& conditions) {
  std::vector<Expr> taken;
  std::erase_if(conditions, [&](const Expr& condition) {
    const auto* equality = condition.as<Binary>();
    const bool fits = equality != nullptr && equality->op == BinaryOp::equal && equality->left->is<ColumnRef>() &&
                      equality->right->is<ColumnRef>();
    if (fits) taken.push_back(condition);
    return fits;
  });
  return taken;
}

}  // namespace

void join_to_in(QueryRewriter& rewriter) {
  rewriter.each_select([&](Select& select, const ResolvedSelect& resolved) {
    if (!is_flat_join(select, resolved, 2)) return;
    std::vector<Expr> conditions;
    for (const auto& joined : select.from) {
      for (auto& condition : rewriter.qualified_conjuncts(joined.on)) conditions.push_back(std::move(condition));
    }
    for (auto& condition : rewriter.qualified_conjuncts(select.where)) conditions.push_back(std::move(condition));
    for (std::size_t i = 0; i < select.from.size() && !rewriter.done(); ++i) {
      const auto* relation = resolved.from[i].relation;
      if (!rewriter.only_conditions_use(select, relation)) continue;
      auto sorted = table_as_list(conditions, relation->name);
      if (!sorted) continue;
      Select list;
      list.items = {item(std::move(sorted->element))};
      list.from = {select.from[i]};
      list.from.front().on = {};
      list.from.front().join = JoinType::comma;
      list.where = chain_of(std::move(sorted->own));
      Select changed = rewriter.qualified(select);
      changed.from = without_item(std::move(changed.from), i);
      // The joins of the other tables stand behind the last of them.
      if (changed.from.size() > 1) {
        changed.from.back().on = chain_of(take_equalities(sorted->others));
        if (changed.from.back().on) changed.from.back().join = JoinType::inner;
      }
      sorted->others.push_back(
          Expr(In{Box<Expr>(std::move(sorted->operand)), false, Box<Query>(query_of(std::move(list)))}));
      changed.where = chain_of(std::move(sorted->others));
      rewriter.with(select, std::move(changed));
    }
  });
}

void in_to_join(QueryRewriter& rewriter) {
  each_membership(rewriter, [&](Select& select, const ResolvedSelect& resolved, std::vector<Expr> others,
                                const Membership& membership) {
    if (membership.negated || select.from.empty()) return;
    const auto& list = *membership.list;
    const auto* inner = rewriter.find_select(list);
    if (!is_flat_join(list, *inner, 1)) return;
    auto renamed = renamed_from(rewriter, list, *inner, names_in_from(resolved));
    Select changed = rewriter.qualified(select);
    for (auto& joined : renamed.from) {
      if (joined.join == JoinType::comma) joined.join = JoinType::inner;
      changed.from.push_back(std::move(joined));
    }
    const std::size_t first = select.from.size();
    changed.from[first].join = JoinType::inner;
    changed.from.back().on =
        both(changed.from.back().on, Box<Expr>(binary(BinaryOp::equal, rewriter.qualified(*membership.operand),
                                                      rewriter.qualified(*list.items[0].expr(), renamed.names))));
    if (list.where) others.push_back(rewriter.qualified(*list.where, renamed.names));
    changed.where = chain_of(std::move(others));
    rewriter.with(select, changed);
    if (!select.distinct && is_row_wise(select, resolved)) {
      changed.distinct = true;
      rewriter.with(select, std::move(changed));
    }
  });
}

void in_to_exists(QueryRewriter& rewriter) {
  rewriter.each_select([&](Select& select, const ResolvedSelect& resolved) {
    if (!select.where) return;
    const auto taken = names_in_from(resolved);
    // The operand gets its relation's name, which the subquery may not hide.
    ast::walk(*select.where, Overloaded{[&](Expr& expr) {
                                          const auto membership = membership_of(rewriter, expr);
                                          if (membership) rewriter.with(expr, exists_for(rewriter, *membership, taken));
                                          return !rewriter.done();
                                        },
                                        [](const Query&) { return false; }});
  });
}

void exists_to_in(QueryRewriter& rewriter) {
  rewriter.each_expr([&](Expr& expr) {
    const auto* exists = expr.as<Exists>();
    const auto* select = exists == nullptr ? nullptr : exists->query->single_select();
    const auto* resolved = select == nullptr ? nullptr : rewriter.find_select(*select);
    if (resolved == nullptr || exists->query->limit || !is_row_wise(*select, *resolved)) return;
    auto link = link_of(rewriter, *select, *resolved);
    if (!link) return;
    Select list;
    list.items.push_back(item(std::move(link->inside)));
    list.from = rewriter.qualified(select->from);
    list.where = chain_of(std::move(link->rest));
    rewriter.with(expr, Expr(In{Box<Expr>(std::move(link->outside)), false, Box<Query>(query_of(std::move(list)))}));
  });
}

void not_in_to_outer_join(QueryRewriter& rewriter) {
  each_membership(rewriter, [&](Select& select, const ResolvedSelect& resolved, std::vector<Expr> others,
                                const Membership& membership) {
    const auto& list = *membership.list;
    const auto* inner = rewriter.find_select(list);
    if (!membership.negated || select.from.empty() || list.from.size() != 1 || !is_flat_join(list, *inner, 1)) return;
    auto renamed = renamed_from(rewriter, list, *inner, names_in_from(resolved));
    const Expr element = rewriter.qualified(*list.items[0].expr(), renamed.names);
    if (!element.is<ColumnRef>()) return;
    Select changed = rewriter.qualified(select);
    auto& joined = changed.from.emplace_back(std::move(renamed.from.front()));
    joined.join = JoinType::left;
    joined.on = Box<Expr>(binary(BinaryOp::equal, rewriter.qualified(*membership.operand), element));
    if (list.where) joined.on = both(joined.on, Box<Expr>(rewriter.qualified(*list.where, renamed.names)));
    others.push_back(Expr(IsNull{Box<Expr>(element), false}));
    changed.where = chain_of(std::move(others));
    rewriter.with(select, std::move(changed));
  });
}

void exists_to_count(QueryRewriter& rewriter) {
  rewriter.each_expr([&](Expr& expr) {
    const auto* exists = expr.as<Exists>();
    const auto* select = exists == nullptr ? nullptr : exists->query->single_select();
    const auto* resolved = select == nullptr ? nullptr : rewriter.find_select(*select);
    if (resolved == nullptr || exists->query->limit || !is_row_wise(*select, *resolved)) return;
    Query counted = *exists->query;
    auto* inside = counted.arms.front().select();
    inside->items = {item(call("count"))};
    inside->distinct = false;
    counted.order_by.clear();
    rewriter.with(expr, binary(BinaryOp::greater, Expr(Subquery{Box<Query>(std::move(counted))}), integer(0)));
  });
}

void extreme_row(QueryRewriter& rewriter) {
  const auto rewrite = [&](Query& query) {
    Value storage;
    const auto* select = query.single_select();
    const auto* resolved = select == nullptr ? nullptr : rewriter.find_select(*select);
    if (resolved == nullptr || rewriter.done() || select->from.empty()) return;
    if (query.limit && !query.offset && query.order_by.size() == 1) {
      // ORDER BY x DESC LIMIT 1 as x = (SELECT max(x) ...).
      const auto* limit = integer_value(*query.limit, storage);
      const auto& term = query.order_by.front();
      if (limit == nullptr || *limit != 1 || !is_row_wise(*select, *resolved) || !term.expr.is<ColumnRef>()) return;
      Select inner = *select;
      inner.items = {item(call(term.descending ? "max" : "min", {term.expr}))};
      inner.distinct = false;
      Query changed = query;
      changed.order_by.clear();
      changed.limit = {};
      const Expr key = rewriter.column_of(term.expr).relation != nullptr ? rewriter.qualified(term.expr) : term.expr;
      const Box<Expr> is_extreme(binary(BinaryOp::equal, key, Expr(Subquery{Box<Query>(query_of(std::move(inner)))})));
      auto* outer = changed.arms.front().select();
      outer->where = both(outer->where, is_extreme);
      rewriter.with(query, std::move(changed));
      return;
    }
    // SELECT max(x) as SELECT x ORDER BY x DESC LIMIT 1.
    if (query.limit || !query.order_by.empty() || select->items.size() != 1 || !select->group_by.empty()) return;
    const auto* value = select->items[0].expr();
    const auto* function = value == nullptr ? nullptr : value->as<Call>();
    if (function == nullptr || function->arguments.size() != 1 || function->over || select->having) return;
    const bool largest = equals_ignore_case(function->name.text, "max");
    if (!largest && !equals_ignore_case(function->name.text, "min")) return;
    Query changed = query;
    changed.arms.front().select()->items = {item(function->arguments[0])};
    changed.order_by.push_back({function->arguments[0], largest});
    changed.limit = Box<Expr>(integer(1));
    rewriter.with(query, std::move(changed));
  };
  ast::walk(rewriter.query(), [&](Query& query) { rewrite(query); });
}

}  // namespace trustsql::equiv::paraphrases
