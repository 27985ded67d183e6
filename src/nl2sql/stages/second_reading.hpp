// A second reading: the embedded parser's answer votes on the SQL that a language model wrote.
//
// It agrees if the two queries are proved equivalent, or return the same rows. It has no vote where it has no reading,
// or where its query fails. The share of votes becomes that of all samples and the parser; under a unanimous quorum a
// disagreement ends in silence, as among samples. Under a majority the model's SQL stays.
#pragma once

#include "nl2sql/stages/stage.hpp"
#include "nl2sql/stages/vote.hpp"

namespace trustsql::nl2sql {

struct SecondReadingOptions {
  int samples = 1;  // that the model's SQL was chosen from
  VoteRule rule{};  // of the method
};

class SecondReadingStage final : public Stage {
 public:
  explicit SecondReadingStage(SecondReadingOptions options) : options_(options) {}
  std::string_view name() const override { return "second"; }

  // Sets attempt.signals.votes, or abstains. Precondition: context.knowledge, context.comparers.
  Status run(Attempt& attempt, StageContext& context) const override;

 private:
  SecondReadingOptions options_;
};

}  // namespace trustsql::nl2sql
