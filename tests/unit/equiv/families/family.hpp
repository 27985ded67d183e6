// Families: queries that look the same, all made from one by random edits. All pairs of a family are given to the
// prover, and what it proves is tried on many small databases.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "unit/equiv/families/judge.hpp"
#include "unit/equiv/families/verdict_check.hpp"

namespace trustsql::families {

struct FamilyOptions {
  Prover prover = [](auto& a, auto& b, const auto& options) { return equiv::prove(a, b, options); };
  int variants = 64;
  int databases = 200;
  int verdicts = 3;      // pairs of a family that are given to QueryComparer
  int max_findings = 3;  // of a family
};

// A proof that a database contradicts.
struct Finding {
  std::string kind;       // "wrong_proof", "sqlite", "order_open", "wrong_verdict"
  std::string signature;  // the pair without its names and constants
  std::string text;       // everything that a person needs to investigate it
};

struct FamilyCounts {
  std::uint64_t families = 0;
  std::uint64_t pairs = 0;
  std::uint64_t proofs = 0;
  std::uint64_t assuming = 0;     // proofs under assumptions
  std::uint64_t comparisons = 0;  // of a proved pair on a database
  std::uint64_t numbers = 0;      // pairs that differ in the storage class of equal numbers only
  std::uint64_t ties = 0;         // pairs that differ in the order of rows that ORDER BY leaves tied
  std::uint64_t findings = 0;
  VerdictCounts verdicts;
  std::uint64_t wrong_verdicts = 0;

  FamilyCounts& operator+=(const FamilyCounts& other);
  std::string text() const;
};

// Called before each pair is given to the prover, with a text that says which one it is: what is left behind by a
// crash.
using BeforePair =
    std::function<void(const std::string& schema, const Setting& setting, const std::string& a, const std::string& b)>;

// Makes the family of `seed` and looks at all its pairs. Deterministic.
std::vector<Finding> check_family(std::uint64_t seed, const FamilyOptions& options, FamilyCounts& counts,
                                  const BeforePair& before_pair = {});

}  // namespace trustsql::families
