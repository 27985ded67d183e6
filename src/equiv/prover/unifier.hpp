// The unifier: whether two relations of one plan have the same rows on every database.
//
// Rows correspond if the attributes of one relation, `from`, can be bound to expressions over those of the other,
// `to`, such that corresponding rows agree. A backtracking search pairs leaf with leaf and operator with operator;
// what remains to be checked once a pairing is complete is passed on as a continuation (`then`), which may reject the
// pairing and so make the search continue.
//
//   bags    leaves are paired one to one; under the pairing each side's conditions follow from the other's
//   sets    each block of one side is contained in the other side: a block of the other side has a homomorphism into
//           it (Chandra and Merlin 1977; unions of blocks: Sagiv and Yannakakis 1980), after the chase with keys and,
//           if they may be assumed, foreign keys
//   others  operators that aggregate, order or limit are the same if they do the same to the same inputs
//
// Precondition: the results of the relations do not depend on any order of rows (determinism.hpp).
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "equiv/certificate.hpp"
#include "equiv/prover/block.hpp"
#include "equiv/prover/condition_solver.hpp"
#include "plan/facts.hpp"

namespace trustsql::equiv {

using Then = FunctionRef<bool()>;

class Unifier {
 public:
  // The relations belong to `plan`, to which new attributes are added. Assumptions in `denied` are not made,
  // whatever `assume` allows.
  Unifier(plan::Plan& plan, const plan::Assume& assume, const std::vector<plan::Assumption>& denied, Budget& budget);
  Unifier(const Unifier&) = delete;
  Unifier& operator=(const Unifier&) = delete;

  // Must be called once for every relation that takes part.
  void add(const plan::Rel& rel) { define_projections(rel, bindings_); }

  // Whether `to` and `from` have the same rows with the same number of duplicates; `then` is then called, with the
  // attributes of `from` bound.
  bool bags(const plan::Rel& to, const plan::Rel& from, Then then);

  using Columns = std::vector<plan::AttributeId>;
  // Whether the columns of `a` and of `b`, in their order, have the same sets of rows. `identical`: 1 and 1.0
  // differ.
  bool sets(const plan::Rel& a, const Columns& a_columns, const plan::Rel& b, const Columns& b_columns, bool identical);

  // Binds the columns of `b` to the corresponding columns of `a`.
  void equate(const Columns& a, const Columns& b);

  // Whether `rel` never has a row.
  bool is_empty(const plan::Rel& rel);

  // What holds for the rows of `rel`.
  ConditionSolver context(const plan::Rel& rel);
  const plan::Expr& apply(const plan::Expr& expr) { return bindings_.apply(expr); }
  const plan::Expr& apply(plan::AttributeId id) { return bindings_.apply(bindings_.keep(plan::column(id))); }

  // Whether the keys put the rows of `to` into the same order.
  bool same_order(const plan::Rel& to, const std::vector<plan::SortKey>& to_keys,
                  const std::vector<plan::SortKey>& from_keys);

  // The assumptions that were made, and the pairs of table instances, on the path that succeeded.
  const std::vector<plan::Assumption>& assumptions() const { return assumptions_; }
  const std::vector<std::string>& pairs() const { return pairs_; }
  // For the checker.
  const Certificate& certificate() const { return certificate_; }

 private:
  // A block about whose rows something is to be derived: the leaves of its semi-joins are leaves as well.
  struct Tableau {
    std::vector<const plan::Rel*> leaves;
    std::vector<Part> parts;  // those that are not leaves
    ConditionSolver conditions;
  };

  // The state at the start of a search, to return to.
  struct Mark {
    std::size_t bindings;
    std::size_t pairs;
    std::size_t certificate;
  };
  Mark mark() const { return {bindings_.mark(), pairs_.size(), certificate_.pairs.size()}; }
  void go_back(const Mark& mark) {
    bindings_.undo(mark.bindings);
    pairs_.resize(mark.pairs);
    certificate_.pairs.erase(certificate_.pairs.begin() + static_cast<std::ptrdiff_t>(mark.certificate),
                             certificate_.pairs.end());
  }
  // Keeps what was paired since then for the checker.
  void certify_since(std::size_t certificate);

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
    if (success) certify_since(begin.certificate);
    go_back(begin);
    return success;
  }

  // --- bags (unifier.cpp)
  bool match_blocks(const Block& to, const Block& from, Then then);
  bool match_leaves(const Block& to, const Block& from, std::vector<bool>& used, std::size_t at, Then then);
  bool match_parts(const Block& to, const Block& from, std::vector<bool>& used, std::size_t at, Then then);
  bool match_part(const Block& to, const Part& to_part, const Part& from_part, Then then);
  bool match_rows(const Block& to, const Block& from, Then then);
  bool same_conditions(const Block& to, const Block& from, const Block* around = nullptr);
  bool absurd_block(const Block& block);
  bool follows(Tableau& tableau, const std::vector<const plan::Expr*>& conjuncts, const std::vector<Part>& parts);
  bool follows(Tableau& tableau, const plan::Expr& conjunct);
  bool is_null_on_nulls(const plan::Expr& expr, const plan::Rel& rel);
  Columns filled_columns(const plan::Rel& rel);
  bool bind_nullable(ConditionSolver& context, const plan::Rel& to, const plan::Rel& from);
  void define_columns(const Block& block);
  bool match_sums(const plan::Rel& to, const plan::Rel& from, Then then);
  bool match_addends(const std::vector<Block>& to, const std::vector<Block>& from, const Columns& to_columns,
                     const Columns& from_columns, std::vector<bool>& used, std::size_t at);

  // --- leaves and operators (leaves.cpp, groups.cpp)
  bool match_leaf(const plan::Rel& to, const plan::Rel& from, Then then);
  bool match(const plan::Scan& to, const plan::Scan& from, Then then);
  bool match(const plan::Values& to, const plan::Values& from, Then then);
  bool match(const plan::TableFunction& to, const plan::TableFunction& from, Then then);
  bool match(const plan::Window& to, const plan::Window& from, Then then);
  bool match(const plan::Distinct& to, const plan::Distinct& from, Then then);
  bool match(const plan::SetOp& to, const plan::SetOp& from, Then then);
  bool match(const plan::Limit& to, const plan::Limit& from, Then then);
  bool match(const plan::Join& to, const plan::Join& from, Then then);
  bool match(const plan::Aggregate& to, const plan::Aggregate& from, Then then);
  bool match_groups(ConditionSolver& context, const plan::Aggregate& to, const plan::Aggregate& from);
  bool same_call(ConditionSolver& context, const plan::AggregateCall& to, const plan::AggregateCall& from);
  bool match_groups_as_sets(const plan::Aggregate& to, const plan::Aggregate& from);
  bool same_columns(ConditionSolver& context, const Columns& to, const Columns& from);
  bool match_inputs(const plan::SetOp& to, const plan::SetOp& from, Columns& columns, std::vector<bool>& used,
                    std::size_t at, Then then);
  bool same(ConditionSolver& context, const plan::Expr& to, const plan::Expr& from) {
    return context.same(apply(to), apply(from));
  }
  // From here on the columns stand for themselves, not for the expressions that compute them.
  void close_columns(const Columns& columns);
  plan::AttributeId column_of(const plan::Scan& scan, const plan::TableColumn& column);

  // --- sets (containment.cpp)
  bool contained(const plan::Rel& part, const Columns& part_columns, const plan::Rel& whole,
                 const Columns& whole_columns, bool identical);
  bool find_homomorphism(Tableau& tableau, const Block& pattern, std::size_t at, Then then);
  bool has_homomorphism(Tableau& tableau, const std::vector<Block>& patterns, const std::vector<plan::Expr>& on,
                        bool identical = false);
  bool entails(Tableau& tableau, const Part& part);
  bool entails_not(const Tableau& tableau, const Part& part);
  bool absurd(Tableau& tableau);
  bool same_subquery(const plan::Expr& expr, const plan::Rel& a, const plan::Rel& b);

  // --- tableaus (tableau.cpp)
  Tableau tableau_of(const Block& block);
  bool is_new(const Tableau& tableau, const Block& block) const;
  void add_to(Tableau& tableau, const Block& block);
  void add_facts(ConditionSolver& context, const plan::Rel& leaf);
  void chase_keys(Tableau& tableau);
  bool chase_keys(Tableau& tableau, const plan::Scan& a, const plan::Scan& b);
  bool chase_foreign_keys(Tableau& tableau, const std::vector<Block>& patterns);
  bool chase_foreign_key(Tableau& tableau, const plan::Scan& child, const plan::Scan& parent);
  // Whether it may be assumed; if so, the assumption is recorded.
  bool rely_on(plan::Assumption assumption);
  bool rely_on_not_null(plan::AttributeId id);
  bool rely_on_integers(plan::AttributeId id);

  plan::Plan& plan_;
  plan::Assume assume_;
  const std::vector<plan::Assumption>& denied_;
  Budget& budget_;
  Bindings bindings_;
  std::function<bool(const plan::Expr&, const plan::Rel&, const plan::Rel&)> same_subquery_;
  Terms terms_;
  TermOrders::AssumeInteger assume_integer_;
  std::deque<plan::Rel> added_parents_;  // parent rows that the chase has added
  struct ExtraColumn {
    plan::AttributeId row;  // the row attribute of the scan
    int position;
    plan::AttributeId id;
  };
  std::vector<ExtraColumn> extra_columns_;
  std::vector<plan::Assumption> assumptions_;
  std::vector<std::string> pairs_;
  Certificate certificate_;
  int containments_ = 0;          // nesting of the containments that are being checked
  int subquery_comparisons_ = 0;  // nesting of the subquery comparisons
  int refutations_ = 0;
};

}  // namespace trustsql::equiv
