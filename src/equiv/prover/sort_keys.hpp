// Whether two lists of sort keys order rows in the same way, under the bindings of a search.
//
// A key may be left out if it is constant, or determined by the keys before it. Budget: that of the condition solver.
#pragma once

#include <vector>

#include "equiv/prover/chase.hpp"
#include "equiv/prover/search_state.hpp"

namespace trustsql::equiv {

// Whether the keys put the rows of `to` into the same order.
bool same_order(SearchState& state, Chase& chase, const plan::Rel& to, const std::vector<plan::SortKey>& to_keys,
                const std::vector<plan::SortKey>& from_keys);

}  // namespace trustsql::equiv
