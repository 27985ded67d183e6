// Tableaus, and the chase: what holds for the rows of a block, if keys and foreign keys are taken into account (Maier,
// Mendelzon and Sagiv 1979).
//
// A tableau is a block about whose rows something is to be derived. Semi-joins become joins in it, as only the
// existence of a row is asked for. The chase adds what the schema requires: two rows of a table that agree in a key are
// the same row, and a row with a foreign key that is not NULL has a parent row, if that may be assumed. For each row of
// a table its CHECKs are true or NULL, if that may be assumed.
//
// Budget: a step for each round of the chase with keys, and one for each pair of a child and a parent that is tried;
// tableaus with many leaves are not chased with keys, and only a fixed number of parents is added.
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "db/catalog/catalog.hpp"
#include "equiv/prover/flat_block.hpp"
#include "equiv/prover/search_state.hpp"

namespace trustsql::equiv {

struct Tableau {
  std::vector<const plan::Rel*> leaves;  // those of semi-joins included
  std::vector<BlockPart> parts;          // the other parts
  ConditionSolver conditions;            // what holds for a row
};

// Whether the prover uses the CHECK: it is about stored columns, and functions whose values do not change.
bool is_usable_check(const plan::TableCheck& check, const trustsql::Table& table);

class Chase {
 public:
  // `state` must outlive this object, which must outlive the tableaus.
  explicit Chase(SearchState& state) : state_(state) {}
  Chase(const Chase&) = delete;
  Chase& operator=(const Chase&) = delete;

  // The tableau of `block`, chased with keys. If the leaves of the block are in use already, the budget is exhausted:
  // nothing can be derived.
  Tableau tableau_of(const FlatBlock& block);
  // What holds for the rows of `rel`.
  ConditionSolver conditions_of(const plan::Rel& rel) { return tableau_of(block_of(rel)).conditions; }

  // Whether the leaves of `block` may become leaves of the tableau: none of them is one already, and none is being
  // paired with another. Two rows of one leaf would share their attributes.
  bool is_new(const Tableau& tableau, const FlatBlock& block) const;
  // Adds a block whose rows are joined to those of the tableau. Precondition: is_new().
  void add(Tableau& tableau, const FlatBlock& block);

  // Merges rows that agree in a key.
  void chase_keys(Tableau& tableau);
  // Adds parent rows of the tables that `patterns` use. Returns whether there were any.
  bool chase_foreign_keys(Tableau& tableau, const std::vector<FlatBlock>& patterns);

 private:
  // A row that a foreign key requires.
  struct ParentRow {
    plan::Scan scan;
    std::vector<std::pair<plan::AttributeId, plan::AttributeId>> columns;  // of the child and of the parent
    std::vector<std::string> child_columns;                                // their names
  };

  void add_facts(ConditionSolver& conditions, const plan::Rel& leaf);
  void add_checks(ConditionSolver& conditions, const plan::Scan& scan);
  bool merge_rows(ConditionSolver& conditions, const plan::Scan& a, const plan::Scan& b);
  bool agree_in_key(ConditionSolver& conditions, const plan::Scan& a, const plan::Scan& b);
  bool add_parent(Tableau& tableau, const plan::Scan& child, const plan::Scan& parent);
  std::optional<ParentRow> parent_row(ConditionSolver& conditions, const ForeignKey& key, const plan::Scan& child,
                                      const plan::Scan& parent);
  bool has_row(Tableau& tableau, const ParentRow& row);

  SearchState& state_;
  std::deque<plan::Rel> parents_;  // that the chase has added
};

}  // namespace trustsql::equiv
