// G-eval: a language model as the judge of two queries (FuncEvalGMN, Section 5.1 and Appendix N.2).
#pragma once

#include <string>
#include <string_view>

#include "llm/chat.hpp"
#include "nl2sql/prompts/prompt_library.hpp"

namespace trustsql::nl2sql {

struct GEvalOptions {
  std::string model;
  // true: the score is the probability of 1 against 0, by the probabilities of the score's token (Liu et al. 2023, Eq.
  // 1). false: the score is the number in the reply.
  bool weighted = false;
};

// From 0 (they do not agree) to 1. Errors: those of the model and the prompt; io if the reply has no score, or if
// `weighted` is set and the server returns no probabilities.
Result<double> g_eval(std::string_view a, std::string_view b, const GEvalOptions& options, const PromptLibrary& prompts,
                      llm::ChatModel& chat, const llm::RequestContext& context);

}  // namespace trustsql::nl2sql
