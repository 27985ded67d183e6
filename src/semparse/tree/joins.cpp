#include "semparse/tree/joins.hpp"

#include <algorithm>
#include <limits>
#include <queue>

namespace trustsql::semparse {

namespace {

constexpr int declared_cost = 4;
constexpr int inferred_cost = 6;
// Of a path from a row to its parent and on to another child of that. Two rows have more to do with each other where a
// third refers to both: what a member has borrowed, and not what his library has.
constexpr int shared_parent_cost = 1;

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
      if (complete) break;
      if (!add_nearest(tree)) return std::nullopt;
    }
    for (auto& edge : tree.edges) edge = plain_edge(edge);
    return tree;
  }

  int cost(std::size_t edge) const { return domain_.edges()[edge].declared ? declared_cost : inferred_cost; }

 private:
  // Of the edges between the same two tables, the one whose column is called after the table that it refers to: that of
  // employee.department_id rather than of department.head_id.
  std::size_t plain_edge(std::size_t edge) const {
    const auto is_plain = [this](std::size_t each) {
      return domain_.role_words(each) == domain_.table(domain_.column(domain_.edges()[each].parent).table).words;
    };
    if (is_plain(edge)) return edge;
    const auto& ends = domain_.edges()[edge];
    const auto all = domain_.edges_between(domain_.column(ends.child).table, domain_.column(ends.parent).table);
    const auto plain = std::find_if(all.begin(), all.end(),
                                    [&](std::size_t each) { return cost(each) == cost(edge) && is_plain(each); });
    return plain == all.end() ? edge : *plain;
  }

  // A table and how a path comes there: from a child of its rows, or otherwise.
  struct State {
    TableId table = nothing;
    bool from_child = false;
    std::size_t index() const { return 2 * static_cast<std::size_t>(table) + (from_child ? 1 : 0); }
    friend auto operator<=>(const State&, const State&) = default;
  };
  struct Step {
    State before{};
    std::size_t edge = 0;
  };

  bool add_nearest(JoinTree& tree) const {
    constexpr int far = std::numeric_limits<int>::max();
    std::vector<int> distance(2 * domain_.tables().size(), far);
    std::vector<Step> before(2 * domain_.tables().size());
    using Entry = std::pair<int, State>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    for (const auto table : tree.tables) {
      distance[State{table}.index()] = 0;
      open.push({0, State{table}});
    }
    while (!open.empty()) {
      const auto [reached, state] = open.top();
      open.pop();
      if (reached > distance[state.index()]) continue;
      const bool is_terminal =
          reached > 0 && std::find(terminals_.begin(), terminals_.end(), state.table) != terminals_.end();
      if (is_terminal) return add_path(tree, before, state);
      for (const auto edge : domain_.edges_of(state.table)) {
        const auto child = domain_.column(domain_.edges()[edge].child).table;
        const auto parent = domain_.column(domain_.edges()[edge].parent).table;
        const bool to_parent = child == state.table;
        const State next{to_parent ? parent : child, to_parent};
        const int through = reached + cost(edge) + (state.from_child && !to_parent ? shared_parent_cost : 0);
        if (through >= distance[next.index()] || through >= distance[State{next.table, !next.from_child}.index()])
          continue;
        distance[next.index()] = through;
        before[next.index()] = {state, edge};
        open.push({through, next});
      }
    }
    return false;
  }

  static bool add_path(JoinTree& tree, const std::vector<Step>& before, State end) {
    std::vector<std::pair<TableId, std::size_t>> path;  // a table, and the edge to it
    for (auto state = end; before[state.index()].before.table != nothing;) {
      const auto& step = before[state.index()];
      path.emplace_back(state.table, step.edge);
      state = step.before;
    }
    for (auto step = path.rbegin(); step != path.rend(); ++step) {
      tree.tables.push_back(step->first);
      tree.edges.push_back(step->second);
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
