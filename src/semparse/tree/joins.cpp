#include "semparse/tree/joins.hpp"

#include <algorithm>
#include <limits>
#include <queue>

namespace trustsql::semparse {

namespace {

constexpr int declared_cost = 2;
constexpr int inferred_cost = 3;

class Grower {
 public:
  Grower(const Domain& domain, const std::vector<TableId>& terminals) : domain_(domain), terminals_(terminals) {}

  // The tree grown from `start`; nullopt if a terminal cannot be reached.
  std::optional<JoinTree> grow(TableId start) const {
    JoinTree tree{{start}, {}};
    for (;;) {
      const bool complete = std::all_of(terminals_.begin(), terminals_.end(), [&](TableId t) {
        return std::find(tree.tables.begin(), tree.tables.end(), t) != tree.tables.end();
      });
      if (complete) return tree;
      if (!add_nearest(tree)) return std::nullopt;
    }
  }

  int cost(std::size_t edge) const { return domain_.edges()[edge].declared ? declared_cost : inferred_cost; }

 private:
  struct Step {
    TableId table;
    std::size_t edge;
  };

  bool add_nearest(JoinTree& tree) const {
    constexpr int far = std::numeric_limits<int>::max();
    std::vector<int> distance(domain_.tables().size(), far);
    std::vector<Step> before(domain_.tables().size(), {nothing, 0});
    using Entry = std::pair<int, TableId>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    for (const auto table : tree.tables) {
      distance[static_cast<std::size_t>(table)] = 0;
      open.push({0, table});
    }
    while (!open.empty()) {
      const auto [reached, table] = open.top();
      open.pop();
      if (reached > distance[static_cast<std::size_t>(table)]) continue;
      const bool is_terminal =
          reached > 0 && std::find(terminals_.begin(), terminals_.end(), table) != terminals_.end();
      if (is_terminal) return add_path(tree, before, table);
      for (const auto edge : domain_.edges_of(table)) {
        const auto child = domain_.column(domain_.edges()[edge].child).table;
        const auto next = child == table ? domain_.column(domain_.edges()[edge].parent).table : child;
        const int through = reached + cost(edge);
        if (through >= distance[static_cast<std::size_t>(next)]) continue;
        distance[static_cast<std::size_t>(next)] = through;
        before[static_cast<std::size_t>(next)] = {table, edge};
        open.push({through, next});
      }
    }
    return false;
  }

  static bool add_path(JoinTree& tree, const std::vector<Step>& before, TableId end) {
    std::vector<Step> path;
    for (auto table = end; before[static_cast<std::size_t>(table)].table != nothing;) {
      const auto& step = before[static_cast<std::size_t>(table)];
      path.push_back({table, step.edge});
      table = step.table;
    }
    for (auto step = path.rbegin(); step != path.rend(); ++step) {
      tree.tables.push_back(step->table);
      tree.edges.push_back(step->edge);
    }
    return true;
  }

  const Domain& domain_;
  const std::vector<TableId>& terminals_;
};

}  // namespace

std::vector<JoinTree> join_trees(const Domain& domain, const std::vector<TableId>& terminals, std::size_t limit,
                                 const std::vector<std::size_t>& preferred) {
  constexpr std::size_t tried = 8;
  const std::size_t most = preferred.empty() ? limit : std::max(limit, tried);
  const Grower grower(domain, terminals);
  struct Found {
    int cost;
    JoinTree tree;
    std::ptrdiff_t preferred = 0;  // edges
  };
  std::vector<Found> found;
  const auto add = [&found, &grower, &preferred](JoinTree tree) {
    int cost = 0;
    for (const auto edge : tree.edges) cost += grower.cost(edge);
    auto edges = tree.edges;
    std::sort(edges.begin(), edges.end());
    for (const auto& other : found) {
      auto known = other.tree.edges;
      std::sort(known.begin(), known.end());
      if (known == edges) return;
    }
    const auto count = std::count_if(tree.edges.begin(), tree.edges.end(), [&preferred](std::size_t edge) {
      return std::find(preferred.begin(), preferred.end(), edge) != preferred.end();
    });
    found.push_back({cost, std::move(tree), count});
  };
  for (const auto start : terminals) {
    auto tree = grower.grow(start);
    if (!tree) return {};
    add(std::move(*tree));
  }
  // The other edges between the same two tables.
  for (std::size_t t = 0; t < found.size() && found.size() < most; ++t) {
    for (std::size_t i = 0; i < found[t].tree.edges.size() && found.size() < most; ++i) {
      const auto& edge = domain.edges()[found[t].tree.edges[i]];
      for (const auto other : domain.edges_between(domain.column(edge.child).table, domain.column(edge.parent).table)) {
        auto changed = found[t].tree;
        changed.edges[i] = other;
        add(std::move(changed));
      }
    }
  }
  std::stable_sort(found.begin(), found.end(), [](const Found& a, const Found& b) {
    return a.cost != b.cost ? a.cost < b.cost : a.preferred > b.preferred;
  });
  std::vector<JoinTree> trees;
  for (auto& each : found) {
    if (trees.size() == limit) break;
    trees.push_back(std::move(each.tree));
  }
  return trees;
}

}  // namespace trustsql::semparse
