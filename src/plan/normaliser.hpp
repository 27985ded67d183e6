// The normaliser: applies all rules until none fires, so that queries that mean the same tend to get the same tree.
//
// First the plan is simplified: going through the tree from the leaves up, every rule that fits a node is tried, again and
// again until a whole round changes nothing. Then it is put in order: what may stand in any order (operands, conjuncts,
// joins) is sorted, and attributes are numbered as they come. The result depends on the plan and the options only.
#pragma once

#include <chrono>
#include <span>

#include "plan/rule.hpp"

namespace trustsql::plan {

struct NormaliseOptions {
  Assume assume{};
  std::span<const Rule* const> rules{};  // empty: all_rules()
  bool put_in_order = true;              // the second part
  int max_steps = 20'000;                // rewritings, after which the normaliser gives up and leaves the tree as it is then
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();  // likewise
};

struct Firing {
  std::string_view rule;
  int times = 0;
  std::vector<Assumption> assumptions{};  // that the rule relied on
};

struct Normalised {
  Plan plan;
  std::vector<Firing> fired;  // in the order of all_rules(); those that fired only
  std::vector<Assumption> assumptions;
  bool complete = true;  // false: max_steps or the deadline was reached. The plan is equivalent all the same
};

Normalised normalise(Plan plan, const NormaliseOptions& options = {});

// Every rule that simplifies, in the order in which they are tried.
std::span<const Rule* const> all_rules();

// Sorts what may stand in any order, and numbers the attributes by their first appearance. Part of normalise().
void put_in_order(Plan& plan);

}  // namespace trustsql::plan
