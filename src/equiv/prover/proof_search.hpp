// The search for a correspondence between the rows of two normalised queries: row for row, as sets, or trivially, if
// neither has any.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "equiv/checker/correspondence.hpp"
#include "equiv/prover.hpp"
#include "equiv/prover/unifier.hpp"

namespace trustsql::equiv {

// Two plans over one set of attributes.
struct Joint {
  plan::Plan plan;  // its root is the first
  plan::Rel b;
};

Joint join(plan::Plan a, const plan::Plan& b);

// The ORDER BY of the query itself; nullptr if it has none.
const plan::Sort* order_of(const plan::Rel& rel);

// Adds the assumptions that are not in `list` yet.
void add(std::vector<plan::Assumption>& list, const std::vector<plan::Assumption>& more);

class ProofSearch {
 public:
  // `denied`: assumptions that it must do without. All but `joint` must outlive the search.
  ProofSearch(const Joint& joint, const ProveOptions& options, const plan::Assume& assume,
              const std::vector<plan::Assumption>& denied, Budget& budget);

  bool succeeds();

  // What follows is about a search that has succeeded.

  // Why the checker rejects the correspondence; nullopt if it accepts it.
  std::optional<std::string> rejected();
  // The correspondence in words.
  std::vector<std::string> correspondence() const;
  std::vector<plan::Assumption> assumptions() const;

 private:
  bool same_columns();
  bool same_order();
  // Whether `rel` has no duplicate rows.
  bool is_set(const plan::Rel& rel);
  bool same_sets();

  plan::Plan plan_;
  const plan::Rel& a_;
  const plan::Rel& b_;
  const ProveOptions& options_;
  plan::Assume assume_;
  Unifier unifier_;
  std::vector<plan::AttributeId> a_columns_;
  std::vector<plan::AttributeId> b_columns_;
  const plan::Sort* a_order_ = nullptr;
  const plan::Sort* b_order_ = nullptr;
  std::vector<plan::Assumption> assumptions_;
  std::string how_;
  checker::RowsCorrespond rows_ = checker::RowsCorrespond::one_to_one;
};

}  // namespace trustsql::equiv
