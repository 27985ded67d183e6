#include "plan/normaliser.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "plan/all_rules.hpp"
#include "plan/put_in_order.hpp"
#include "plan/walk.hpp"

namespace trustsql::plan {

namespace {

// Operators and expressions.
std::size_t node_count(const Rel& root) {
  std::size_t count = 0;
  walk(root, Overloaded{[&](const Rel&) { ++count; }, [&](const Expr&) { ++count; }});
  return count;
}

// The rewritings that a tree of so many nodes may take at most, and the nodes that it may grow to.
constexpr std::size_t max_steps_of(std::size_t nodes) { return 500 + 20 * nodes; }
constexpr std::size_t max_nodes_of(std::size_t nodes) { return 1'000 + 4 * nodes; }

// How often the driver asks whether to go on between two looks at the clock: less often in a large tree, which many
// rules look at as a whole.
constexpr unsigned questions_between_looks(std::size_t nodes) {
  constexpr std::size_t most = 64;
  constexpr std::size_t nodes_between_looks = 10'000;
  return static_cast<unsigned>(std::clamp(nodes_between_looks / std::max<std::size_t>(nodes, 1), std::size_t{1}, most));
}

// The assumptions, with the columns that the plan takes for dates where they are not given.
Assume with_dates(Assume assume, const Plan& plan) {
  if (!assume.number_texts || assume.dates) return assume;
  ColumnReadings readings;
  readings.add(plan);
  assume.dates = readings.dates();
  return assume;
}

class Driver {
 public:
  // Records its rewritings in `trace` if `options` asks for that.
  Driver(Plan& plan, const NormaliseOptions& options, std::vector<RewritingRound>& trace)
      : options_(options),
        rules_(options.rules.empty() ? all_rules() : options.rules),
        context_(plan, with_dates(options.assume, plan)),
        trace_(options.record ? &trace : nullptr),
        times_(rules_.size(), 0),
        relied_on_(rules_.size()),
        counted_attributes_(plan.attributes.size()) {
    const auto nodes = node_count(plan.root);
    max_steps_ =
        static_cast<int>(std::min(static_cast<std::size_t>(std::max(options.max_steps, 0)), max_steps_of(nodes)));
    max_nodes_ = max_nodes_of(nodes);
    questions_between_looks_ = questions_between_looks(nodes);
    for (std::size_t i = 0; i < rules_.size(); ++i) {
      const auto& rule = *rules_[i];
      for (std::size_t kind = 0; kind < max_kinds; ++kind) {
        if ((rule.kinds & (KindSet{1} << kind)) == 0) continue;
        if (std::holds_alternative<RuleOnRel>(rule.apply)) rel_rules_[kind].push_back(i);
        if (std::holds_alternative<RuleOnExpr>(rule.apply)) expr_rules_[kind].push_back(i);
        if (std::holds_alternative<RuleOnUse>(rule.apply)) use_rules_[kind].push_back(i);
      }
    }
  }

  void run() {
    auto& root = context_.plan().root;
    if (trace_ != nullptr) {
      trace_->push_back({.start = root});
      known_ = context_.plan().attributes;
    }
    for (bool changed = true; changed && !exhausted();) {
      changed = visit(root, {}, nullptr);
      const Usage shown{output_set(root), true, true, Usage::Order::shown};
      if (visit_uses(root, shown)) changed = true;
      if (context_.has_renaming()) {
        rename(root, context_.take_renaming());
        verify_after("the renaming of attributes");
      }
    }
    if (trace_ != nullptr) trace_->back().attributes = context_.plan().attributes;
  }

  // Throws if the plan is not in order; only if `options` asks for that.
  void verify_after(std::string_view step) const {
    if (options_.verify) verify_or_throw(context_.plan(), step, false);
  }

  int steps() const { return steps_; }
  // Whether a limit or the deadline has been reached, or `stop` said so. Not every call asks.
  bool exhausted() {
    if (!stopped_ && ++questions_ % questions_between_looks_ == 0)
      stopped_ = std::chrono::steady_clock::now() >= options_.deadline || (options_.stop && options_.stop());
    return stopped_ || too_large_ || steps_ >= max_steps_;
  }
  bool stopped() const { return stopped_; }

  std::vector<Assumption> assumptions() const {
    std::vector<Assumption> all;
    for (const auto& list : relied_on_) add_new(list, all);
    return all;
  }

  std::vector<Firing> firings() const {
    std::vector<Firing> result;
    for (std::size_t i = 0; i < rules_.size(); ++i) {
      if (times_[i] == 0) continue;
      const auto known =
          std::find_if(result.begin(), result.end(), [&](const Firing& f) { return f.rule == rules_[i]->name; });
      if (known != result.end()) {
        known->times += times_[i];
        add_new(relied_on_[i], known->assumptions);
      } else {
        result.push_back({rules_[i]->name, times_[i], relied_on_[i]});
      }
    }
    return result;
  }

 private:
  static void add_new(const std::vector<Assumption>& from, std::vector<Assumption>& to) {
    for (const auto& assumption : from) {
      if (std::find(to.begin(), to.end(), assumption) == to.end()) to.push_back(assumption);
    }
  }

  // `node` is the node after the rewriting.
  template <class Node>
  bool fired(std::size_t rule, const Node& node) {
    ++times_[rule];
    ++steps_;
    check_size();
    const auto assumptions = context_.take_assumptions();
    if (trace_ != nullptr) {
      trace_->back().steps.push_back({rules_[rule]->name, path_, node, context_.renaming(), assumptions, {}});
      record_changes(trace_->back().steps.back().changes);
    }
    add_new(assumptions, relied_on_[rule]);
    if (!context_.has_renaming()) verify_after("the rule " + std::string(rules_[rule]->name));
    return true;
  }

  // Notes whether the tree has grown too large. Counting its nodes after each step would take long. They are counted
  // now and then, and as soon as many attributes are new: rules that copy a part of the tree give the copy attributes
  // of its own, and a rule that copies its own copies can double the tree with each step.
  void check_size() {
    constexpr int steps_between_counts = 128;
    constexpr std::size_t attributes_between_counts = 64;
    const auto attributes = context_.plan().attributes.size();
    if (steps_ % steps_between_counts != 0 && attributes < counted_attributes_ + attributes_between_counts) return;
    counted_attributes_ = attributes;
    too_large_ = node_count(context_.plan().root) > max_nodes_;
  }

  // Tries the rules on `node` until one fires; `call(rule)` calls the function of one. Returns whether one did.
  template <class Node, class Call>
  bool try_rules(const std::vector<std::size_t>& candidates, Node& node, const Call& call) {
    std::optional<Node> before;
    if (options_.verify) before = node;
    for (const auto i : candidates) {
      context_.take_assumptions();  // discards those of a rule that did not fire
      const bool changed = call(*rules_[i]);
      if (before && !context_.has_renaming() && changed == (node == *before)) {
        throw std::logic_error(
            "the rule " + std::string(rules_[i]->name) +
            (changed ? " says that it changed something, but did not" : " changed something, but does not say so"));
      }
      if (changed) return fired(i, node);
    }
    return false;
  }

  // Records how the attributes have changed since the last call.
  void record_changes(std::vector<AttributeChange>& changes) {
    const auto& now = context_.plan().attributes;
    for (AttributeId id = 0; id < known_.size(); ++id) {
      if (known_[id].types == now[id].types && known_[id].storage == now[id].storage &&
          known_[id].table == now[id].table)
        continue;
      changes.push_back({id, known_[id], now[id]});
      known_[id] = now[id];
    }
    known_.insert(known_.end(), now.begin() + static_cast<std::ptrdiff_t>(known_.size()), now.end());
  }

  // Calls `visit` on each relation directly in `node`, and maintains the path to it.
  template <class Node, class Visit>
  void each_rel(Node& node, const Visit& visit) {
    path_.push_back(0);
    for_each_rel(node, [&](Rel& rel) {
      visit(rel);
      path_.back() += 2;
    });
    path_.pop_back();
  }
  // Likewise on each expression.
  template <class Node, class Visit>
  void each_expr(Node& node, const Visit& visit) {
    path_.push_back(1);
    for_each_expr(node, [&](Expr& expr) {
      visit(expr);
      path_.back() += 2;
    });
    path_.pop_back();
  }

  static bool tests_truth(const Rel& owner, const Expr& expr) {
    const auto among = [&](const std::vector<Expr>& list) {
      return !list.empty() && &expr >= list.data() && &expr < list.data() + list.size();
    };
    if (const auto* filter = owner.as<Filter>()) return among(filter->conjuncts);
    if (const auto* join = owner.as<Join>()) return among(join->on);
    if (const auto* apply = owner.as<Apply>()) return among(apply->on);
    if (const auto* aggregate = owner.as<Aggregate>()) {
      return std::any_of(aggregate->calls.begin(), aggregate->calls.end(),
                         [&](const AggregateCall& call) { return call.filter.get() == &expr; });
    }
    if (const auto* window = owner.as<Window>()) {
      return std::any_of(window->calls.begin(), window->calls.end(),
                         [&](const WindowCall& call) { return call.filter.get() == &expr; });
    }
    return false;
  }

  bool visit(Rel& rel, const Above& above, const ExprSite* outer) {
    if (exhausted()) return false;
    bool changed = false;
    each_rel(rel, [&](Rel& input) {
      changed = visit(input, {&rel, rel.is<Project>() ? above.operation : &rel}, outer) || changed;
    });
    ExprSite site(rel, context_, outer);
    each_expr(rel, [&](Expr& expr) { changed = visit_expr(expr, site, tests_truth(rel, expr)) || changed; });
    context_.set_above(above);
    while (!exhausted() && try_rules(rel_rules_[rel.node.index()], rel,
                                     [&](const Rule& rule) { return std::get<RuleOnRel>(rule.apply)(rel, context_); }))
      changed = true;
    return changed;
  }

  // From the root down, since the operators above decide the usage. A renaming ends the round.
  bool visit_uses(Rel& rel, const Usage& usage) {
    if (exhausted()) return false;
    bool changed = false;
    while (!exhausted() && try_rules(use_rules_[rel.node.index()], rel, [&](const Rule& rule) {
      return std::get<RuleOnUse>(rule.apply)(rel, usage, context_);
    })) {
      changed = true;
      if (context_.has_renaming()) return true;
    }
    each_rel(rel, [&](Rel& input) {
      if (!context_.has_renaming()) changed = visit_uses(input, usage_of_input(rel, input, usage)) || changed;
    });
    each_expr(rel, [&](Expr& expr) { changed = visit_uses(expr) || changed; });
    return changed;
  }

  bool visit_uses(Expr& expr) {
    bool changed = false;
    each_expr(expr, [&](Expr& operand) { changed = visit_uses(operand) || changed; });
    each_rel(expr, [&](Rel& rel) {
      if (!context_.has_renaming()) changed = visit_uses(rel, usage_of_subquery(expr)) || changed;
    });
    return changed;
  }

  bool visit_expr(Expr& expr, ExprSite& site, bool truth_only) {
    if (exhausted()) return false;
    bool changed = false;
    const bool passes_on = truth_only && (expr.is<And>() || expr.is<Or>());
    const auto* truth = expr.as<IsTruth>();
    const bool asks_for_truth = passes_on || (truth != nullptr && truth->truth);
    const auto* choice = expr.as<Case>();
    each_expr(expr, [&](Expr& operand) {
      bool is_condition = asks_for_truth;
      if (choice != nullptr && !choice->operand) {
        is_condition = std::any_of(choice->branches.begin(), choice->branches.end(),
                                   [&](const Branch& b) { return b.condition.get() == &operand; });
      }
      changed = visit_expr(operand, site, is_condition) || changed;
    });
    each_rel(expr, [&](Rel& rel) { changed = visit(rel, {}, &site) || changed; });
    site.truth_only = truth_only;
    while (!exhausted() && try_rules(expr_rules_[expr.node.index()], expr, [&](const Rule& rule) {
      return std::get<RuleOnExpr>(rule.apply)(expr, site, context_);
    }))
      changed = true;
    return changed;
  }

  const NormaliseOptions& options_;
  std::span<const Rule* const> rules_;
  RuleContext context_;
  std::vector<RewritingRound>* trace_;  // nullptr: not requested
  std::vector<std::uint32_t> path_;     // the path to the node being visited
  std::vector<Attribute> known_;        // the attributes after the last rewriting that was recorded
  std::vector<int> times_;
  std::vector<std::vector<Assumption>> relied_on_;
  std::array<std::vector<std::size_t>, max_kinds> rel_rules_;
  std::array<std::vector<std::size_t>, max_kinds> expr_rules_;
  std::array<std::vector<std::size_t>, max_kinds> use_rules_;
  int steps_ = 0;
  int max_steps_ = 0;
  std::size_t max_nodes_ = 0;
  std::size_t counted_attributes_;  // how many there were when the tree was counted last
  bool too_large_ = false;
  unsigned questions_ = 0;
  unsigned questions_between_looks_ = 1;  // at the clock
  bool stopped_ = false;
};

}  // namespace

Normalised normalise(Plan plan, const NormaliseOptions& options) {
  Normalised result;
  result.plan = std::move(plan);
  Driver driver(result.plan, options, result.trace);
  driver.verify_after("the builder");
  driver.run();
  if (options.put_in_order) {
    // Once sorted, operands may match a rule that they did not match before.
    for (int steps = -1; steps != driver.steps() && !driver.exhausted();) {
      steps = driver.steps();
      auto renumbering = put_in_order(result.plan);
      driver.verify_after("put_in_order");
      if (options.record) result.trace.back().renumbering = std::move(renumbering);
      driver.run();
    }
  }
  result.fired = driver.firings();
  result.assumptions = driver.assumptions();
  result.complete = !driver.exhausted();
  result.stopped = driver.stopped();
  if (options.verify && result.complete && options.rules.empty()) verify_or_throw(result.plan, "normalisation");
  return result;
}

}  // namespace trustsql::plan
