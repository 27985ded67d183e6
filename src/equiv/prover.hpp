// The prover: shows that two queries give the same result on every database, by rewriting both to a common form.
//
// Both plans are normalised; equal trees are equal queries. If the trees differ, they are unified up to a renaming of
// relation instances (prover/unifier.hpp): bags by a bijection of instances under which each side's conditions follow
// from the other's, sets by homomorphisms in both directions, aggregates and windows as typed operators over
// equivalent inputs, set operations branch by branch.
//
// Queries that are the same statement need none of this: prove_same_statement().
//
// The rewrites of a proof are recorded and checked one by one (checker/rewrites.hpp); if one of them is rejected,
// there is no proof.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "equiv/checker/rewrites.hpp"
#include "equiv/deviation.hpp"
#include "plan/facts.hpp"
#include "plan/normaliser.hpp"
#include "plan/plan.hpp"
#include "sql/resolver.hpp"

namespace trustsql::equiv {

struct ProveOptions {
  plan::Assume assume = plan::Assume::nothing();
  bool rows_as_set = false;       // the number of duplicates of a row does not matter
  bool rows_as_bag = false;       // their order does not matter, even if the queries have ORDER BY
  bool any_column_order = false;  // the columns may be permuted
  bool ignore_empty_aggregate_row =
      false;                        // a row of NULLs and zeros, as aggregates return over no rows, counts as no row
  bool ignore_letter_case = false;  // no two texts, in tables or queries, differ in letter case only
  bool check = true;       // a proof counts only if the checker accepts it; false: to measure the cost of checking
  int max_steps = 20'000;  // of the search, more for large queries; a proof that needs more steps is not found
  std::chrono::steady_clock::time_point deadline =
      std::chrono::steady_clock::time_point::max();  // for normalising and searching
  std::function<bool()> stop{};                      // called now and then; true ends both
};

// A step, in the order in which it was taken: a rewrite of one query, or a part of the correspondence.
struct ProofStep {
  std::string what;  // "a: derived_table_inlining (2 times)", "T1 of a is singer of b", "a.x > 2 follows from ..."
  std::vector<plan::Assumption> assumptions{};
};

struct Proof {
  std::vector<ProofStep> steps;
  std::vector<plan::Assumption> assumptions;  // from all steps, without duplicates
};

// Why there is no proof, for the reason of an unknown verdict.
struct ProofGap {
  enum class Kind : std::uint8_t {
    different_trees,  // no rule that the prover knows makes them equal
    order_dependent,  // a result depends on an order of rows that is not fixed, or on random(); nothing can be proved
    too_large,        // max_steps was reached
    rejected,         // the checker rejects the proof that was found
    types_undefined,  // SQLite's documentation does not define how a comparison or a set operation treats its values
  };
  Kind kind = Kind::different_trees;
  std::string detail{};  // where, in words
};

struct ProofAttempt {
  std::optional<Proof> proof;
  ProofGap gap{};                       // if there is no proof
  int checked_steps = 0;                // rewrites that the checker has accepted
  std::chrono::nanoseconds checking{};  // the time that checking took
};

// A query that is compared with many others: its normal forms are cached between proofs. Not thread-safe.
class ProverQuery {
 public:
  // `plan` as returned by build_plan().
  explicit ProverQuery(plan::Plan plan) : plan_(std::move(plan)) {}

  const plan::Plan& plan() const { return plan_; }
  // The normal form under these assumptions, computed on first use, with the deadline of that call.
  const plan::Normalised& normalised(const plan::Assume& assume, const ProveOptions& options);
  // Whether the checker accepts each rewrite that leads there; checked on first use.
  const checker::RewriteCheck& rewrites(const plan::Assume& assume, const ProveOptions& options);

 private:
  struct Form {
    unsigned bits = 0;                                   // the assumptions, and whether they have a trace
    std::optional<std::vector<plan::DateColumn>> dates;  // Assume::dates
    plan::Normalised normalised;
    std::optional<checker::RewriteCheck> rewrites{};
  };
  Form& form(const plan::Assume& assume, const ProveOptions& options);

  plan::Plan plan_;
  std::deque<Form> forms_;  // references to them stay valid
};

// `a` and `b` as returned by build_plan(), over one catalog. Deterministic.
ProofAttempt prove(const plan::Plan& a, const plan::Plan& b, const ProveOptions& options = {});
// The same for queries that are in more than one pair.
ProofAttempt prove(ProverQuery& a, ProverQuery& b, const ProveOptions& options = {});

// The proof that `a` and `b` are the same statement (prover/same_statement.hpp), or the same but for names
// (prover/standard_names.hpp): it has one result whatever the query leaves open. nullopt if they are not, or if the
// checker finds something in them whose result may change from run to run. Precondition: SQLite can prepare both.
std::optional<Proof> prove_same_statement(std::string_view a, std::string_view b, const Catalog& catalog,
                                          const ResolveOptions& dialect);

}  // namespace trustsql::equiv
