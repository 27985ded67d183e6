// The prover: shows that two queries give the same result on every database, by rewriting both to one form.
//
// Both plans are normalised; equal trees are equal queries. Where the trees differ they are unified up to a renaming of
// relation instances (prover/unifier.hpp): bags by a bijection of instances under which each side's conditions follow
// from the other's, sets by homomorphisms both ways, aggregates and windows as typed operators over equivalent inputs,
// set operations branch by branch.
//
// The rewritings of a proof that was found are recorded, and checked one by one (checker/rewrites.hpp); if one of them
// is not accepted, there is no proof.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "equiv/checker/rewrites.hpp"
#include "equiv/deviation.hpp"
#include "plan/facts.hpp"
#include "plan/normaliser.hpp"
#include "plan/plan.hpp"

namespace trustsql::equiv {

struct ProveOptions {
  plan::Assume assume = plan::Assume::nothing();
  bool rows_as_set = false;             // how often a row is there does not matter
  bool rows_as_bag = false;             // their order does not matter, whatever the queries say
  bool any_column_order = false;        // a permutation of the columns will do
  bool row_of_nothing_is_none = false;  // a row of NULLs and zeros, as aggregates make of no rows, is as good as none
  bool letter_case_is_one = false;      // no two texts, in tables or queries, differ in the case of letters only
  // The queries are the same text, so that what SQLite leaves open of their types is open alike in both. Equal plans do
  // not quite tell: a unary plus, which takes an affinity away, is not in them.
  bool same_text = false;
  bool check = true;       // a proof counts only if the checker accepts it; false: to measure what that costs
  int max_steps = 20'000;  // of the search; a proof that needs more is not found
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();  // for normalising
};

// A step, in the order in which it was taken: a rewriting of one query, or a correspondence that was found.
struct ProofStep {
  std::string what;  // "a: derived_table_inlining (2 times)", "T1 of a is singer of b", "a.x > 2 follows from ..."
  std::vector<plan::Assumption> assumptions{};
};

struct Proof {
  std::vector<ProofStep> steps;
  std::vector<plan::Assumption> assumptions;  // of all steps, each once
};

// Why there is no proof, for the reason of an unknown.
struct ProofGap {
  enum class Kind : std::uint8_t {
    different_trees,  // nothing that the prover knows makes them equal
    order_dependent,  // a result hangs on an order of rows that nothing fixes, or on random(): nothing can be proved of
                      // it
    too_large,        // max_steps was reached
    rejected,         // the checker does not accept the proof that was found
    types_undefined,  // how a comparison or a set operation treats its values is not fixed by SQLite's documentation
  };
  Kind kind = Kind::different_trees;
  std::string detail{};  // where, in words
};

struct ProofAttempt {
  std::optional<Proof> proof;
  ProofGap gap{};                       // if there is none
  int checked_steps = 0;                // rewritings that the checker has accepted
  std::chrono::nanoseconds checking{};  // the time that the check took
};

// A query that is compared with many others: its normal forms are kept from one proof to the next. Not thread-safe.
class ProverQuery {
 public:
  // `plan` as build_plan() makes it.
  explicit ProverQuery(plan::Plan plan) : plan_(std::move(plan)) {}

  const plan::Plan& plan() const { return plan_; }
  // The normal form under these assumptions, made when it is first asked for, with the deadline of that call.
  const plan::Normalised& normalised(const plan::Assume& assume, const ProveOptions& options);
  // Whether the checker accepts each rewriting on the way there; found out when it is first asked for.
  const checker::RewriteCheck& rewrites(const plan::Assume& assume, const ProveOptions& options);

 private:
  struct Form {
    plan::Normalised normalised;
    std::optional<checker::RewriteCheck> rewrites{};
  };
  Form& form(const plan::Assume& assume, const ProveOptions& options);

  plan::Plan plan_;
  std::map<unsigned, Form> forms_;  // by the assumptions, and whether they have a trace
};

// `a` and `b` as build_plan() makes them, over one catalog. Deterministic.
ProofAttempt prove(const plan::Plan& a, const plan::Plan& b, const ProveOptions& options = {});
// The same for queries that are in more than one pair.
ProofAttempt prove(ProverQuery& a, ProverQuery& b, const ProveOptions& options = {});

}  // namespace trustsql::equiv
