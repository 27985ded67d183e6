// Trees that differ only in the order of elements that may be in any order (rewrites.hpp).
#include <algorithm>

#include "equiv/checker/rewrites.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv::checker {

using namespace plan;

namespace {

// Brings a tree into a canonical order that depends only on its nodes.
class Canon {
 public:
  // `places`: whether its columns are identified by position.
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
        for (auto& key : call.partition_by) key.id = 0;  // has no meaning
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
    if (const auto* n = rel.as<Join>();
        n != nullptr && &input == n->right.get() && (n->type == JoinType::semi || n->type == JoinType::anti))
      return false;
    if (const auto* n = rel.as<Apply>();
        n != nullptr && &input == n->right.get() && (n->type == ApplyType::semi || n->type == ApplyType::anti))
      return false;
    return places;
  }

  // Returns a hash of the ordered expression.
  std::uint64_t order(Expr& expr) {
    std::vector<std::uint64_t> parts;
    for_each_expr(expr, [&](Expr& part) { parts.push_back(order(part)); });
    for_each_rel(expr, [&](Rel& rel) {
      order(rel, !expr.is<Exists>());
      parts.push_back(ast::hash(rel));
    });
    if (parts.empty()) return ast::hash(expr);
    std::uint64_t seed = expr.node.index();
    if (auto* n = expr.as<And>()) sort(n->terms, parts, 0);
    if (auto* n = expr.as<Or>()) sort(n->terms, parts, 0);
    if (auto* n = expr.as<InList>()) sort(n->items, parts, 1);
    if (const auto* n = expr.as<Function>()) seed = std::hash<std::string_view>{}(n->name);
    if (auto* n = expr.as<Compare>()) {
      const bool backwards = n->op == CompareOp::greater || n->op == CompareOp::greater_equal;
      if (comes_before(*n->right, parts[1], *n->left, parts[0]) || (backwards && *n->left == *n->right)) {
        std::swap(n->left, n->right);
        std::swap(parts[0], parts[1]);
        n->op = mirrored(n->op);
      }
      seed = mix64(seed) ^ static_cast<std::uint64_t>(n->op);
    }
    if (auto* n = expr.as<Binary>()) {
      using Op = ast::BinaryOp;
      const bool either = n->op == Op::add || n->op == Op::multiply || n->op == Op::bit_and || n->op == Op::bit_or;
      if (either && comes_before(*n->right, parts[1], *n->left, parts[0])) {
        std::swap(n->left, n->right);
        std::swap(parts[0], parts[1]);
      }
      seed = mix64(seed) ^ static_cast<std::uint64_t>(n->op);
    }
    for (const auto part : parts) seed = mix64(mix64(seed) ^ part);
    return seed;
  }

  // Compares by hashes, which are coarser and cheaper than ast::hash.
  static bool comes_before(const Expr& a, std::uint64_t hash_of_a, const Expr& b, std::uint64_t hash_of_b) {
    return hash_of_a != hash_of_b ? hash_of_a < hash_of_b : ast::hash(a) < ast::hash(b);
  }
  // `hashes` are those of `exprs`, from `first` on, and are reordered with them.
  static void sort(std::vector<Expr>& exprs, std::vector<std::uint64_t>& hashes, std::size_t first) {
    std::vector<std::size_t> places(exprs.size());
    for (std::size_t i = 0; i < places.size(); ++i) places[i] = i;
    std::sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) {
      return comes_before(exprs[a], hashes[first + a], exprs[b], hashes[first + b]);
    });
    std::vector<Expr> sorted;
    std::vector<std::uint64_t> moved;
    for (const auto place : places) {
      sorted.push_back(std::move(exprs[place]));
      moved.push_back(hashes[first + place]);
    }
    exprs = std::move(sorted);
    std::copy(moved.begin(), moved.end(), hashes.begin() + static_cast<std::ptrdiff_t>(first));
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
    for (std::size_t i = 1; i < leaves.size(); ++i)
      result = Rel{Join{JoinType::inner, std::move(result), std::move(leaves[i]), {}}};
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
