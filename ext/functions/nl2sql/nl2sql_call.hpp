// QuestionCall: everything that the stages of a question need, built from a connection's settings and a call's options.
//
//   TRUSTSQL_ASSIGN_OR_RETURN(const auto call, QuestionCall::open(session, scope, options));
//   auto context = call->context();                       // one for each question
//   auto attempt = call->attempt(question, evidence);
//   TRUSTSQL_RETURN_IF_ERROR(stage.run(attempt, context));
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "equiv/comparer_pool.hpp"
#include "ext/options/question_options.hpp"
#include "ext/services/llm_service.hpp"
#include "nl2sql/content/example_pool.hpp"
#include "nl2sql/stages/stage.hpp"

namespace trustsql::ext {

// One for each call of a SQL function; created and destroyed in the host's thread. It must not be moved: contexts refer
// to it.
class QuestionCall {
 public:
  // Reads those options of question_options that the function has. `elsewhere`: the questions name their databases
  // themselves, so this connection's examples are about none of them. `asks_model`: whether a language model may be
  // asked; if not, nothing uses the network, and no server needs to be configured. Errors: no server is configured;
  // those of the database, of the examples and of the setting glove_path.
  static Result<std::unique_ptr<QuestionCall>> open(Session& session, const SharedScope& scope, const Options& options,
                                                    bool elsewhere = false, bool asks_model = true);
  QuestionCall(const QuestionCall&) = delete;
  QuestionCall& operator=(const QuestionCall&) = delete;

  // The context that a question's stages share; valid while this object lives. It may be created and used in any
  // thread; each thread uses its own.
  nl2sql::StageContext context() { return context(*source_, *catalog_); }
  // The same for a question about another database, which must outlive the context.
  nl2sql::StageContext context(SandboxSource& source, const Catalog& catalog);

  // A question about the whole schema.
  nl2sql::Attempt attempt(std::string_view question) const;

  // The model options for a stage whose model the setting `stage`, one of Setting::llm_model_*, names. Host thread
  // only.
  nl2sql::ModelOptions model(Setting stage) const;

  LlmCall& llm() { return llm_; }
  // Whether this connection has a function of that name; true if that cannot be found out. Any thread.
  bool has_function(std::string_view name) const;
  const std::shared_ptr<SandboxSource>& source() const { return source_; }
  link::Embedder& embedder() { return *embedder_; }
  const std::shared_ptr<const Catalog>& catalog() const { return catalog_; }

 private:
  explicit QuestionCall(Session& session);

  Session& session_;
  LlmCall llm_;
  std::string evidence_;
  std::shared_ptr<llm::ChatModel> chat_;
  std::shared_ptr<link::Embedder> embedder_;
  std::shared_ptr<link::Embedder> example_embedder_;
  std::shared_ptr<link::Embedder> word_embedder_;
  std::shared_ptr<SandboxSource> source_;
  std::shared_ptr<const Catalog> catalog_;
  nl2sql::PromptLibrary prompts_;  // as it was when the call began
  std::shared_ptr<const nl2sql::ExamplePool> examples_;
  std::optional<std::vector<std::string>> host_functions_;  // names in lower case, sorted; nullopt: cannot be read
  std::shared_ptr<const semparse::ParserModel> model_;
  equiv::ComparerPool comparers_;
  nl2sql::ContentCache& content_;
  const bool send_rows_;
  const std::int64_t match_max_steps_;
};

// The embedder of the setting glove_path, or the embedded one; cached for the connection. Errors: those of
// GloveEmbedder::open().
Result<std::shared_ptr<link::Embedder>> word_embedder_of(Session& session);

}  // namespace trustsql::ext
