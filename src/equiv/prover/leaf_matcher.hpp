// Leaves: whether an operator of one query gives the same rows as an operator of the same kind in the other.
//
// Two uses of a table are the same rows. DISTINCT, UNION ALL, LIMIT, FULL JOIN, window functions and aggregates are the
// same if they do the same to inputs that are the same as bags or, where duplicates do not matter, as sets; which these
// are, is asked through RelationComparison. Aggregates have a part of their own (group_matcher.hpp).
//
// Budget: a level of recursion for each input of a UNION ALL; the rest is that of comparing the inputs.
#pragma once

#include <vector>

#include "equiv/prover/chase.hpp"
#include "equiv/prover/group_matcher.hpp"
#include "equiv/prover/relation_comparison.hpp"
#include "equiv/prover/search_state.hpp"

namespace trustsql::equiv {

class LeafMatcher {
 public:
  // All of these must outlive this object.
  LeafMatcher(SearchState& state, Chase& chase, RelationComparison& relations)
      : state_(state), chase_(chase), relations_(relations), groups_(state, chase, relations) {}

  // Whether the rows of `to` and `from` correspond one to one; `then` is then called, with the attributes of `from`
  // bound.
  bool match(const plan::Rel& to, const plan::Rel& from, Then then);

 private:
  bool match(const plan::Scan& to, const plan::Scan& from, Then then);
  bool match(const plan::Values& to, const plan::Values& from, Then then);
  bool match(const plan::TableFunction& to, const plan::TableFunction& from, Then then);
  bool match(const plan::Window& to, const plan::Window& from, Then then);
  bool match(const plan::Distinct& to, const plan::Distinct& from, Then then);
  bool match(const plan::SetOp& to, const plan::SetOp& from, Then then);
  bool match(const plan::Limit& to, const plan::Limit& from, Then then);
  bool match(const plan::Join& to, const plan::Join& from, Then then);

  bool same_columns(ConditionSolver& given, const Columns& to, const Columns& from);
  // For each column of a UNION ALL the number of the corresponding column of the other.
  using ColumnMap = std::vector<std::size_t>;
  bool match_inputs(const plan::SetOp& to, const plan::SetOp& from, ColumnMap& columns, std::vector<bool>& used,
                    std::size_t input, Then then);
  bool map_columns(const plan::Rel& to, const plan::Rel& from, ColumnMap& columns, bool first);
  bool match_sides(const plan::Join& to, const plan::Rel& left, const plan::Rel& right,
                   const std::vector<plan::Expr>& from_on, Then then);

  SearchState& state_;
  Chase& chase_;
  RelationComparison& relations_;
  GroupMatcher groups_;
};

}  // namespace trustsql::equiv
