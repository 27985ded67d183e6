// The prover: shows that two queries give the same result on every database, by rewriting both to one form.
//
// Both plans are normalised; equal trees are equal queries. Where the trees differ they are unified up to a renaming of
// relation instances (prover/unifier.hpp): bags by a bijection of instances under which each side's conditions follow from
// the other's, sets by homomorphisms both ways, aggregates and windows as typed operators over equivalent inputs, set
// operations branch by branch.
//
// The rewritings of a proof that was found are recorded, and checked one by one (checker/rewrites.hpp); if one of them is not
// accepted, there is no proof.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "equiv/deviation.hpp"
#include "plan/facts.hpp"
#include "plan/plan.hpp"

namespace trustsql::equiv {

struct ProveOptions {
  plan::Assume assume = plan::Assume::nothing();
  bool rows_as_set = false;             // how often a row is there does not matter
  bool rows_as_bag = false;             // their order does not matter, whatever the queries say
  bool any_column_order = false;        // a permutation of the columns will do
  bool row_of_nothing_is_none = false;  // a row of NULLs and zeros, as aggregates make of no rows, is as good as none
  bool letter_case_is_one = false;      // no two texts, in tables or queries, differ in the case of letters only
  int max_steps = 20'000;               // of the search; a proof that needs more is not found
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
    order_dependent,  // a result hangs on an order of rows that nothing fixes, or on random(): nothing can be proved of it
    too_large,        // max_steps was reached
    rejected,         // there was one, but the checker does not accept a step of it
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

// `a` and `b` as build_plan() makes them, over one catalog. Deterministic.
ProofAttempt prove(const plan::Plan& a, const plan::Plan& b, const ProveOptions& options = {});

}  // namespace trustsql::equiv
