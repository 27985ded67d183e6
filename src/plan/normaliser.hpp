// The normaliser: applies all rules until none fires, so that queries that mean the same tend to get the same tree.
//
// First the plan is simplified: the driver visits the tree from the leaves up and tries every rule that matches a node,
// until a whole round changes nothing. Then the plan is put in order: whatever has no fixed order (operands, conjuncts,
// joins) is sorted, and attributes are numbered by first appearance. The result depends only on the plan and the
// options.
#pragma once

#include <chrono>
#include <functional>
#include <span>
#include <variant>

#include "plan/rule.hpp"
#include "plan/verify.hpp"

namespace trustsql::plan {

struct NormaliseOptions {
  Assume assume{};
  std::span<const Rule* const> rules{};  // empty: all_rules()
  bool put_in_order = true;              // the second phase
  // The number of rewritings after which the normaliser stops and leaves the tree as it is; fewer for a small tree. It
  // also stops when the tree has become several times as large as it was. No query should reach either: they keep a
  // rule that undoes what another does from taking all time and memory.
  int max_steps = 20'000;
  std::chrono::steady_clock::time_point deadline =
      std::chrono::steady_clock::time_point::max();  // it also stops at this time
  std::function<bool()> stop{};                      // called now and then; true ends the work
  bool record = false;                               // keep a trace
  // Check the plan (verify.hpp) at the start and after each step, and that each rule says rightly whether it changed
  // something; throw std::logic_error if not. For tests and debug builds: it takes much longer.
  bool verify = verify_by_default;
};

// An attribute whose possible values a rewriting changed.
struct AttributeChange {
  AttributeId id = 0;
  Attribute before{};
  Attribute after{};
};

// One rewriting of a trace: what was put where. Given the tree before it, the rewriting can be repeated and checked.
struct Rewriting {
  std::string_view rule{};
  // The path to the node from the root: 2 * i leads to relation i of a node (for_each_rel), 2 * i + 1 to its
  // expression i (for_each_expr).
  std::vector<std::uint32_t> path{};
  std::variant<Rel, Expr> after{};         // the node after the rewriting
  Renaming renaming{};                     // then applied to the whole tree
  std::vector<Assumption> assumptions{};   // that the rule relied on
  std::vector<AttributeChange> changes{};  // in attributes that were there before
};

// The rewritings between two sortings of the tree (put_in_order.hpp). Attributes keep their numbers in between.
struct RewritingRound {
  Rel start{};  // the tree before the first of them
  std::vector<Rewriting> steps{};
  std::vector<Attribute> attributes{};  // by id, after the last of them
  Renaming renumbering{};               // from the put_in_order() that follows; empty after the last round
};

struct Firing {
  std::string_view rule;
  int times = 0;
  std::vector<Assumption> assumptions{};  // that the rule relied on
};

struct Normalised {
  Plan plan;
  std::vector<Firing> fired;  // only rules that fired, in the order of all_rules()
  std::vector<Assumption> assumptions;
  bool complete = true;  // false: a limit or the deadline was reached, or it was stopped. The plan is still equivalent
  bool stopped = false;  // by the deadline or by NormaliseOptions::stop
  std::vector<RewritingRound>
      trace{};  // with NormaliseOptions::record: every rewriting, in the order in which they were made
};

Normalised normalise(Plan plan, const NormaliseOptions& options = {});

}  // namespace trustsql::plan
