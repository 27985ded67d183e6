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
    std::vector<const Expr*> conjuncts;
    const auto collect = [&](const auto& self, const Expr& expr) -> void {
      const auto* chain = expr.as<Binary>();
      if (chain == nullptr || chain->op != BinaryOp::logical_and) return conjuncts.push_back(&expr);
      self(self, *chain->left);
      self(self, *chain->right);
    };
    collect(collect, *select.where);
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
  const auto visit = [&](const auto& self, const Expr& expr) -> void {
    const auto* node = expr.as<Binary>();
    if (node != nullptr && node->op == BinaryOp::logical_and) {
      self(self, *node->left);
      return self(self, *node->right);
    }
    if (!link && node != nullptr && node->op == BinaryOp::equal) {
      if (is_inside(*node->left) && is_outside(*node->right)) {
        link = Link{rewriter.qualified(*node->left), rewriter.qualified(*node->right), {}};
        return;
      }
      if (is_inside(*node->right) && is_outside(*node->left)) {
        link = Link{rewriter.qualified(*node->right), rewriter.qualified(*node->left), {}};
        return;
      }
    }
    rest.push_back(rewriter.qualified(expr));
  };
  visit(visit, *select.where);
  if (link) link->rest = std::move(rest);
  return link;
}

}  // namespace

void join_to_in(QueryRewriter& rewriter) {
  rewriter.each_select([&](Select& select, const ResolvedSelect& resolved) {
    if (!is_flat_join(select, resolved, 2)) return;
    std::vector<Expr> conditions;  // with the names as they are resolved, so that their relations can be found
    for (const auto& joined : select.from) {
      for (auto& condition : rewriter.qualified_conjuncts(joined.on)) conditions.push_back(std::move(condition));
    }
    for (auto& condition : rewriter.qualified_conjuncts(select.where)) conditions.push_back(std::move(condition));
    for (std::size_t i = 0; i < select.from.size() && !rewriter.done(); ++i) {
      const auto* relation = resolved.from[i].relation;
      // Only conditions may use the table.
      if (rewriter.uses(select.group_by, relation) || rewriter.uses(rewriter.query().order_by, relation)) continue;
      if (select.having && rewriter.uses(*select.having, relation)) continue;
      if (std::ranges::any_of(select.items, [&](const SelectItem& element) {
            return element.expr() == nullptr || rewriter.uses(*element.expr(), relation);
          }))
        continue;
      const std::string name = to_lower_ascii(relation->name);
      const auto uses_name = [&](const Expr& expr) {
        bool found = false;
        ast::walk(expr, [&](const ColumnRef& node) {
          found = found || (node.table && equals_ignore_case(node.table->text, name));
        });
        return found;
      };
      Select list;
      std::vector<Expr> own;
      std::vector<Expr> others;
      std::optional<Expr> operand;
      bool fits = true;
      for (const auto& condition : conditions) {
        if (!uses_name(condition)) {
          others.push_back(condition);
          continue;
        }
        bool alone = true;
        ast::walk(condition, [&](const ColumnRef& node) {
          alone = alone && node.table && equals_ignore_case(node.table->text, name);
        });
        if (alone) {
          own.push_back(condition);
          continue;
        }
        const auto* equality = condition.as<Binary>();
        fits = fits && !operand && equality != nullptr && equality->op == BinaryOp::equal &&
               equality->left->is<ColumnRef>() && equality->right->is<ColumnRef>();
        if (!fits) break;
        const bool left = uses_name(*equality->left);
        list.items = {item(left ? *equality->left : *equality->right)};
        operand = left ? *equality->right : *equality->left;
      }
      if (!fits || !operand) continue;
      list.from = {select.from[i]};
      list.from.front().on = {};
      list.from.front().join = JoinType::comma;
      list.where = chain_of(std::move(own));
      Select changed = rewriter.qualified(select);
      changed.from.erase(changed.from.begin() + static_cast<std::ptrdiff_t>(i));
      for (auto& joined : changed.from) joined.on = {};
      // The conditions of the other joins go to WHERE, beside the subquery.
      for (std::size_t k = 1; k < changed.from.size(); ++k) {
        std::vector<Expr> here;
        if (k + 1 == changed.from.size()) {
          std::erase_if(others, [&](const Expr& condition) {
            const auto* equality = condition.as<Binary>();
            const bool links = equality != nullptr && equality->op == BinaryOp::equal &&
                               equality->left->is<ColumnRef>() && equality->right->is<ColumnRef>();
            if (links) here.push_back(condition);
            return links;
          });
        }
        changed.from[k].on = chain_of(std::move(here));
        changed.from[k].join = changed.from[k].on ? JoinType::inner : changed.from[k].join;
      }
      others.push_back(Expr(In{Box<Expr>(*std::move(operand)), false, Box<Query>(query_of(std::move(list)))}));
      changed.where = chain_of(std::move(others));
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
