// What becomes of the rows of a relation in the operators above it.
#pragma once

#include "plan/rel.hpp"

namespace trustsql::plan {

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

}  // namespace trustsql::plan
