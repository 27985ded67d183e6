// Stage: one step of the pipeline. Each knows nothing of the steps around it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "db/sandbox.hpp"
#include "equiv/comparer_pool.hpp"
#include "link/corpus.hpp"
#include "link/embedder.hpp"
#include "llm/chat.hpp"
#include "nl2sql/attempt.hpp"
#include "nl2sql/content_cache.hpp"
#include "nl2sql/example_pool.hpp"
#include "nl2sql/prompts.hpp"
#include "sql/resolver.hpp"

namespace trustsql::nl2sql {

// What the stages of one question share. What is referred to outlives it.
struct StageContext {
  const Catalog& catalog;
  SandboxSource& source;  // the database that the question is about
  llm::ChatModel& chat;
  const PromptLibrary& prompts;
  link::Embedder& embedder;          // similarity of questions and names: the endpoint's where there is one
  link::Embedder& example_embedder;  // similarity of examples: the same where those may go there, else one that never
                                     // asks the network
  link::Embedder& word_embedder;     // mean word vectors, for rows (DART-SQL, section 3.2); never asks the network
  ContentCache& content;             // rows that were read and their vectors, kept over questions
  llm::CallContext call;
  const ExamplePool* examples = nullptr;     // where demonstrations come from; may be null
  const link::Corpus* corpus = nullptr;      // the schema's elements made ready for retrieval; null: made when needed
  bool send_rows = false;                    // whether cell values may stand in prompts (llm_send_rows)
  llm::Usage usage = {};                     // spent on this question
  ResolveOptions dialect = {};               // what queries are resolved with
  equiv::ComparerPool* comparers = nullptr;  // for voting by proved equivalence
  std::int64_t match_max_steps = 1'000'000;  // of one comparison of results (match_columns())

  // Asks `chat` and counts what that took in `usage`. Errors: those of llm::ChatModel::complete().
  Result<std::vector<llm::Choice>> ask(const llm::ChatRequest& request);
};

// What every stage that asks a model is told.
struct ModelOptions {
  std::string model;
  std::optional<std::int64_t> seed = {};
  std::optional<int> max_tokens = {};
};

// A conversation as the trace shows it: "[system]\n...\n[user]\n...".
std::string conversation_text(const std::vector<llm::Message>& messages);

class Stage {
 public:
  virtual ~Stage() = default;

  // As the trace names it.
  virtual std::string_view name() const = 0;

  // Does its step, and adds at least one row to attempt.trace. To abstain is a success that sets attempt.abstention;
  // the stages after it are then left out. Errors: those of the endpoint, the database's, interrupted.
  virtual Status run(Attempt& attempt, StageContext& context) const = 0;
};

}  // namespace trustsql::nl2sql
