// Stage: one step of the pipeline. Each knows nothing of the steps around it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/setting_specs.hpp"
#include "db/sandbox/sandbox.hpp"
#include "equiv/comparer_pool.hpp"
#include "link/corpus.hpp"
#include "link/embedder.hpp"
#include "llm/chat.hpp"
#include "nl2sql/attempt.hpp"
#include "nl2sql/content/content_cache.hpp"
#include "nl2sql/content/example_pool.hpp"
#include "nl2sql/prompts/prompt_library.hpp"
#include "score/execution/trustsql_text.hpp"
#include "semparse/knowledge_cache.hpp"
#include "sql/resolver.hpp"

namespace trustsql::nl2sql {

struct ParsedQuestion;

// What the stages of one question share. The objects it refers to must outlive it.
struct StageContext {
  const Catalog& catalog;
  SandboxSource& source;  // the database that the question is about
  llm::ChatModel& chat;
  const PromptLibrary& prompts;
  link::Embedder& embedder;          // similarity of questions and names: the endpoint's, if there is one
  link::Embedder& example_embedder;  // similarity of examples: the same if these may be sent there, otherwise
                                     // one that never uses the network
  link::Embedder& word_embedder;     // mean word vectors, for rows (DART-SQL, section 3.2); never uses the network
  ContentCache& content;             // rows read and their vectors, kept across questions
  llm::RequestContext call;
  const ExamplePool* examples = nullptr;          // the source of demonstrations; may be null
  const link::Corpus* corpus = nullptr;           // the schema's elements, ready for retrieval; null: built when needed
  semparse::KnowledgeCache* knowledge = nullptr;  // what the embedded parser knows; null: it is not asked
  std::shared_ptr<const semparse::ParserModel> model = {};  // of the embedded parser; null: the one in this library
  bool send_rows = false;                                   // whether prompts may contain cell values (llm_send_rows)
  llm::Usage usage = {};                                    // spent on this question
  std::shared_ptr<const ParsedQuestion> parsed =
      {};  // what the embedded parser made of the question, once it was asked
  std::optional<TrustsqlDataset> dataset =
      {};  // queries are tried as the TrustSQL benchmark runs those of this data set
  // Whether the connection that asks has a function of this name, so that an answer that calls it would run it. None:
  // it is not known.
  std::function<bool(std::string_view name)> host_has_function = {};
  ResolveOptions dialect = {};               // for resolving queries
  equiv::ComparerPool* comparers = nullptr;  // for voting by proved equivalence
  // Limit for one comparison of results (match_columns()).
  std::int64_t match_max_steps = default_integer(Setting::match_max_steps);

  // Asks `chat` and adds the cost to `usage`. Errors: those of llm::ChatModel::complete().
  Result<std::vector<llm::Choice>> ask(const llm::ChatRequest& request);
};

// Options of every stage that asks a model.
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

  // The name in the trace.
  virtual std::string_view name() const = 0;

  // Performs the step, and adds at least one row to attempt.trace. Abstaining is a success that sets
  // attempt.abstention; the later stages are then skipped. Errors: those of the endpoint and the database, interrupted.
  virtual Status run(Attempt& attempt, StageContext& context) const = 0;
};

}  // namespace trustsql::nl2sql
