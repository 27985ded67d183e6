// The values over which expressions are evaluated (agreement.hpp).
#pragma once

#include <vector>

#include "base/function_ref.hpp"
#include "equiv/checker/evaluator.hpp"
#include "equiv/checker/knowledge.hpp"

namespace trustsql::equiv::checker {

// The parts of an expression, without its subqueries.
struct Parts {
  std::vector<plan::AttributeId> attributes{};
  std::vector<const Value*> constants{};
  std::vector<std::uint64_t> random{};  // calls whose value is not constant
  std::vector<const plan::Compare*> equations{};
  std::size_t nodes = 0;
  bool has_functions = false;  // whose values the evaluator chooses
};

// Adds the parts of `expr`.
void collect(const plan::Expr& expr, Parts& parts);
// The parts of two expressions that are compared. If there are many constants, only some, preferring those that only
// one of them has.
Parts united(Parts a, const Parts& b);

// Whether the values are the same in every respect: 1 and 1.0 are not.
inline bool identical(const ValueView& a, const ValueView& b) { return a.type == b.type && equal(a, b); }

// Calls `differ(evaluator)` in one world after another, with values for all attributes, until it returns true.
// Returns whether it never does. Attributes in `non_null` are not NULL.
bool hold_everywhere(const Parts& parts, const plan::AttributeSet& non_null, const Given& given,
                     FunctionRef<bool(Evaluator&)> differ);

}  // namespace trustsql::equiv::checker
