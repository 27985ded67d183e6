// Containment: whether each row of a relation, as a set, is a row of another one.
//
// Both relations are unions of blocks. A block is contained in a union if its tableau has a homomorphism from a block
// of the union into it (Chandra and Merlin 1977; unions of blocks: Sagiv and Yannakakis 1980): each leaf of the pattern
// is mapped to a leaf of the tableau such that the conditions of the pattern follow. If no pattern is found in all
// rows, it is enough that one of several is found in each. The tableau is chased with foreign keys where that helps
// (chase.hpp).
//
// The same test shows whether a row has a match in a semi-join, and whether an anti-join excludes it.
//
// Budget: a step for each pair of leaves that is tried and for each nested containment, with levels of recursion;
// containments are nested to a fixed depth, and only a fixed number of blocks and of alternative patterns is looked at.
#pragma once

#include <vector>

#include "equiv/prover/chase.hpp"
#include "equiv/prover/flat_block.hpp"
#include "equiv/prover/leaf_matcher.hpp"
#include "equiv/prover/search_state.hpp"

namespace trustsql::equiv {

class Containment {
 public:
  // All of these must outlive this object.
  Containment(SearchState& state, Chase& chase, LeafMatcher& leaves) : state_(state), chase_(chase), leaves_(leaves) {}

  // Whether the columns of each row of `part` are, in their order, those of a row of `whole`. `identical`: 1 and 1.0
  // differ.
  bool contained(const plan::Rel& part, const Columns& part_columns, const plan::Rel& whole,
                 const Columns& whole_columns, bool identical);

  // Whether the conjuncts are true for each row of the tableau, and the semi- and anti-joins of `parts` keep it; parts
  // that add columns are not looked at.
  bool follows(Tableau& tableau, const std::vector<const plan::Expr*>& conjuncts, const std::vector<BlockPart>& parts);

  // Whether the tableau has no rows: its conditions contradict each other, or an anti-join excludes all rows.
  bool absurd(Tableau& tableau);
  // The same for a block.
  bool absurd(const FlatBlock& block);

 private:
  using Conditions = std::vector<const plan::Expr*>;
  // The patterns of which one must be found in each row, and what is to hold of the pattern.
  struct Patterns {
    const std::vector<FlatBlock>& blocks;
    const std::vector<plan::Expr>& on;
    bool identical;  // values that `on` compares must be identical
  };

  bool follows(Tableau& tableau, const plan::Expr& conjunct);
  bool entails(Tableau& tableau, const BlockPart& part);
  bool entails_not(const Tableau& tableau, const BlockPart& part);
  bool has_homomorphism(Tableau& tableau, const Patterns& patterns);
  bool find_patterns(Tableau& tableau, const Patterns& patterns);
  bool holds(Tableau& tableau, const FlatBlock& pattern, const Patterns& patterns, std::vector<Conditions>& candidates);
  bool find_homomorphism(Tableau& tableau, const FlatBlock& pattern, std::size_t leaf, Then then);

  SearchState& state_;
  Chase& chase_;
  LeafMatcher& leaves_;
  int containments_ = 0;  // nesting of the containments that are being checked
  int refutations_ = 0;   // nesting of the conditions that are tried by assuming the opposite
};

}  // namespace trustsql::equiv
