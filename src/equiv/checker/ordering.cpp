// Trees that differ in the order of what may stand in any order (rewrites.hpp).
#include <algorithm>

#include "equiv/checker/rewrites.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv::checker {

using namespace plan;

namespace {

// Brings a tree into an order that depends on its nodes alone.
class Canon {
 public:
  // `places`: its columns go by their places.
  void order(Rel& rel, bool places) {
    if (const auto* join = rel.as<Join>(); rel.is<Filter>() || (join != nullptr && join->type == JoinType::inner)) {
      order_product(rel, places);
      return;
    }
    for_each_rel(rel, [&](Rel& input) { order(input, has_places(rel, input, places)); });
    for_each_expr(rel, [&](Expr& expr) { order(expr); });
    if (auto* n = rel.as<Join>()) sort(n->on);
    if (auto* n = rel.as<Apply>()) sort(n->on);
    if (auto* n = rel.as<Window>()) {
      for (auto& call : n->calls) {
        for (auto& key : call.partition_by) key.id = 0;  // means nothing
      }
    }
    if (auto* n = rel.as<SetOp>(); n != nullptr && n->op != ast::SetOp::except) sort(n->inputs);
    if (places) return;
    if (auto* n = rel.as<Project>()) sort_by_id(n->items);
    if (auto* n = rel.as<Aggregate>()) {
      sort_by_id(n->keys);
      sort_by_id(n->calls);
    }
    if (auto* n = rel.as<Window>()) sort_by_id(n->calls);
    if (auto* n = rel.as<Scan>()) sort_by_id(n->columns);
  }

 private:
  template <class Node>
  static void sort(std::vector<Node>& nodes) {
    std::sort(nodes.begin(), nodes.end(), [](const Node& a, const Node& b) { return ast::hash(a) < ast::hash(b); });
  }
  template <class List>
  static void sort_by_id(List& list) {
    std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  }

  static bool has_places(const Rel& rel, const Rel& input, bool places) {
    if (rel.is<Project>() || rel.is<Aggregate>()) return false;
    if (rel.is<Distinct>() || rel.is<SetOp>() || rel.is<Recursive>()) return true;
    if (const auto* n = rel.as<Join>(); n != nullptr && &input == n->right.get() && (n->type == JoinType::semi || n->type == JoinType::anti))
      return false;
    if (const auto* n = rel.as<Apply>(); n != nullptr && &input == n->right.get() && (n->type == ApplyType::semi || n->type == ApplyType::anti))
      return false;
    return places;
  }

  void order(Expr& expr) {
    for_each_expr(expr, [&](Expr& part) { order(part); });
    for_each_rel(expr, [&](Rel& rel) { order(rel, !expr.is<Exists>()); });
    if (auto* n = expr.as<And>()) sort(n->terms);
    if (auto* n = expr.as<Or>()) sort(n->terms);
    if (auto* n = expr.as<InList>()) sort(n->items);
    if (auto* n = expr.as<Compare>()) {
      const auto left = ast::hash(*n->left);
      const auto right = ast::hash(*n->right);
      const bool backwards = n->op == CompareOp::greater || n->op == CompareOp::greater_equal;
      if (right < left || (right == left && backwards)) {
        std::swap(n->left, n->right);
        n->op = mirrored(n->op);
      }
    }
    auto* n = expr.as<Binary>();
    using Op = ast::BinaryOp;
    const bool either = n != nullptr && (n->op == Op::add || n->op == Op::multiply || n->op == Op::bit_and || n->op == Op::bit_or);
    if (either && ast::hash(*n->right) < ast::hash(*n->left)) std::swap(n->left, n->right);
  }

  static void collect(Rel& rel, std::vector<Rel>& leaves, std::vector<Expr>& conditions) {
    auto* join = rel.as<Join>();
    if (auto* filter = rel.as<Filter>()) {
      collect(*filter->input, leaves, conditions);
      for (auto& each : filter->conjuncts) conditions.push_back(std::move(each));
    } else if (join != nullptr && join->type == JoinType::inner) {
      collect(*join->left, leaves, conditions);
      collect(*join->right, leaves, conditions);
      for (auto& each : join->on) conditions.push_back(std::move(each));
    } else {
      leaves.push_back(std::move(rel));
    }
  }

  // Inner joins and the filters among them.
  void order_product(Rel& rel, bool places) {
    const auto ids = outputs(rel);
    std::vector<Rel> leaves;
    std::vector<Expr> conditions;
    collect(rel, leaves, conditions);
    const bool several = leaves.size() > 1;
    for (auto& leaf : leaves) order(leaf, places && !several);
    for (auto& each : conditions) order(each);
    sort(leaves);
    sort(conditions);
    Rel result = std::move(leaves.front());
    for (std::size_t i = 1; i < leaves.size(); ++i) result = Rel{Join{JoinType::inner, std::move(result), std::move(leaves[i]), {}}};
    if (!conditions.empty()) result = Rel{Filter{std::move(result), std::move(conditions)}};
    if (several && places) {
      Project project;
      for (const auto id : ids) project.items.push_back({id, column(id)});
      project.input = std::move(result);
      result = Rel{std::move(project)};
    }
    rel = std::move(result);
  }
};

}  // namespace

bool same_but_for_order(const Rel& a, const Rel& b) {
  if (a == b) return true;
  Rel of_a = a;
  Rel of_b = b;
  Canon().order(of_a, true);
  Canon().order(of_b, true);
  return of_a == of_b;
}

}  // namespace trustsql::equiv::checker
