// Asking a language model for the schema that a question implies: the first phase of CRUSH4SQL (section 3.1).
//
// The model sees the question and examples, but nothing of the database. The answer is used by link/linker.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "llm/chat.hpp"
#include "nl2sql/prompts/prompt_library.hpp"
#include "nl2sql/stages/stage.hpp"

namespace trustsql::nl2sql {

// The paper's three prompts (Tables 1 and 4).
enum class HallucinationKind { schema, variables, relations };

// The number of built-in examples, and the most that may be given.
inline constexpr std::size_t hallucination_examples = 6;
inline constexpr std::size_t max_hallucination_examples = 1000;

struct HallucinationExample {
  std::string question;
  std::string answer;  // what the model should reply
};

struct HallucinationOptions {
  HallucinationKind kind = HallucinationKind::schema;
  std::size_t shots = hallucination_examples;       // number of examples in the prompt, or all if they are fewer
  std::optional<std::uint64_t> order_seed = {};     // shuffles the examples; none: the order of their list
  std::vector<HallucinationExample> examples = {};  // in place of the built-in ones (Tables 10, 11); empty: those
  double temperature = 0;
  ModelOptions model = {};
};

// The request for `question`. Errors: those of PromptLibrary::render().
Result<llm::ChatRequest> hallucination_request(const std::string& question, const HallucinationOptions& options,
                                               const PromptLibrary& prompts);

// The relations in the reply of `chat`, as probes_of() takes them; empty if there are none. The usage is added to
// `usage` unless that is null. Errors: those of hallucination_request() and of llm::ChatModel::complete().
Result<std::vector<std::string>> hallucinate(const std::string& question, const HallucinationOptions& options,
                                             const PromptLibrary& prompts, llm::ChatModel& chat,
                                             const llm::RequestContext& call, llm::Usage* usage = nullptr);

}  // namespace trustsql::nl2sql
