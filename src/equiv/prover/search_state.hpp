// What the parts of a search for a correspondence share: what attributes stand for, which assumptions were made, and
// the trail that leads back to an earlier state.
//
// The search pairs relations of one query with relations of the other and binds their attributes as it goes; a pairing
// that turns out to be wrong is undone. attempt() and probe() are the only ways to try something.
//
// Budget: none of its own; applying bindings spends from the budget of the search.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "equiv/certificate.hpp"
#include "equiv/prover/bindings.hpp"
#include "equiv/prover/condition_solver.hpp"
#include "equiv/prover/flat_block.hpp"
#include "plan/facts.hpp"
#include "plan/table_checks.hpp"

namespace trustsql::equiv {

// The rest of a search, called once something corresponds. Returning false rejects the correspondence, and the search
// goes on to the next one.
using Then = FunctionRef<bool()>;
using Columns = std::vector<plan::AttributeId>;

class SearchState {
 public:
  // New attributes are added to `plan`. Assumptions in `denied` are not made, whatever `assume` allows. All references
  // must outlive this object.
  SearchState(plan::Plan& plan, const plan::Assume& assume, const std::vector<plan::Assumption>& denied, Budget& budget,
              Terms::SameSubquery same_subquery);
  SearchState(const SearchState&) = delete;
  SearchState& operator=(const SearchState&) = delete;

  plan::Plan& plan() { return plan_; }
  const plan::Assume& allowed() const { return assume_; }
  Budget& budget() { return budget_; }
  Bindings& bindings() { return bindings_; }
  // A solver that knows of no condition yet.
  ConditionSolver new_solver() { return {plan_, terms_, budget_, assume_integer_}; }

  // --- what attributes stand for

  const plan::Expr& apply(const plan::Expr& expr) { return bindings_.apply(expr); }
  const plan::Expr& apply(plan::AttributeId id) { return bindings_.apply(column(id)); }
  // An expression for the attribute itself.
  const plan::Expr& column(plan::AttributeId id) { return bindings_.keep(plan::column(id)); }
  // Whether the expressions have the same value under the bindings, where `given` holds.
  bool same(ConditionSolver& given, const plan::Expr& a, const plan::Expr& b) { return given.same(apply(a), apply(b)); }
  // Defines the columns that the block computes.
  void define_columns(const FlatBlock& block);
  // From here on the columns stand for themselves, not for the expressions that compute them.
  void close_columns(const Columns& columns);
  // Binds the columns of `b` to the corresponding columns of `a`, which stand for themselves from here on.
  void equate(const Columns& a, const Columns& b);

  // A column of a table that the query does not use.
  struct ExtraColumn {
    plan::AttributeId row;  // the row attribute of the scan
    int position;
    plan::AttributeId id;
  };
  // The attribute of `scan` for the column `like` of another use of the table; it is created if the query does not use
  // the column.
  plan::AttributeId column_of(const plan::Scan& scan, const plan::TableColumn& like);
  const std::vector<ExtraColumn>& extra_columns() const { return extra_columns_; }
  // The CHECK constraints of the table.
  const std::vector<plan::TableCheck>& checks_of(const trustsql::Table& table);

  // --- assumptions

  // Whether it may be assumed; if so, the assumption is recorded. rely_on_not_null(): that a column of a primary key is
  // not NULL.
  bool rely_on(plan::Assumption assumption);
  bool may_rely_on(const plan::Assumption& assumption) const;
  bool rely_on_not_null(plan::AttributeId id);
  const std::vector<plan::Assumption>& assumptions() const { return assumptions_; }

  // --- the pairs on the path that is being followed

  // For the checker.
  void note_pair(const plan::Rel& to, const plan::Rel& from) { certificate_.pairs.push_back({&to, &from}); }
  std::size_t noted_pairs() const { return certificate_.pairs.size(); }
  // Keeps the pairs from number `begin` on for the checker, although the search goes back.
  void certify_since(std::size_t begin);
  const Certificate& certificate() const { return certificate_; }
  // Pairs of table instances, in words.
  void note_step(std::string step) { steps_.push_back(std::move(step)); }
  const std::vector<std::string>& steps() const { return steps_; }

  // --- trying

  // Calls `search` and keeps its bindings only if it succeeds.
  template <class Search>
  bool attempt(Search&& search) {
    const auto begin = mark();
    if (search()) return true;
    go_back(begin);
    return false;
  }
  // Calls `search` and undoes its bindings in any case.
  template <class Search>
  bool probe(Search&& search) {
    const auto begin = mark();
    const bool success = search();
    if (success) certify_since(begin.pairs);
    go_back(begin);
    return success;
  }

 private:
  // The state at the start of a search, to return to.
  struct Mark {
    std::size_t bindings;
    std::size_t steps;
    std::size_t pairs;
  };
  Mark mark() const { return {bindings_.mark(), steps_.size(), certificate_.pairs.size()}; }
  void go_back(const Mark& mark);
  bool rely_on_integers(plan::AttributeId id);

  plan::Plan& plan_;
  plan::Assume assume_;
  const std::vector<plan::Assumption>& denied_;
  Budget& budget_;
  Bindings bindings_;
  Terms terms_;
  TermOrders::AssumeInteger assume_integer_;
  std::vector<ExtraColumn> extra_columns_;
  std::map<const trustsql::Table*, plan::TableChecks> checks_;
  std::vector<plan::Assumption> assumptions_;
  std::vector<std::string> steps_;
  Certificate certificate_;
};

}  // namespace trustsql::equiv
