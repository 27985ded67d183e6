// What the nl2sql functions share: what a connection keeps for them, and what one call hands to its stages.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ext/adaptor/call.hpp"
#include "ext/llm_service.hpp"
#include "ext/session.hpp"
#include "nl2sql/content_cache.hpp"
#include "nl2sql/pipeline.hpp"

namespace trustsql::ext {

// Of a connection; host thread only.
class QuestionService {
 public:
  static QuestionService& of(Session& session) { return session.objects().shared<QuestionService>(); }

  nl2sql::PromptLibrary& prompts() { return prompts_; }
  nl2sql::ContentCache& content() { return content_; }
  // Comparers with these limits.
  std::shared_ptr<equiv::ComparerPool> comparers(const SandboxLimits& limits);

 private:
  nl2sql::PromptLibrary prompts_;
  nl2sql::ContentCache content_;
  SandboxLimits limits_;
  std::shared_ptr<equiv::ComparerPool> comparers_;
};

// A question as a function is asked it.
struct AskedQuestion {
  std::string question;
  std::string evidence;
  std::shared_ptr<SandboxSource> source;
};

// One call of a function, of one question or of many. Made and destroyed in the host's thread while its statement runs.
class QuestionCall {
 public:
  // Errors (invalid_argument): no server is set where `needs_model`, a setting is wrong; those of the embedders.
  static Result<std::unique_ptr<QuestionCall>> create(Session& session, bool needs_model = true);

  // What the stages of a question on `source` are handed; `catalog` is that of the source. Thread-safe. Refers to both, and to this.
  nl2sql::StageContext context(SandboxSource& source, const Catalog& catalog);
  // Takes a question through `pipeline`. Thread-safe. Errors: of Pipeline::run(), and of reading the database's schema.
  Result<nl2sql::Attempt> attempt(const nl2sql::Pipeline& pipeline, const AskedQuestion& asked);

  LlmCall& llm() { return call_; }
  // From now on everything that this call waits for ends with `interrupted`. Thread-safe.
  void cancel() { cancelled_ = true; }

 private:
  explicit QuestionCall(Session& session);

  LlmCall call_;
  std::atomic<bool> cancelled_ = false;
  llm::CallContext call_context_;
  nl2sql::PromptLibrary prompts_;  // as they are when the call begins
  nl2sql::ContentCache& content_;
  std::shared_ptr<llm::ChatModel> chat_;
  std::shared_ptr<link::Embedder> embedder_;
  std::shared_ptr<link::Embedder> word_embedder_;
  std::shared_ptr<equiv::ComparerPool> comparers_;
  ResolveOptions dialect_;
  std::int64_t match_max_steps_;
  bool send_rows_ = false;
};

// The method that the options name, or the setting nl2sql_method, with the options that change it.
Result<nl2sql::Method> method_of(Session& session, const Options& options);

// The pipeline of `method` with the models that the settings name.
Result<nl2sql::Pipeline> pipeline_of(Session& session, const SharedScope& scope, const nl2sql::Method& method, const Options& options);

}  // namespace trustsql::ext
