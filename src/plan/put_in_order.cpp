#include "plan/put_in_order.hpp"

#include <algorithm>

#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"
#include "plan/shape.hpp"

namespace trustsql::plan {

namespace {

bool is_commutative(ast::BinaryOp op) {
  using Op = ast::BinaryOp;
  return op == Op::add || op == Op::multiply || op == Op::bit_and || op == Op::bit_or;
}

class Orderer {
 public:
  explicit Orderer(Plan& plan) : plan_(plan) {}

  // `positional`: the number and order of the outputs must not change.
  void order(Rel& rel, bool positional) {
    if (rules::is_cluster(rel)) {
      order_cluster(rel, positional);
      return;
    }
    for_each_rel(rel, [&](Rel& input) { order(input, is_positional(rel, input, positional)); });
    for_each_expr(rel, [&](Expr& expr) { order(expr); });
    std::visit(Overloaded{
                   [](auto&) {},
                   [&](Filter& n) { sort(n.conjuncts); },
                   [&](Join& n) { sort(n.on); },
                   [&](Apply& n) { sort(n.on); },
                   [&](Project& n) { order_node(n, positional); },
                   [&](Aggregate& n) { order_node(n, positional); },
                   [&](Window& n) { order_node(n, positional); },
                   [&](Scan& n) {
                     if (!positional) sort_columns(n.columns);
                   },
                   [&](SetOp& n) { order_node(n); },
                   [&](Values& n) { shape_of_values(n); },
                   [&](Recursive& n) { shape_by_position(n.ids, 1); },
                   [&](RecursiveRef& n) { shape_by_position(n.ids, 2); },
               },
               rel.node);
  }

 private:
  static bool is_positional(const Rel& rel, const Rel& input, bool positional) {
    if (rel.is<Project>() || rel.is<Aggregate>()) return false;
    if (rel.is<Distinct>() || rel.is<SetOp>() || rel.is<Recursive>()) return true;
    if (const auto* join = rel.as<Join>()) {
      return positional &&
             !(&input == join->right.get() && (join->type == JoinType::semi || join->type == JoinType::anti));
    }
    if (const auto* apply = rel.as<Apply>()) {
      return positional &&
             !(&input == apply->right.get() && (apply->type == ApplyType::semi || apply->type == ApplyType::anti));
    }
    return positional;
  }

  int compare(const Expr& a, const Expr& b) const { return compare_shape(a, b, plan_); }

  void sort(std::vector<Expr>& exprs) const {
    std::stable_sort(exprs.begin(), exprs.end(), [&](const Expr& a, const Expr& b) { return compare(a, b) < 0; });
  }

  template <class List>
  void sort_columns(List& list) const {
    std::stable_sort(list.begin(), list.end(),
                     [&](const auto& a, const auto& b) { return compare_shape(a.id, b.id, plan_) < 0; });
  }

  void set_shape(AttributeId id, std::uint64_t shape) { plan_.attributes[id].shape = shape; }

  void shape_by_position(const std::vector<AttributeId>& ids, std::uint64_t seed) {
    for (std::size_t i = 0; i < ids.size(); ++i) set_shape(ids[i], mix64(seed ^ mix64(i)));
  }

  // --- expressions

  void order(Expr& expr) {
    for_each_expr(expr, [&](Expr& operand) { order(operand); });
    for_each_rel(expr, [&](Rel& rel) { order(rel, !expr.is<Exists>()); });
    if (auto* n = expr.as<And>()) sort(n->terms);
    if (auto* n = expr.as<Or>()) sort(n->terms);
    if (auto* n = expr.as<InList>()) sort(n->items);
    if (auto* n = expr.as<Binary>(); n != nullptr && is_commutative(n->op) && compare(*n->right, *n->left) < 0)
      std::swap(n->left, n->right);
    if (auto* n = expr.as<Compare>()) {
      // Literals go to the right, whatever their shape.
      const bool left_literal = n->left->is<Literal>();
      const bool right_literal = n->right->is<Literal>();
      const bool turn = left_literal != right_literal ? left_literal : compare(*n->right, *n->left) < 0;
      if (turn) {
        std::swap(n->left, n->right);
        n->op = mirrored(n->op);
      }
      // If two columns differ only in their numbers, both a < b and b > a are still possible: choose one.
      if (!turn && left_literal == right_literal && compare(*n->right, *n->left) == 0 &&
          (n->op == CompareOp::greater || n->op == CompareOp::greater_equal)) {
        std::swap(n->left, n->right);
        n->op = mirrored(n->op);
      }
    }
  }

  // --- operators

  void order_node(Project& n, bool positional) {
    for (auto& item : n.items) {
      if (!item.is_pass_through()) set_shape(item.id, shape_hash(item.expr, plan_, 3));
    }
    if (!positional) sort_columns(n.items);
  }

  void order_node(Aggregate& n, bool positional) {
    for (auto& key : n.keys) {
      const auto* from = column_id(key.expr);
      if (from == nullptr || *from != key.id) set_shape(key.id, shape_hash(key.expr, plan_, 4));
    }
    for (auto& call : n.calls) {
      const auto* from = call.is_bare() ? column_id(call.arguments.front()) : nullptr;
      if (from != nullptr && *from == call.id) continue;
      auto seed = std::hash<std::string_view>{}(call.name) ^ mix64(call.distinct ? 5 : 6);
      for (const auto& argument : call.arguments) seed = shape_hash(argument, plan_, seed);
      for (const auto& key : call.order_by) seed = shape_hash(key.expr, plan_, seed ^ (key.descending ? 7 : 8));
      if (call.filter) seed = shape_hash(*call.filter, plan_, seed);
      set_shape(call.id, mix64(seed));
    }
    if (positional) return;
    sort_columns(n.keys);
    sort_columns(n.calls);
  }

  void order_node(Window& n, bool positional) {
    for (auto& call : n.calls) {
      for (auto& key : call.partition_by) key.id = 0;
      auto seed = std::hash<std::string_view>{}(call.name) ^ mix64(9);
      for_each_expr(call, [&](Expr& expr) { seed = shape_hash(expr, plan_, seed); });
      set_shape(call.id, mix64(seed));
    }
    if (!positional) sort_columns(n.calls);
  }

  void order_node(SetOp& n) {
    if (n.op != ast::SetOp::except) {
      std::stable_sort(n.inputs.begin(), n.inputs.end(),
                       [&](const Rel& a, const Rel& b) { return compare_shape(a, b, plan_) < 0; });
    }
    std::vector<std::uint64_t> seeds(n.ids.size(), 10 + static_cast<std::uint64_t>(n.op));
    for (const auto& input : n.inputs) {
      const auto ids = outputs(input);
      for (std::size_t i = 0; i < ids.size(); ++i) seeds[i] = shape_hash(column(ids[i]), plan_, seeds[i]);
    }
    for (std::size_t i = 0; i < n.ids.size(); ++i) set_shape(n.ids[i], seeds[i]);
  }

  void shape_of_values(Values& n) {
    for (std::size_t i = 0; i < n.ids.size(); ++i) {
      std::uint64_t seed = 11;
      for (const auto& row : n.rows) seed = shape_hash(row[i], plan_, seed);
      set_shape(n.ids[i], seed);
    }
  }

  void order_cluster(Rel& rel, bool positional) {
    const auto ids = outputs(rel);
    auto cluster = rules::take_apart(rel);
    for (auto& leaf : cluster.leaves) order(leaf, positional);
    // The conditions on a leaf are part of its shape.
    auto conjuncts = std::move(cluster.conjuncts);
    cluster.conjuncts = {};
    for (auto& conjunct : conjuncts) order(conjunct);
    sort(conjuncts);
    struct Leaf {
      Rel rel;
      AttributeSet outputs;
      std::vector<const Expr*> own;
    };
    std::vector<Leaf> leaves;
    for (auto& leaf : cluster.leaves) {
      auto own_outputs = output_set(leaf);
      leaves.push_back({std::move(leaf), std::move(own_outputs), {}});
    }
    for (const auto& conjunct : conjuncts) {
      const auto used = references(conjunct);
      Leaf* only = nullptr;
      std::size_t count = 0;
      for (auto& leaf : leaves) {
        if (!used.intersects(leaf.outputs)) continue;
        only = &leaf;
        ++count;
      }
      if (count == 1) only->own.push_back(&conjunct);
    }
    std::stable_sort(leaves.begin(), leaves.end(), [&](const Leaf& a, const Leaf& b) {
      if (const int by_rel = compare_shape(a.rel, b.rel, plan_); by_rel != 0) return by_rel < 0;
      if (a.own.size() != b.own.size()) return a.own.size() > b.own.size();
      for (std::size_t i = 0; i < a.own.size(); ++i) {
        if (const int by_condition = compare(*a.own[i], *b.own[i]); by_condition != 0) return by_condition < 0;
      }
      return false;
    });
    cluster.leaves.clear();
    for (auto& leaf : leaves) cluster.leaves.push_back(std::move(leaf.rel));
    cluster.conjuncts = std::move(conjuncts);
    rel = rules::put_together(std::move(cluster));
    if (positional) rel = rules::with_outputs(std::move(rel), ids);
  }

  Plan& plan_;
};

// Numbers attributes in the order in which their producers are visited, leaves first.
Renaming number_attributes(Plan& plan) {
  Renaming renaming;
  std::vector<Attribute> attributes;
  const auto number = [&](AttributeId id) {
    if (renaming.emplace(id, static_cast<AttributeId>(attributes.size())).second)
      attributes.push_back(plan.attributes[id]);
  };
  const auto visit = [&](const auto& self, const Rel& rel) -> void {
    const auto visit_expr = [&](const auto& inner, const Expr& expr) -> void {
      for_each_expr(expr, [&](const Expr& operand) { inner(inner, operand); });
      for_each_rel(expr, [&](const Rel& subquery) { self(self, subquery); });
      if (const auto* id = column_id(expr)) number(*id);
    };
    for_each_rel(rel, [&](const Rel& input) { self(self, input); });
    if (const auto* scan = rel.as<Scan>()) number(scan->row);
    for (const auto id : outputs(rel)) number(id);
    for_each_expr(rel, [&](const Expr& expr) { visit_expr(visit_expr, expr); });
  };
  visit(visit, plan.root);
  rename(plan.root, renaming);
  plan.attributes = std::move(attributes);
  return renaming;
}

}  // namespace

Renaming put_in_order(Plan& plan) {
  Orderer(plan).order(plan.root, true);
  return number_attributes(plan);
}

}  // namespace trustsql::plan
