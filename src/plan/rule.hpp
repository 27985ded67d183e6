// Rules: rewritings of a plan into an equivalent one.
//
// Each rule has its own pair of files in rules/. The header states the law, the conditions under which it holds in
// SQLite, and an example; the source checks every condition before it changes anything. A rule looks at one operator or
// one expression (and what is below it) at a time; the driver (normaliser.hpp) applies it everywhere.
#pragma once

#include <string_view>

#include "plan/facts.hpp"
#include "plan/types.hpp"
#include "plan/walk.hpp"

namespace trustsql::plan {

// Which assumptions rewritings may use, and which they have relied on so far.
class RuleContext {
 public:
  RuleContext(Plan& plan, const Assume& assume) : plan_(plan), assume_(assume) {}

  Plan& plan() { return plan_; }
  const Plan& plan() const { return plan_; }
  const Assume& assume() const { return assume_; }
  // The assumptions relied on since the last call.
  std::vector<Assumption> take_assumptions() { return std::exchange(assumptions_, {}); }

  Facts facts(const Rel& rel) const { return facts_of(rel, plan_); }

  // These check a fact. If it holds only under assumptions that may be made, they record those and return true.
  bool superkey(const AttributeSet& attributes, const Facts& facts);
  bool single_row(const Facts& facts) { return superkey({}, facts); }
  bool non_null(const Expr& expr, const Facts& facts);
  // Whether the closure of `attributes` contains `target`.
  bool determines(const AttributeSet& attributes, AttributeId target, const Facts& facts);
  // Whether the value of `expr` is always an integer or NULL.
  bool integers_only(const Expr& expr);

  // Records that a rewriting relies on this assumption.
  void rely_on(Assumption assumption);
  // Records the assumption that these columns, parts of primary keys, hold no NULL.
  void rely_on_not_null(const AttributeSet& columns);

  // Renames attributes wherever they are used in the plan, after the rule has returned; the rule must then return true.
  void rename_later(Renaming renaming) { renaming_.merge(std::move(renaming)); }
  Renaming take_renaming() { return std::exchange(renaming_, {}); }
  const Renaming& renaming() const { return renaming_; }
  bool has_renaming() const { return !renaming_.empty(); }

  // The operator above the one that a rule is looking at; nullptr at the root of a query or subquery.
  const Rel* parent() const { return parent_; }
  void set_parent(const Rel* parent) { parent_ = parent; }

 private:
  Plan& plan_;
  Assume assume_;
  std::vector<Assumption> assumptions_;
  const Rel* parent_ = nullptr;
  Renaming renaming_;
};

// The place of an expression in a plan.
class ExprSite {
 public:
  // `owner`, the operator that contains the expression, is evaluated on the rows of its inputs; `outer` is the site of
  // the subquery that contains it, if any.
  ExprSite(const Rel& owner, const RuleContext& context, const ExprSite* outer)
      : owner_(&owner), context_(&context), outer_(outer) {}

  // What holds for the rows that the expression is evaluated on, including those of enclosing queries.
  const Facts& facts() const;

  // Whether it only matters if the expression is true, so that false and NULL are interchangeable.
  bool truth_only = false;

 private:
  const Rel* owner_;
  const RuleContext* context_;
  const ExprSite* outer_;
  mutable std::optional<Facts> facts_;
};

// How the rows of a relation are used.
struct Usage {
  // Who sees the order of the rows: nobody (unseen); only the reader of the query's result (shown); or an operator
  // further up, such as a LIMIT or an ordered aggregate, so that the result depends on it (used).
  enum class Order : std::uint8_t { unseen, shown, used };

  AttributeSet needed;            // the outputs that something above uses
  bool positional = true;         // the number and order of the outputs must not change
  bool duplicates_matter = true;  // how often a row occurs matters; false: only whether it occurs
  Order order = Order::shown;
};

// The usage of `input`, one of the inputs of `rel`, which is itself used as `usage` says.
Usage usage_of_input(const Rel& rel, const Rel& input, const Usage& usage);
// The usage of the relation of the subquery in `expr`.
Usage usage_of_subquery(const Expr& expr);

using KindSet = std::uint32_t;

// The set of the node types T; the driver selects the rules to try by it.
template <class Node, class... T>
constexpr KindSet kinds_of() {
  const auto index = []<class U, class... Us>(std::type_identity<U>, std::type_identity<std::variant<Us...>>) {
    KindSet bit = 0;
    KindSet at = 1;
    ((bit |= std::is_same_v<U, Us> ? at : 0, at <<= 1), ...);
    return bit;
  };
  return (index(std::type_identity<T>(), std::type_identity<typename Node::Node>()) | ...);
}
template <class... T>
inline constexpr KindSet rel_kinds = kinds_of<Rel, T...>();
template <class... T>
inline constexpr KindSet expr_kinds = kinds_of<Expr, T...>();

// One rule. Exactly one of the functions is set; each returns whether it changed something.
struct Rule {
  std::string_view name{};
  KindSet kinds = 0;  // the nodes that the function is called with
  bool (*on_rel)(Rel& rel, RuleContext& context) = nullptr;
  bool (*on_expr)(Expr& expr, const ExprSite& site, RuleContext& context) = nullptr;
  bool (*on_use)(Rel& rel, const Usage& usage,
                 RuleContext& context) = nullptr;  // for rules that depend on how the rows are used
};

}  // namespace trustsql::plan
