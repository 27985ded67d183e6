// Bags: whether two relations have the same rows with the same number of duplicates.
//
// A backtracking search pairs the leaves of two blocks one to one (leaf_matcher.hpp), and the joins that add columns;
// what remains to be done once a pair is found is passed on as a continuation. Under a complete pairing the conditions
// of each side, semi- and anti-joins included, must follow from those of the other (containment.hpp). Relations with a
// UNION ALL below joins are split into sums of blocks, which are paired one to one.
//
// Budget: a step for each pair of leaves, of joins and of addends that is tried, with a level of recursion for each;
// blocks with very many leaves, and sums of many blocks, are not compared.
#pragma once

#include <vector>

#include "equiv/prover/chase.hpp"
#include "equiv/prover/containment.hpp"
#include "equiv/prover/flat_block.hpp"
#include "equiv/prover/leaf_matcher.hpp"
#include "equiv/prover/search_state.hpp"

namespace trustsql::equiv {

class BagMatcher {
 public:
  // All of these must outlive this object.
  BagMatcher(SearchState& state, Chase& chase, LeafMatcher& leaves, Containment& containment)
      : state_(state), chase_(chase), leaves_(leaves), containment_(containment) {}

  // Whether `to` and `from` are the same bag; `then` is then called, with the attributes of `from` bound.
  bool match(const plan::Rel& to, const plan::Rel& from, Then then);
  // Whether `rel` never has a row.
  bool is_empty(const plan::Rel& rel);

 private:
  // A relation as a sum of blocks, which bind its columns.
  struct Sum {
    std::vector<FlatBlock> addends;
    Columns columns;
  };

  bool match_blocks(const FlatBlock& to, const FlatBlock& from, Then then);
  bool match_rows(const FlatBlock& to, const FlatBlock& from, Then then);
  bool match_leaves(const FlatBlock& to, const FlatBlock& from, std::vector<bool>& used, std::size_t leaf, Then then);
  bool match_parts(const FlatBlock& to, const FlatBlock& from, std::vector<bool>& used, std::size_t part, Then then);
  bool match_part(const FlatBlock& to, const BlockPart& to_part, const BlockPart& from_part, Then then);
  FlatBlock without_parts(const FlatBlock& block);
  bool same_conditions(const FlatBlock& to, const FlatBlock& from, const FlatBlock* around = nullptr);

  bool match_sums(const plan::Rel& to, const plan::Rel& from, Then then);
  bool same_sums(const plan::Rel& to, const plan::Rel& from);
  bool match_addends(const Sum& to, const Sum& from, std::vector<bool>& used, std::size_t addend);
  bool same_addends(const Sum& to, const FlatBlock& to_addend, const Sum& from, const FlatBlock& from_addend);
  bool is_absurd_addend(const FlatBlock& block);

  SearchState& state_;
  Chase& chase_;
  LeafMatcher& leaves_;
  Containment& containment_;
};

}  // namespace trustsql::equiv
