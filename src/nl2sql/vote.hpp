// Voting: which of several samples of one query stands for all of them, and how many agree with it.
//
// Two questions make a rule: what two samples must share to be of one mind, and how many must be.
//
//   by text, unanimous         TrustSQL's SQLPROMPT[VOTING] (section 4.1.2): all five samples, or it abstains
//   by execution, majority     self-consistency in DART-SQL (section 4.1) and C3: the result that most samples give
//   by execution, unanimous    stricter than the majority, and blind to white space, unlike unanimous text
//   by equivalence             samples whose equivalence is proved: two that happen to agree on the rows of today do
//   not
//
// What counts. A sample in which there is no SQL agrees with nobody; where texts are compared as they came, it is a
// text as any other, so five equal refusals are unanimous, and say that there is no SQL. By execution and by
// equivalence a query that is refused or fails has no vote; if none of the samples has one, the first one with SQL is
// taken, with no votes: what refines it is then told of its error. The share is that of all samples, those without a
// vote included. Between classes of one size the one whose first sample came first wins, and a class is represented by
// its first sample, so an outcome depends on nothing but the samples.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "nl2sql/stage.hpp"

namespace trustsql::nl2sql {

enum class VoteBy { text, execution, equivalence };
enum class Quorum { majority, unanimous };

struct VoteRule {
  VoteBy by = VoteBy::execution;
  Quorum quorum = Quorum::majority;
  bool raw = false;  // of text: the replies as they came; else the SQL, white space folded, quotes unified
  std::chrono::milliseconds proof_timeout{
      1'000};  // of equivalence: for one pair; a pair that takes longer is not of one mind
  friend bool operator==(const VoteRule&, const VoteRule&) = default;
};

// "text, unanimous", as traces write it.
std::string describe(const VoteRule& rule);

struct Vote {
  std::optional<std::size_t> winner;               // none: there is no SQL, or not the quorum
  bool agreed = false;                             // the quorum was reached (of a majority: somebody voted)
  bool tied = false;                               // a later class had as many votes as the winner's
  std::size_t votes = 0;                           // of the largest class
  std::size_t samples = 0;                         // all of them
  std::vector<std::optional<std::size_t>> ballot;  // of each sample the first one of its class; none: it has no vote

  // Of all samples those in the largest class, 0..1.
  double share() const { return samples == 0 ? 0 : static_cast<double>(votes) / static_cast<double>(samples); }
  // One line for the trace: "3 of 5 agree, sample 1 stands for them; a tie, which the earliest wins".
  std::string summary() const;
};

// Votes on `candidates`, which are samples of one prompt. By execution and by equivalence they are run in the sandbox,
// and Candidate::error and refused are set where that fails. Errors: what says nothing about the queries: interrupted,
// io, out_of_memory; limit_exceeded where results cannot be compared.
Result<Vote> vote(std::span<Candidate> candidates, const VoteRule& rule, StageContext& context);

}  // namespace trustsql::nl2sql
