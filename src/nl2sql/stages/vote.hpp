// Voting: which of several samples of one query represents them all, and how many agree with it.
//
// A rule answers two questions: what two samples must have in common to agree, and how many samples must agree.
//
//   by text, unanimous         TrustSQL's SQLPROMPT[VOTING] (section 4.1.2): all five samples agree, or it abstains
//   by execution, majority     self-consistency in DART-SQL (section 4.1) and C3: the result that most samples return
//   by execution, unanimous    stricter than the majority; unlike unanimous text, it ignores white space
//   by equivalence             samples agree if their equivalence is proved, not if they merely return the same result
//                              on the current data
//
// What counts: a sample without SQL agrees with no other one; but if replies are compared verbatim, it is a text like
// any other, so five equal refusals are unanimous in that there is no SQL. By execution and by equivalence, a query
// that is refused or fails has no vote; if no sample has a vote, the first one with SQL is taken, with no votes, and
// refinement is then told of its error. The share is relative to all samples, including those without a vote. Between
// classes of equal size, the one with the earliest sample wins, and a class is represented by its first sample, so the
// outcome depends only on the samples.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "nl2sql/stages/stage.hpp"

namespace trustsql::nl2sql {

enum class VoteBy { text, execution, equivalence };
enum class Quorum { majority, unanimous };

struct VoteRule {
  VoteBy by = VoteBy::execution;
  Quorum quorum = Quorum::majority;
  bool raw = false;  // by text: compares the replies verbatim; else the SQL with folded space and unified quotes
  // By equivalence: the time limit for one pair; a pair that takes longer does not agree.
  std::chrono::milliseconds proof_timeout{1'000};
  friend bool operator==(const VoteRule&, const VoteRule&) = default;
};

// The rule as shown in traces: "text, unanimous".
std::string describe(const VoteRule& rule);

struct Vote {
  std::optional<std::size_t> winner;               // none: there is no SQL, or the quorum was not reached
  bool agreed = false;                             // the quorum was reached (majority: at least one vote)
  bool tied = false;                               // a later class has as many votes as the largest one
  std::size_t votes = 0;                           // in the largest class
  std::size_t samples = 0;                         // in total
  std::vector<std::optional<std::size_t>> ballot;  // for each sample, the first one of its class; none: no vote

  // The share of the largest class among all samples, 0..1.
  double share() const { return samples == 0 ? 0 : static_cast<double>(votes) / static_cast<double>(samples); }
  // One line for the trace: "3 of 5 agree, sample 1 represents them; a tie, won by the earliest".
  std::string summary() const;
};

// Votes on `candidates`, which are samples of one prompt. By execution and by equivalence they are run in the sandbox,
// and Candidate::error and Candidate::refused are set if that fails. Errors, which say nothing about the queries:
// interrupted, io, out_of_memory; limit_exceeded if results cannot be compared.
Result<Vote> vote(std::span<Candidate> candidates, const VoteRule& rule, StageContext& context);

}  // namespace trustsql::nl2sql
