// The pipeline: from a question to SQL or an abstention.
//
//   triage -> link -> rewrite -> prompt -> generate (with vote) -> refine -> second -> ground -> verify -> decide
//
// The method EMBEDDED has parse -> ground -> decide instead. With CLS_M, classify comes first; with ERROR_M, detect
// stands where verify does.
//
// A method has some of these stages. Each is called once, in this order, adds its own rows to the trace, and knows
// nothing of the other stages; after the first one that abstains, no further stage is called.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nl2sql/method.hpp"
#include "nl2sql/stages/refine.hpp"
#include "nl2sql/stages/stage.hpp"

namespace trustsql::nl2sql {

// The models that the stages ask.
struct PipelineModels {
  ModelOptions triage;
  ModelOptions rewrite;
  ModelOptions schema;
  ModelOptions generate;
  ModelOptions refine;
  ModelOptions verify;
};

// The options of refinement for `method`.
RefineOptions refine_options(const Method& method, const PipelineModels& models);

class Pipeline {
 public:
  // The stages of `method`.
  Pipeline(const Method& method, const PipelineModels& models);

  // Takes `attempt` through the stages. Its question, evidence and schema (empty: the whole schema) are inputs, the
  // rest is output. Afterwards attempt.sql is the answer, which is present unless the pipeline abstained. SQL written
  // by the model runs only in the sandbox. Errors: those of the stages, prefixed with the stage's name; interrupted.
  Status run(Attempt& attempt, StageContext& context) const;

  const Method& method() const { return method_; }

 private:
  Method method_;
  std::vector<std::shared_ptr<const Stage>> stages_;
};

// What ABSTAIN-ALL (TrustSQL, Table 3) does with every question: neither a model nor a database is used.
void abstain_from(Attempt& attempt);

// What a user who gets no answer for this reason can do; empty if there is nothing to suggest.
std::string_view suggestion_for(Abstention reason);

}  // namespace trustsql::nl2sql
