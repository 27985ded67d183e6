// The check of a proof's rewrites: whether each step by which the normaliser got from a query to its normal form
// preserves the result.
//
// The checker performs the steps again, on a tree of its own, and looks at each place before and after. It uses the
// data structures of plans and the catalog, but none of the code by which the rules decide: nullability, functional
// dependencies, the demand on rows, truth contexts and the values of constant expressions are all derived again
// (knowledge.hpp, laws.hpp, evaluator.hpp).
//
// Expressions are evaluated, before and after, over representative values of their attributes (agreement.hpp): a
// wrong value is detected if one of these shows it. Operators are compared by their forms (form.hpp) and by a law for
// each rule, which checks the rule's conditions again. Every step must keep the columns that are needed above and use
// no attribute that is not available. A rule without a law is rejected.
//
// Every rule of the normaliser has a law here. Limits: an evaluation over selected values is a test, not a proof;
// facts about the tables are taken from the catalog as they are; and the differences that a question tolerates
// (prover/tolerance.hpp) are worked into the plans before the first step that is checked.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "equiv/checker/laws.hpp"
#include "plan/normaliser.hpp"

namespace trustsql::equiv::checker {

// One rewrite, and what is known about its place.
struct RewriteStep {
  std::string_view rule{};
  std::variant<plan::Rel, plan::Expr> before{};
  std::variant<plan::Rel, plan::Expr> after{};  // of the same kind
  bool truth_only = false;                      // for an expression: whether false and NULL are interchangeable there
  plan::AttributeSet non_null{};                // for an expression: attributes that are not NULL there
  std::optional<Demand> demand{};               // for a relation; if missing, everything may be used
  plan::Renaming renaming{};
  std::vector<plan::Assumption> assumptions{};
};

// Why the step is rejected; nullopt if it is accepted. `plan` has the attributes.
std::optional<std::string> reject_rewrite(const RewriteStep& step, const plan::Plan& plan);

struct RewriteCheck {
  int steps = 0;                           // accepted steps
  std::optional<std::string> rejection{};  // of the step after these
};

// Checks all steps from `plan` to `normalised`, which must have a trace, that they lead there, and that ordering has
// changed only the order of elements that may be in any order.
RewriteCheck check_rewrites(const plan::Plan& plan, const plan::Normalised& normalised);

// Whether the trees differ only in the order of conditions, operands, inner joins and columns that are identified by
// name.
bool same_but_for_order(const plan::Rel& a, const plan::Rel& b);

}  // namespace trustsql::equiv::checker
