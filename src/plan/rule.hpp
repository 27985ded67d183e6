// Rules: rewritings of a plan into an equivalent one.
//
// Each rule has a pair of files in rules/ with its name. The header states the law, the conditions under which it holds
// in SQLite, and an example; the source checks every condition before it changes anything. A rule looks at one operator
// or one expression (and what is below it) at a time; the driver (normaliser.hpp) applies it everywhere.
#pragma once

#include <limits>
#include <string_view>
#include <utility>
#include <variant>

#include "plan/facts.hpp"
#include "plan/readings.hpp"
#include "plan/types.hpp"
#include "plan/usage.hpp"
#include "plan/walk.hpp"

namespace trustsql::plan {

// What is above an operator, in the same query or subquery.
struct Above {
  const Rel* parent = nullptr;
  const Rel* operation = nullptr;  // the next one that is no projection
};

// Which assumptions rewritings may use, and which they have relied on so far.
class RuleContext {
 public:
  RuleContext(Plan& plan, Assume assume) : plan_(plan), assume_(std::move(assume)) {}

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
  // Whether the value of `expr` is always an integer, a text or a real, or NULL.
  bool integers_only(const Expr& expr) { return has_only(types::integer, Affinity::integer, expr); }
  bool texts_only(const Expr& expr) { return has_only(types::text, Affinity::text, expr); }
  bool reals_only(const Expr& expr);

  // Whether the column of texts holds only NULL and texts that are read so (number_text.hpp).
  bool texts_of_numbers(AttributeId id, Reading reading);

  // The dates that the column holds under an assumption that may be made; nullopt if there is none. A rule that uses
  // this must say so with rely_on_dates().
  std::optional<Reading> dates_in(AttributeId id) const;
  void rely_on_dates(AttributeId id);

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
  const Rel* parent() const { return above_.parent; }
  // The next operator above that is no projection; nullptr if there is none.
  const Rel* operation_above() const { return above_.operation; }
  void set_above(const Above& above) { above_ = above; }

 private:
  // Whether all values of `expr` but NULL have the type; `stored` is the affinity of columns declared so.
  bool has_only(TypeSet type, Affinity stored, const Expr& expr);

  Plan& plan_;
  Assume assume_;
  std::vector<Assumption> assumptions_;
  Above above_{};
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

using KindSet = std::uint32_t;
inline constexpr std::size_t max_kinds = std::numeric_limits<KindSet>::digits;
static_assert(std::variant_size_v<Rel::Node> <= max_kinds && std::variant_size_v<Expr::Node> <= max_kinds);

// The set of the node types T; the driver selects the rules to try by it.
template <class Node, class... T>
constexpr KindSet kinds_of() {
  const auto index = []<class U, class... Us>(std::type_identity<U>, std::type_identity<std::variant<Us...>>) {
    KindSet bit = 0;
    KindSet next = 1;
    ((bit |= std::is_same_v<U, Us> ? next : 0, next <<= 1), ...);
    return bit;
  };
  return (index(std::type_identity<T>(), std::type_identity<typename Node::Node>()) | ...);
}
template <class... T>
inline constexpr KindSet rel_kinds = kinds_of<Rel, T...>();
template <class... T>
inline constexpr KindSet expr_kinds = kinds_of<Expr, T...>();

// What a rule does to one query. A test applies the rule and compares the plans, and the rows that SQLite gives.
struct RuleExample {
  // The tables of all examples.
  static constexpr std::string_view schema =
      "CREATE TABLE p(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, age INT, city TEXT, score REAL);"
      "CREATE TABLE c(cid INTEGER PRIMARY KEY, pid INT NOT NULL REFERENCES p(id), qid INTEGER REFERENCES p, v INT,"
      " w TEXT);";

  std::string_view before{};       // a query
  std::string_view prepared_by{};  // names of rules that are applied to its plan first, separated by blanks
  std::string_view after{};        // the plan after the rule: plan_text() with the inputs of operators in parentheses
};

// Where a rule applies: to a relation, to an expression, or to a relation in view of how its rows are used. Each
// function returns whether it changed something.
using RuleOnRel = bool (*)(Rel& rel, RuleContext& context);
using RuleOnExpr = bool (*)(Expr& expr, const ExprSite& site, RuleContext& context);
using RuleOnUse = bool (*)(Rel& rel, const Usage& usage, RuleContext& context);

struct Rule {
  std::string_view name{};  // also that of its files
  KindSet kinds = 0;        // the nodes that the function is called with
  std::variant<RuleOnRel, RuleOnExpr, RuleOnUse> apply{};
  RuleExample example{};
};

}  // namespace trustsql::plan
