// The pipeline: from a question to SQL or an abstention.
//
//   triage -> link -> rewrite -> prompt -> generate (with vote) -> refine -> verify -> decide
//
// A method has some of these stages. Each is called once, in this order, writes its own rows of the trace, and knows
// nothing of the stages around it; the first that abstains is the last that is called.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nl2sql/method.hpp"
#include "nl2sql/refine.hpp"
#include "nl2sql/stage.hpp"

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

// Refinement as `method` has it.
RefineOptions refine_options(const Method& method, const PipelineModels& models);

class Pipeline {
 public:
  // The stages of `method`.
  Pipeline(const Method& method, const PipelineModels& models);

  // Takes `attempt` through the stages: its question, evidence and schema (empty: the whole one) are given, the rest is
  // found. Afterwards attempt.sql is the answer, and there is one unless it abstained. What the model writes runs in
  // the sandbox alone. Errors: those of the stages, with the stage's name; interrupted.
  Status run(Attempt& attempt, StageContext& context) const;

  const Method& method() const { return method_; }
  // The names of the stages, in order.
  std::vector<std::string_view> stages() const;

 private:
  Method method_;
  std::vector<std::shared_ptr<const Stage>> stages_;
};

// What ABSTAIN-ALL (TrustSQL, Table 3) does to every question; no model is asked, and no database looked at.
void abstain_from(Attempt& attempt);

// What a person who gets no answer for this reason can do; empty where there is nothing to say.
std::string_view suggestion_for(Abstention reason);

}  // namespace trustsql::nl2sql
