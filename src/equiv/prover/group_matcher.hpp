// Aggregates: whether GROUP BY makes the same groups of the same rows, and the same calls over them.
//
// Over inputs that are the same as bags, the groups are the same if the keys of each side are determined by those of
// the other: by equality, by constants, or by functional dependencies. A bare column, and MIN or MAX of a value that is
// the same in all rows of a group, counts as that value. If no call depends on duplicates, it is enough that the inputs
// are the same as sets of the columns that keys and calls use.
//
// Budget: that of comparing the inputs, and of the condition solver.
#pragma once

#include "equiv/prover/chase.hpp"
#include "equiv/prover/relation_comparison.hpp"
#include "equiv/prover/search_state.hpp"

namespace trustsql::equiv {

class GroupMatcher {
 public:
  // All of these must outlive this object.
  GroupMatcher(SearchState& state, Chase& chase, RelationComparison& relations)
      : state_(state), chase_(chase), relations_(relations) {}

  // Whether both have the same rows; `then` is then called, with the attributes of `from` bound.
  bool match(const plan::Aggregate& to, const plan::Aggregate& from, Then then);

 private:
  bool match_as_sets(const plan::Aggregate& to, const plan::Aggregate& from);

  SearchState& state_;
  Chase& chase_;
  RelationComparison& relations_;
};

}  // namespace trustsql::equiv
