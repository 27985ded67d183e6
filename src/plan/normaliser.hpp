// The normaliser: applies all rules until none fires, so that queries that mean the same tend to get the same tree.
//
// First the plan is simplified: going through the tree from the leaves up, every rule that fits a node is tried, again
// and again until a whole round changes nothing. Then it is put in order: what may stand in any order (operands,
// conjuncts, joins) is sorted, and attributes are numbered as they come. The result depends on the plan and the options
// only.
#pragma once

#include <chrono>
#include <span>
#include <variant>

#include "plan/rule.hpp"

namespace trustsql::plan {

struct NormaliseOptions {
  Assume assume{};
  std::span<const Rule* const> rules{};  // empty: all_rules()
  bool put_in_order = true;              // the second part
  int max_steps = 20'000;  // rewritings, after which the normaliser gives up and leaves the tree as it is then
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();  // likewise
  bool record = false;                                                                            // keep a trace
};

// An attribute of which a rewriting found that it can have other values.
struct AttributeChange {
  AttributeId id = 0;
  Attribute before{};
  Attribute after{};
};

// One rewriting of a trace: what was put where. Whoever has the tree before it can make it again, and check it.
struct Rewriting {
  std::string_view rule{};
  // Where the node stands, from the root down: 2 * i leads to relation i of a node (for_each_rel), 2 * i + 1 to its
  // expression i (for_each_expr).
  std::vector<std::uint32_t> path{};
  std::variant<Rel, Expr> after{};         // what stands there afterwards
  Renaming renaming{};                     // made in the whole tree after that
  std::vector<Assumption> assumptions{};   // that the rule relied on
  std::vector<AttributeChange> changes{};  // in attributes that were there before
};

// The rewritings between two orderings of the tree. Attributes keep their numbers in between.
struct RewritingRound {
  Rel start{};  // the tree before the first of them
  std::vector<Rewriting> steps{};
  std::vector<Attribute> attributes{};  // by id, as they are after the last of them
  Renaming renumbering{};               // of the ordering that follows; empty after the last round
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
  std::vector<RewritingRound> trace{};  // with NormaliseOptions::record: every rewriting, in the order of their making
};

Normalised normalise(Plan plan, const NormaliseOptions& options = {});

// Every rule that simplifies, in the order in which they are tried.
std::span<const Rule* const> all_rules();

// Sorts what may stand in any order, and numbers the attributes by their first appearance. Part of normalise(). Returns
// the new number of each attribute that is in the tree.
Renaming put_in_order(Plan& plan);

}  // namespace trustsql::plan
