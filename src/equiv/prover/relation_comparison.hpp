// The questions about two relations that the parts of the search ask each other.
//
// Comparing two operators leads to comparing their inputs, and so on. The parts of the search that pair operators
// (leaf_matcher.hpp, group_matcher.hpp) know nothing of each other but this interface, which the unifier implements.
#pragma once

#include "equiv/prover/search_state.hpp"

namespace trustsql::equiv {

class RelationComparison {
 public:
  virtual ~RelationComparison() = default;

  // Whether `to` and `from` have the same rows with the same number of duplicates; `then` is then called, with the
  // attributes of `from` bound.
  virtual bool bags(const plan::Rel& to, const plan::Rel& from, Then then) = 0;
  // Whether the columns of `a` and of `b`, in their order, have the same sets of rows. `identical`: 1 and 1.0 differ.
  virtual bool sets(const plan::Rel& a, const Columns& a_columns, const plan::Rel& b, const Columns& b_columns,
                    bool identical) = 0;
};

}  // namespace trustsql::equiv
