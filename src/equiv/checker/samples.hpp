// The values that expressions are evaluated over (agreement.hpp).
#pragma once

#include <vector>

#include "base/function_ref.hpp"
#include "equiv/checker/evaluator.hpp"
#include "equiv/checker/knowledge.hpp"

namespace trustsql::equiv::checker {

// What an expression is made of, its subqueries left out.
struct Parts {
  std::vector<plan::AttributeId> attributes{};
  std::vector<const Value*> constants{};
  std::vector<std::uint64_t> random{};  // calls whose value is not fixed
  std::vector<const plan::Compare*> equations{};
  std::size_t nodes = 0;
  bool has_functions = false;  // with values that the evaluator picks
};

// Adds the parts of `expr`.
void collect(const plan::Expr& expr, Parts& parts);
// The parts of two expressions that are compared. Of many constants some, those first that only one of them has.
Parts united(Parts a, const Parts& b);

// Whether the values are the same in every respect: 1 and 1.0 are not.
inline bool identical(const ValueView& a, const ValueView& b) { return a.type == b.type && equal(a, b); }

// Calls `differ(evaluator)` in world after world, with values for all attributes, until it says yes. Returns whether it
// never does. Attributes in `non_null` are not NULL.
bool hold_everywhere(const Parts& parts, const plan::AttributeSet& non_null, const Given& given,
                     FunctionRef<bool(Evaluator&)> differ);

}  // namespace trustsql::equiv::checker
