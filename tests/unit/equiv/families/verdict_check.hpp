// Verdicts on pairs of a family: a refutation must show its difference in a new database and claim no better grade than
// the database has.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "db/sandbox/sandbox.hpp"
#include "equiv/verdict.hpp"
#include "unit/equiv/families/judge.hpp"

namespace trustsql::families {

struct VerdictCounts {
  std::uint64_t proved = 0;
  std::uint64_t refuted = 0;
  std::uint64_t unknown = 0;
};

class VerdictChecker {
 public:
  // nullptr if the schema cannot be compared over.
  static std::unique_ptr<VerdictChecker> create(Ground& ground);

  // Compares the pair with random options. Returns what is wrong with the verdict, in words, with everything needed to
  // reproduce it; nullopt if nothing is wrong.
  std::optional<std::string> check(const Query& a, const Query& b, const std::vector<Filling>& fillings, Picker& picker,
                                   VerdictCounts& counts);

 private:
  explicit VerdictChecker(Ground& ground) : ground_(ground) {}

  Ground& ground_;
  std::shared_ptr<SandboxSource> source_;
  std::unique_ptr<equiv::QueryComparer> comparer_;
};

}  // namespace trustsql::families
