#include "db/results/column_match.hpp"

#include <algorithm>

#include "db/results/column_search.hpp"

namespace trustsql {

namespace {

struct ColumnHashes {
  std::uint64_t bag = 0;       // of the values, in any order
  std::uint64_t sequence = 0;  // of the values, in the order of rows
};

std::vector<ColumnHashes> hash_columns(const ResultSet& result) {
  std::vector<ColumnHashes> hashes(result.column_count());
  for (std::size_t r = 0; r < result.row_count(); ++r) {
    for (std::size_t j = 0; j < hashes.size(); ++j) {
      const std::uint64_t h = hash(result.at(r, j));
      hashes[j].bag += h;
      hashes[j].sequence = mix64(hashes[j].sequence ^ h);
    }
  }
  return hashes;
}

bool columns_equal(const ResultSet& a, std::size_t column_a, const ResultSet& b, std::size_t column_b) {
  for (std::size_t r = 0; r < a.row_count(); ++r)
    if (!equal(a.at(r, column_a), b.at(r, column_b))) return false;
  return true;
}

std::optional<ColumnPermutation> match_lists(const ResultSet& a, const ResultSet& b) {
  const auto hashes_a = hash_columns(a);
  const auto hashes_b = hash_columns(b);
  ColumnPermutation permutation(a.column_count());
  std::vector<bool> is_matched(b.column_count());
  for (std::size_t i = 0; i < permutation.size(); ++i) {
    std::size_t j = 0;
    while (j < is_matched.size() &&
           (is_matched[j] || hashes_a[i].sequence != hashes_b[j].sequence || !columns_equal(a, i, b, j)))
      ++j;
    if (j == is_matched.size()) return std::nullopt;
    is_matched[j] = true;
    permutation[i] = j;
  }
  return permutation;
}

// The columns of one result, grouped by equality as sequences.
struct ColumnGroups {
  std::vector<std::vector<std::size_t>> members;  // the first of each group represents it
  std::vector<std::uint64_t> colours;             // signature and multiplicity
};

ColumnGroups group_columns(const ResultSet& result) {
  const auto hashes = hash_columns(result);
  ColumnGroups groups;
  for (std::size_t j = 0; j < hashes.size(); ++j) {
    const auto same = [&](const std::vector<std::size_t>& group) {
      return hashes[group.front()].sequence == hashes[j].sequence && columns_equal(result, group.front(), result, j);
    };
    const auto equal_group = std::find_if(groups.members.begin(), groups.members.end(), same);
    if (equal_group == groups.members.end()) {
      groups.members.push_back({j});
    } else {
      equal_group->push_back(j);
    }
  }
  for (const auto& group : groups.members) groups.colours.push_back(mix64(hashes[group.front()].bag) + group.size());
  return groups;
}

// The groups of both sides, separated by whether their colour is unique.
struct Pairing {
  std::vector<std::pair<std::size_t, std::size_t>> certain;  // groups of a and b that can only correspond to each other
  std::vector<std::size_t> open_a;                           // the others
  std::vector<std::size_t> open_b;
};

// nullopt if the bags of colours differ.
std::optional<Pairing> pair_by_colour(const ColumnGroups& a, const ColumnGroups& b) {
  if (a.colours.size() != b.colours.size()) return std::nullopt;
  const auto sorted = [](const ColumnGroups& groups) {
    std::vector<std::pair<std::uint64_t, std::size_t>> order;
    for (std::size_t g = 0; g < groups.colours.size(); ++g) order.emplace_back(groups.colours[g], g);
    std::sort(order.begin(), order.end());
    return order;
  };
  const auto order_a = sorted(a);
  const auto order_b = sorted(b);
  Pairing pairing;
  for (std::size_t k = 0; k < order_a.size(); ++k) {
    if (order_a[k].first != order_b[k].first) return std::nullopt;
    const bool same_as_previous = k > 0 && order_a[k - 1].first == order_a[k].first;
    const bool same_as_next = k + 1 < order_a.size() && order_a[k + 1].first == order_a[k].first;
    if (same_as_previous || same_as_next) {
      pairing.open_a.push_back(order_a[k].second);
      pairing.open_b.push_back(order_b[k].second);
    } else {
      pairing.certain.emplace_back(order_a[k].second, order_b[k].second);
    }
  }
  return pairing;
}

Result<std::optional<ColumnPermutation>> match_bags(const ResultSet& a, const ResultSet& b, std::int64_t max_steps) {
  const auto groups_a = group_columns(a);
  const auto groups_b = group_columns(b);
  const auto pairing = pair_by_colour(groups_a, groups_b);
  if (!pairing) return std::optional<ColumnPermutation>();

  ColumnPermutation permutation(a.column_count());
  const auto assign = [&](std::size_t group_a, std::size_t group_b) {
    const auto& from = groups_a.members[group_a];
    const auto& to = groups_b.members[group_b];
    if (from.size() != to.size()) return false;  // colours collided
    for (std::size_t k = 0; k < from.size(); ++k) permutation[from[k]] = to[k];
    return true;
  };
  for (const auto& [group_a, group_b] : pairing->certain)
    if (!assign(group_a, group_b)) return std::optional<ColumnPermutation>();
  if (pairing->open_a.empty()) {
    if (!rows_match(a, b, permutation, RowOrder::bag)) return std::optional<ColumnPermutation>();
    return std::optional(std::move(permutation));
  }

  // All groups take part in the search, including the certain ones: they distinguish rows.
  const auto side = [](const ResultSet& result, const ColumnGroups& groups) {
    ColumnSide s{result, {}, groups.colours};
    for (const auto& group : groups.members) s.columns.push_back(group.front());
    return s;
  };
  const auto accept = [&](std::span<const std::size_t> assignment) {
    for (std::size_t g = 0; g < assignment.size(); ++g)
      if (!assign(g, assignment[g])) return false;
    return rows_match(a, b, permutation, RowOrder::bag);
  };
  TRUSTSQL_ASSIGN_OR_RETURN(const bool matched,
                            search_assignment(side(a, groups_a), side(b, groups_b), max_steps, accept));
  if (!matched) return std::optional<ColumnPermutation>();
  return std::optional(std::move(permutation));
}

}  // namespace

Result<std::optional<ColumnPermutation>> match_columns(const ResultSet& a, const ResultSet& b, RowOrder order,
                                                       std::int64_t max_steps) {
  if (a.column_count() != b.column_count() || a.row_count() != b.row_count()) return std::optional<ColumnPermutation>();
  auto identity = identity_permutation(a.column_count());
  if (rows_match(a, b, identity, RowOrder::list)) return std::optional(std::move(identity));
  if (order == RowOrder::list) return match_lists(a, b);
  return match_bags(a, b, max_steps);
}

}  // namespace trustsql
