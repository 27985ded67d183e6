// Paraphrases of UNION, INTERSECT and EXCEPT as conditions, and of conditions as set operations.

#include "equiv/paraphrases/kinds.hpp"
#include "equiv/rewriting/tree_edit.hpp"

namespace trustsql::equiv::paraphrases {

using namespace ast;
using namespace rewriting;

namespace {

// The two arms of a compound query of two row-wise SELECTs.
struct Arms {
  SetOp op;
  const Select* left;
  const Select* right;
  const ResolvedSelect* left_names;
  const ResolvedSelect* right_names;
};
std::optional<Arms> two_arms(const QueryRewriter& rewriter, const Query& query) {
  if (query.arms.size() != 2) return std::nullopt;
  Arms arms{query.arms[1].op, query.arms[0].select(), query.arms[1].select(), nullptr, nullptr};
  if (arms.left == nullptr || arms.right == nullptr) return std::nullopt;
  arms.left_names = rewriter.find_select(*arms.left);
  arms.right_names = rewriter.find_select(*arms.right);
  if (arms.left_names == nullptr || arms.right_names == nullptr) return std::nullopt;
  if (!is_row_wise(*arms.left, *arms.left_names) || !is_row_wise(*arms.right, *arms.right_names)) return std::nullopt;
  return arms;
}

// The query with one SELECT in the place of its arms.
Query with_select(const Query& query, Select select) {
  Query changed = query;
  changed.arms.clear();
  changed.arms.push_back({SetOp::union_all, std::move(select)});
  return changed;
}

Query compound(Select left, SetOp op, Select right) {
  Query query = query_of(std::move(left));
  query.arms.push_back({op, std::move(right)});
  return query;
}

// The position of the conjunct `x [NOT] IN (SELECT ...)` of WHERE, where x is the only result column.
struct ResultMembership {
  std::size_t position;
  const In* node;
  const Query* list;
};
std::optional<ResultMembership> result_membership(const std::vector<Expr>& conjuncts, const Select& select) {
  if (select.items.size() != 1 || select.items[0].expr() == nullptr) return std::nullopt;
  for (std::size_t i = 0; i < conjuncts.size(); ++i) {
    const auto* node = conjuncts[i].as<In>();
    const auto* list = node == nullptr ? nullptr : std::get_if<Box<Query>>(&node->set);
    if (list == nullptr || !(*node->operand == *select.items[0].expr())) continue;
    if ((*list)->arms.size() != 1 || (*list)->with || !(*list)->order_by.empty() || (*list)->limit) continue;
    return ResultMembership{i, node, list->get()};
  }
  return std::nullopt;
}

}  // namespace

void set_operation_to_condition(QueryRewriter& rewriter) {
  ast::walk(rewriter.query(), [&](Query& query) {
    const auto arms = two_arms(rewriter, query);
    if (!arms || arms->op == SetOp::union_all || rewriter.done()) return;
    if (arms->left->items != arms->right->items || arms->left->from != arms->right->from) return;
    if (!arms->right->where) return;
    Select select = *arms->left;
    select.distinct = true;
    switch (arms->op) {
      case SetOp::union_distinct:
        if (!select.where) return;
        select.where = Box<Expr>(binary(BinaryOp::logical_or, *select.where, *arms->right->where));
        break;
      case SetOp::intersect: select.where = both(select.where, arms->right->where); break;
      default: select.where = both(select.where, Box<Expr>(negation(*arms->right->where))); break;
    }
    rewriter.with(query, with_select(query, std::move(select)));
  });
}

void set_operation_to_in(QueryRewriter& rewriter) {
  ast::walk(rewriter.query(), [&](Query& query) {
    if (query.arms.size() != 2 || rewriter.done()) return;
    const auto op = query.arms[1].op;
    const auto* left = query.arms[0].select();
    const auto* right = query.arms[1].select();
    const auto* names = left == nullptr ? nullptr : rewriter.find_select(*left);
    if (names == nullptr || right == nullptr || !is_row_wise(*left, *names)) return;
    if (op != SetOp::intersect && op != SetOp::except) return;
    if (left->items.size() != 1 || left->items[0].expr() == nullptr || right->items.size() != 1) return;
    for (const bool distinct : {true, false}) {
      Select select = *left;
      select.distinct = distinct;
      const Expr member(
          In{Box<Expr>(rewriter.qualified(*left->items[0].expr())), op == SetOp::except, Box<Query>(query_of(*right))});
      select.where = both(select.where, Box<Expr>(member));
      rewriter.with(query, with_select(query, std::move(select)));
    }
  });
}

void in_to_set_operation(QueryRewriter& rewriter) {
  ast::walk(rewriter.query(), [&](Query& query) {
    const auto* select = query.single_select();
    if (select == nullptr || !select->where || query.limit || !query.order_by.empty() || rewriter.done()) return;
    const auto conjuncts = conjuncts_of(select->where);
    const auto membership = result_membership(conjuncts, *select);
    if (!membership || membership->list->arms.front().select() == nullptr) return;
    auto rest = conjuncts;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(membership->position));
    Select left = *select;
    left.distinct = false;
    left.where = chain_of(std::move(rest));
    Query changed = compound(std::move(left), membership->node->negated ? SetOp::except : SetOp::intersect,
                             *membership->list->arms.front().select());
    changed.with = query.with;
    rewriter.with(query, std::move(changed));
  });
}

void or_to_union(QueryRewriter& rewriter) {
  ast::walk(rewriter.query(), [&](Query& query) {
    const auto* select = query.single_select();
    const auto* names = select == nullptr ? nullptr : rewriter.find_select(*select);
    if (names == nullptr || !select->where || query.limit || !query.order_by.empty() || rewriter.done()) return;
    if (!is_row_wise(*select, *names)) return;
    auto conjuncts = conjuncts_of(select->where);
    for (std::size_t i = 0; i < conjuncts.size(); ++i) {
      const auto* either = conjuncts[i].as<Binary>();
      if (either == nullptr || either->op != BinaryOp::logical_or) continue;
      Select left = *select;
      left.distinct = false;
      Select right = left;
      auto with_left = conjuncts;
      with_left[i] = *either->left;
      auto with_right = conjuncts;
      with_right[i] = *either->right;
      left.where = chain_of(std::move(with_left));
      right.where = chain_of(std::move(with_right));
      for (const auto op : {SetOp::union_distinct, SetOp::union_all}) {
        Query changed = compound(left, op, right);
        changed.with = query.with;
        rewriter.with(query, std::move(changed));
      }
      return;
    }
  });
}

}  // namespace trustsql::equiv::paraphrases
