#include "semparse/examples/example_groups.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "base/value.hpp"

namespace trustsql::semparse {

namespace {

constexpr double common_share = 0.4;        // of the words of two infeasible questions
constexpr std::size_t max_compared = 3000;  // comparing all pairs of more takes too long
constexpr float content_weight = 0.3F;

// Words that matter, as stems, sorted.
std::vector<std::uint64_t> content_of(const ExampleBank& bank, const BankPattern& pattern) {
  std::vector<std::uint64_t> stems;
  for (const int item : pattern.items)
    if (item >= 0 && (bank.word(item).weight >= content_weight || bank.word(item).patterns <= 3))
      stems.push_back(bank.stem(item));
  std::sort(stems.begin(), stems.end());
  stems.erase(std::unique(stems.begin(), stems.end()), stems.end());
  return stems;
}

bool are_alike(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b) {
  std::vector<std::uint64_t> common;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
  const auto all = a.size() + b.size() - common.size();
  return all == 0 || static_cast<double>(common.size()) >= common_share * static_cast<double>(all);
}

// For each infeasible pattern, the first one that it is connected with by patterns that are alike.
std::map<std::size_t, std::size_t> infeasible_clusters(const ExampleBank& bank) {
  std::vector<std::size_t> members;
  std::vector<std::vector<std::uint64_t>> contents;
  for (std::size_t i = 0; i < bank.patterns().size() && members.size() < max_compared; ++i) {
    if (bank.patterns()[i].variant != -1) continue;
    members.push_back(i);
    contents.push_back(content_of(bank, bank.patterns()[i]));
  }
  std::vector<std::size_t> leader(members.size());
  std::iota(leader.begin(), leader.end(), std::size_t{0});
  const auto find = [&leader](std::size_t i) {
    while (leader[i] != i) i = leader[i] = leader[leader[i]];
    return i;
  };
  for (std::size_t i = 0; i < members.size(); ++i)
    for (std::size_t j = i + 1; j < members.size(); ++j)
      if (are_alike(contents[i], contents[j])) leader[find(j)] = find(i);
  std::map<std::size_t, std::size_t> clusters;
  for (std::size_t i = 0; i < members.size(); ++i) clusters[members[i]] = members[find(i)];
  return clusters;
}

// For each family, the cluster that it is left out with: a family and those that one rule makes of it. A question that
// no example answers is often one that no example comes near to either.
std::vector<int> family_clusters(const ExampleBank& bank) {
  const auto count = bank.families().size();
  std::vector<std::vector<int>> near(count);
  for (const auto& list : bank.derived()) {
    for (const auto& derived : list) {
      if (derived.existing == -1) continue;
      const int a = bank.variant(derived.variant).family;
      const int b = bank.variant(derived.existing).family;
      if (a == b) continue;
      near[static_cast<std::size_t>(a)].push_back(b);
      near[static_cast<std::size_t>(b)].push_back(a);
    }
  }
  std::vector<int> order(count);
  std::iota(order.begin(), order.end(), 0);
  const auto place = [](int family) { return mix64(0x5eed ^ static_cast<std::uint64_t>(family)); };
  std::sort(order.begin(), order.end(), [&](int a, int b) { return place(a) < place(b); });
  std::vector<int> clusters(count, -1);
  for (const int family : order) {
    auto& own = clusters[static_cast<std::size_t>(family)];
    if (own != -1) continue;
    own = family;
    for (const int other : near[static_cast<std::size_t>(family)]) {
      auto& cluster = clusters[static_cast<std::size_t>(other)];
      if (cluster == -1) cluster = family;
    }
  }
  return clusters;
}

}  // namespace

std::vector<ExampleGroup> group_examples(const ExampleBank& bank, std::size_t folds, bool other_half) {
  const auto clusters = infeasible_clusters(bank);
  const auto of_family = family_clusters(bank);
  std::vector<ExampleGroup> groups;
  for (std::size_t i = 0; i < bank.patterns().size(); ++i) {
    const auto& pattern = bank.patterns()[i];
    ExampleGroup group{.example = pattern.example};
    if (pattern.variant == -1) {
      const auto cluster = clusters.find(i);
      group.group = mix64(1000 + (cluster == clusters.end() ? i : cluster->second));
      group.fold = group.group % folds;
    } else {
      const auto of_template =
          mix64(0x7e3a ^ static_cast<std::uint64_t>(of_family[static_cast<std::size_t>(pattern.family)]));
      group.template_left_out = (of_template % 2 == 0) != other_half;
      group.group = of_template;
      group.fold = (of_template >> 8) % folds;
      if (!group.template_left_out) {
        std::uint64_t of_items = mix64(of_template ^ static_cast<std::uint64_t>(pattern.family));
        for (const int item : pattern.items) of_items = mix64(of_items ^ static_cast<std::uint64_t>(item));
        group.fold = (of_items >> 8) % folds;
      }
    }
    groups.push_back(group);
  }
  return groups;
}

}  // namespace trustsql::semparse
