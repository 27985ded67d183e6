// The check of a proof's rewritings: whether each step by which the normaliser came from a query to its normal form
// leaves the result as it was.
//
// The checker makes the steps again, in a tree of its own, and looks at each place before and after. It uses the data
// structures of plans and the catalog, but none of the code by which the rules decide: what is never NULL, what
// determines what, what uses a row, where only truth counts, what a constant expression gives are all found out anew
// (knowledge.hpp, laws.hpp, evaluator.hpp).
//
// Expressions are evaluated, before and after, over representative values of their attributes (agreement.hpp): a wrong
// value is found if one of these shows it. Operators are compared by their forms (form.hpp) and by a law for each rule,
// whose conditions are read again. Every step keeps the columns that are asked for and uses no attribute that is not
// there. A rule without a law is not accepted.
//
// Every rule of the normaliser has a law here. What is not shown: an evaluation over chosen values is a test, no proof;
// facts of the tables are taken from the catalog as they stand; and what a question lets pass (prover/tolerance.hpp) is
// worked into the plans before the first step that is looked at.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "equiv/checker/laws.hpp"
#include "plan/normaliser.hpp"

namespace trustsql::equiv::checker {

// One rewriting, and what is known of its place.
struct RewriteStep {
  std::string_view rule{};
  std::variant<plan::Rel, plan::Expr> before{};
  std::variant<plan::Rel, plan::Expr> after{};  // of the same kind
  bool truth_only = false;                      // of an expression: whether false is as good as NULL there
  plan::AttributeSet non_null{};                // of an expression: attributes that are not NULL there
  std::optional<Demand> demand{};               // of a relation; without it all of the rows is asked for
  plan::Renaming renaming{};
  std::vector<plan::Assumption> assumptions{};
};

// Why the step is not accepted, nullopt if it is. `plan` has the attributes.
std::optional<std::string> reject_rewrite(const RewriteStep& step, const plan::Plan& plan);

struct RewriteCheck {
  int steps = 0;                           // that were accepted
  std::optional<std::string> rejection{};  // of the step after these
};

// Checks all steps from `plan` to `normalised`, which must have a trace. Also that they lead there, and that ordering
// has changed nothing but the order of what may stand in any.
RewriteCheck check_rewrites(const plan::Plan& plan, const plan::Normalised& normalised);

// Whether the trees differ in nothing but the order of conditions, operands, inner joins and columns that go by name.
bool same_but_for_order(const plan::Rel& a, const plan::Rel& b);

}  // namespace trustsql::equiv::checker
