// Rules: rewritings of a plan into one of the same results.
//
// Each rule stands in a file pair of its own in rules/. Its header states its law, when it holds in SQLite, and an
// example; its source checks every condition before it changes anything. A rule looks at one operator or one expression
// (and what is below it) at a time; the driver (normaliser.hpp) takes it everywhere.
#pragma once

#include <string_view>

#include "plan/facts.hpp"
#include "plan/types.hpp"
#include "plan/walk.hpp"

namespace trustsql::plan {

// Which rewritings may be used, and what they have relied on so far.
class RuleContext {
 public:
  RuleContext(Plan& plan, const Assume& assume) : plan_(plan), assume_(assume) {}

  Plan& plan() { return plan_; }
  const Plan& plan() const { return plan_; }
  const Assume& assume() const { return assume_; }
  // What was relied on since the last call.
  std::vector<Assumption> take_assumptions() { return std::exchange(assumptions_, {}); }

  Facts facts(const Rel& rel) const { return facts_of(rel, plan_); }

  // These ask for a fact; if it holds only under assumptions that may be made, they record them and say yes.
  bool superkey(const AttributeSet& attributes, const Facts& facts);
  bool single_row(const Facts& facts) { return superkey({}, facts); }
  bool non_null(const Expr& expr, const Facts& facts);
  // The closure of `attributes` contains `target`.
  bool determines(const AttributeSet& attributes, AttributeId target, const Facts& facts);
  // The value of `expr` is an integer or NULL.
  bool integers_only(const Expr& expr);

  // Notes that a rewriting relies on this.
  void rely_on(Assumption assumption);
  // Notes that these columns, parts of primary keys, are taken to hold no NULL.
  void rely_on_not_null(const AttributeSet& columns);

  // Renames attributes wherever they are used in the plan, as soon as the rule has returned; it must return true then.
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

// Where an expression stands.
class ExprSite {
 public:
  // `owner` is evaluated on the rows of its inputs; `outer` is the site of the subquery that it stands in, if any.
  ExprSite(const Rel& owner, const RuleContext& context, const ExprSite* outer)
      : owner_(&owner), context_(&context), outer_(outer) {}

  // What holds for the rows that the expression is evaluated on; those of enclosing queries included.
  const Facts& facts() const;

  // Whether only its being true counts: false and NULL are as good as each other.
  bool truth_only = false;

 private:
  const Rel* owner_;
  const RuleContext* context_;
  const ExprSite* outer_;
  mutable std::optional<Facts> facts_;
};

// What becomes of the rows of a relation.
struct Usage {
  // Who sees the order of the rows: nobody, only who reads the result of the query, or a LIMIT, an ordered aggregate
  // and the like further up, on which the result depends.
  enum class Order : std::uint8_t { unseen, shown, used };

  AttributeSet needed;            // the outputs that something above uses
  bool positional = true;         // their number and order must stay as they are
  bool duplicates_matter = true;  // whether a row is there once or several times; false: only whether it is there
  Order order = Order::shown;
};

// The usage of the inputs of `rel`, which is itself used like that. `input` is one of them.
Usage usage_of_input(const Rel& rel, const Rel& input, const Usage& usage);
// The usage of the relation of a subquery, where it is an operand of `expr`.
Usage usage_of_subquery(const Expr& expr);

using KindSet = std::uint32_t;

// The set of the node types T, by which the driver finds the rules to try.
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

// One rule. Exactly one of the functions is given; each returns whether it changed something.
struct Rule {
  std::string_view name{};
  KindSet kinds = 0;  // the nodes that the function is called with
  bool (*on_rel)(Rel& rel, RuleContext& context) = nullptr;
  bool (*on_expr)(Expr& expr, const ExprSite& site, RuleContext& context) = nullptr;
  bool (*on_use)(Rel& rel, const Usage& usage,
                 RuleContext& context) = nullptr;  // needs to know what becomes of the rows
};

}  // namespace trustsql::plan
