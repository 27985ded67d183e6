// Joins: the smallest tree of join edges that connects the tables a query uses.
#pragma once

#include <optional>
#include <vector>

#include "semparse/database/domain.hpp"

namespace trustsql::semparse {

struct JoinTree {
  std::vector<TableId> tables{};     // each after one it is joined to
  std::vector<std::size_t> edges{};  // edges[i] joins tables[i + 1] to one of those before it

  friend bool operator==(const JoinTree&, const JoinTree&) = default;
};

// Up to `limit` trees over the domain's edges that contain all `terminals`, the smallest first; inferred edges count
// for one and a half. Grown by adding the nearest terminal by the shortest path (Takahashi and Matsuyama 1980), from
// each terminal; where several edges join the same two tables there is a tree for each. Empty if the terminals are not
// connected. Of trees of the same size, those with more of the `preferred` edges come first. Precondition: there is a
// terminal.
std::vector<JoinTree> join_trees(const Domain& domain, const std::vector<TableId>& terminals, std::size_t limit = 4,
                                 const std::vector<std::size_t>& preferred = {});

}  // namespace trustsql::semparse
