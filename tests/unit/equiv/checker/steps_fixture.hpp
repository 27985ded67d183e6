// Single steps of rules for tests of the checker: a step that a rule takes, and the same step with a mistake.
#pragma once

#include <gtest/gtest.h>

#include <functional>

#include "equiv/checker/rewrites.hpp"
#include "plan/normaliser.hpp"
#include "plan/put_in_order.hpp"
#include "plan/walk.hpp"
#include "unit/plan/plan_of.hpp"

namespace trustsql::equiv::checker {

using namespace plan;

inline constexpr const char* schema_of_steps =
    "CREATE TABLE p(id INTEGER PRIMARY KEY, name TEXT, age INT, city TEXT NOT NULL);"
    "CREATE TABLE c(cid INTEGER PRIMARY KEY, pid INT NOT NULL REFERENCES p(id), v INT, w INT NOT NULL);";

// The first T in a tree.
template <class T>
T& first(std::variant<Rel, Expr>& node) {
  T* first_node = nullptr;
  std::visit(
      [&](auto& tree) {
        walk(tree, [&](T& node_of_type) { first_node = first_node != nullptr ? first_node : &node_of_type; });
      },
      node);
  if (first_node == nullptr) throw std::runtime_error("there is none");
  return *first_node;
}

class CheckerOnSteps : public testing::Test {
 protected:
  struct Place {
    Rel* rel = nullptr;
    Expr* expr = nullptr;
  };
  static Place find(Rel& root, const std::vector<std::uint32_t>& path) {
    Place place{&root, nullptr};
    for (const auto turn : path) {
      Place next;
      std::uint32_t left = turn / 2;
      const auto on_rel = [&](Rel& rel) {
        if (left-- == 0) next.rel = &rel;
      };
      const auto on_expr = [&](Expr& expr) {
        if (left-- == 0) next.expr = &expr;
      };
      if (turn % 2 == 0) place.rel != nullptr ? for_each_rel(*place.rel, on_rel) : for_each_rel(*place.expr, on_rel);
      if (turn % 2 == 1)
        place.rel != nullptr ? for_each_expr(*place.rel, on_expr) : for_each_expr(*place.expr, on_expr);
      place = next;
    }
    return place;
  }

  // The first step that `rule` takes on the query; `plan_` has its attributes from then on.
  RewriteStep step(std::string_view rule, const std::string& sql, bool truth_only = false) {
    plan_ = maker_.plan(sql);
    const auto normalised = normalise(plan_, {.assume = Assume::everything(), .record = true, .verify = true});
    for (const auto& round : normalised.trace) {
      plan_.attributes = round.attributes;
      Rel tree = round.start;
      for (const auto& step_taken : round.steps) {
        const auto place = find(tree, step_taken.path);
        if (step_taken.rule == rule) {
          RewriteStep step_of_rule;
          step_of_rule.rule = rule;
          if (place.rel != nullptr) step_of_rule.before = *place.rel;
          if (place.expr != nullptr) step_of_rule.before = *place.expr;
          step_of_rule.after = step_taken.after;
          step_of_rule.truth_only = truth_only;
          step_of_rule.renaming = step_taken.renaming;
          step_of_rule.assumptions = step_taken.assumptions;
          return step_of_rule;
        }
        if (place.rel != nullptr) *place.rel = std::get<Rel>(step_taken.after);
        if (place.expr != nullptr) *place.expr = std::get<Expr>(step_taken.after);
        rename(tree, step_taken.renaming);
      }
    }
    std::string fired;
    for (const auto& each : normalised.fired) fired += " " + std::string(each.rule);
    throw std::runtime_error(std::string(rule) + " does not fire, but" + fired);
  }

  AttributeId attribute(std::string_view name) const {
    for (std::size_t id = 0; id < plan_.attributes.size(); ++id) {
      if (plan_.attributes[id].name == name && plan_.attributes[id].table != nullptr)
        return static_cast<AttributeId>(id);
    }
    throw std::runtime_error("no such attribute");
  }

  void accept(const RewriteStep& step) const {
    const auto why = reject_rewrite(step, plan_);
    EXPECT_FALSE(why) << *why;
  }
  void reject(const RewriteStep& step) const { EXPECT_TRUE(reject_rewrite(step, plan_)) << step.rule; }
  // The step is accepted, and once it is spoilt, it is rejected. `line`: that of the call, for messages.
  void accept_but(RewriteStep step, const std::function<void(RewriteStep&)>& spoil, int line = __builtin_LINE()) const {
    SCOPED_TRACE(line);
    accept(step);
    spoil(step);
    reject(step);
  }

  // The rows matter, but neither their order nor how often they occur.
  static Demand demand(AttributeSet needed, bool repeats = false) {
    return {std::move(needed), false, repeats, Demand::Order::none};
  }

  testing_support::PlanMaker maker_{schema_of_steps};
  Plan plan_;
};

}  // namespace trustsql::equiv::checker
