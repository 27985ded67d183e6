#include "ext/functions/nl2sql/nl2sql_call.hpp"

#include <algorithm>
#include <filesystem>

#include "base/text.hpp"
#include "db/sources/ddl_source.hpp"
#include "db/sources/row_source.hpp"
#include "db/sqlite/connection.hpp"
#include "db/sqlite/host_functions.hpp"
#include "ext/services/host_dialect.hpp"
#include "ext/services/link_service.hpp"
#include "ext/services/parser_model.hpp"
#include "link/glove_embedder.hpp"
#include "link/lexical_embedder.hpp"
#include "llm/no_chat_model.hpp"

namespace trustsql::ext {

namespace {

constexpr std::string_view default_examples = "trustsql_examples";

// The last word embedder that was created, and the path that it was created from.
struct WordEmbedder {
  std::string path;
  std::shared_ptr<link::Embedder> embedder;
};

// Whether the table of examples exists, in main or temp.
Result<bool> has_default_examples(Session& session) {
  const std::string lookup = ".sqlite_schema WHERE name = " + quote_string(default_examples) + " COLLATE NOCASE";
  TRUSTSQL_ASSIGN_OR_RETURN(const auto count,
                            query_integer(session.host(), "SELECT (SELECT count(*) FROM main" + lookup +
                                                              ") + (SELECT count(*) FROM temp" + lookup + ")"));
  return count > 0;
}

// The option `examples`, where the function has it.
std::optional<std::string> named_examples(const Options& options) {
  return options.lists(examples_option) ? options.get(examples_option) : std::nullopt;
}

// `asks_model`: whether they may become part of a prompt.
Result<std::vector<nl2sql::Example>> read_examples(Session& session, const Options& options, bool asks_model) {
  const auto named = named_examples(options);
  if (named && named->empty()) return std::vector<nl2sql::Example>();
  if (asks_model && !LlmService::of(session).sends_examples(llm::Service::chat)) {
    if (!named) return std::vector<nl2sql::Example>();
    TRUSTSQL_RETURN_IF_ERROR(LlmService::of(session).check_examples_may_go());
  }
  if (!named) {
    TRUSTSQL_ASSIGN_OR_RETURN(const bool has_examples, has_default_examples(session));
    if (!has_examples) return std::vector<nl2sql::Example>();  // no example has been stored yet
  }
  const std::string prefix = named ? "option 'examples'" : std::string(default_examples);
  auto source = RowSource::open(session.host(), named ? std::string_view(*named) : default_examples);
  if (!source.ok()) return std::move(source).error().with_prefix(prefix);
  auto examples = nl2sql::ExamplePool::read(*source);
  if (!examples.ok()) return std::move(examples).error().with_prefix(prefix);
  return examples;
}

// Where values are kept now, as the setting says.
struct ValuePlace {
  std::string place = "memory";
};

// Has the values that are read from now on kept where the setting nl2sql_value_index says. Errors: those of the file.
Status settle_value_store(Session& session) {
  auto& now = session.objects().shared<ValuePlace>().place;
  const auto& place = session.settings().text(Setting::nl2sql_value_index);
  if (now == place) return ok_status();
  std::shared_ptr<semparse::ValueStore> store;
  if (place != "memory") {
    TRUSTSQL_ASSIGN_OR_RETURN(store, semparse::ValueStore::open(place));
  }
  session.objects().shared<semparse::KnowledgeCache>().keep_in(std::move(store));
  now = place;
  return ok_status();
}

// The pool that was used last. It is reused for the same examples, with the vectors that it has computed for them.
struct KnownPool {
  std::shared_ptr<const nl2sql::ExamplePool> pool;
};

std::shared_ptr<const nl2sql::ExamplePool> pool_of(Session& session, std::vector<nl2sql::Example> examples) {
  auto& cached = session.objects().shared<KnownPool>().pool;
  if (cached && std::ranges::equal(cached->examples(), examples)) return cached;
  cached = std::make_shared<const nl2sql::ExamplePool>(
      std::move(examples), [settings = session.settings()](std::string_view ddl) { return open_ddl(ddl, settings); });
  return cached;
}

// Clears the database name of the examples that are about the database of the question. If that is the connection's,
// those are the examples without a name. If it is a file, those are the examples that name it, by its path or by its
// name without folder and extension, and, if the option 'examples' is given, those without a name.
void settle_databases(std::vector<nl2sql::Example>& examples, const Options& options, bool elsewhere) {
  const auto path = options.get(database_option);
  if (!elsewhere && !path && !options.has(schema_option)) return;
  const auto stem = path ? std::filesystem::path(*path).stem().string() : std::string();
  if (!named_examples(options)) std::erase_if(examples, [](const auto& example) { return example.database.empty(); });
  for (auto& example : examples)
    if (path && (example.database == *path || example.database == stem)) example.database.clear();
}

// The names of the functions of a connection, in lower case and sorted; nullopt if it does not tell them, because of
// its authorizer or compile-time options.
Result<std::optional<std::vector<std::string>>> function_names(sqlite3* host) {
  const auto functions = read_functions(host);
  if (!functions.ok()) {
    if (functions.error().code == ErrorCode::out_of_memory) return functions.error();
    return std::optional<std::vector<std::string>>();
  }
  if (functions->empty()) return std::optional<std::vector<std::string>>();
  std::vector<std::string> names;
  for (const auto& function : *functions) names.push_back(to_lower_ascii(function.name));
  std::ranges::sort(names);
  return std::optional(std::move(names));
}

}  // namespace

Result<std::shared_ptr<link::Embedder>> word_embedder_of(Session& session) {
  auto& cached = session.objects().shared<WordEmbedder>();
  const auto& path = session.settings().text(Setting::glove_path);
  if (cached.embedder && cached.path == path) return cached.embedder;
  if (path.empty()) {
    cached.embedder = std::make_shared<link::LexicalEmbedder>();
  } else {
    auto glove = link::GloveEmbedder::open(path);
    if (!glove.ok()) return std::move(glove).error().with_prefix("setting 'glove_path'");
    cached.embedder = std::move(glove).value();
  }
  cached.path = path;
  return cached.embedder;
}

QuestionCall::QuestionCall(Session& session)
    : session_(session),
      llm_(session),
      prompts_(session.objects().shared<nl2sql::PromptLibrary>()),
      comparers_(SandboxLimits::from(session.settings())),
      content_(session.objects().shared<nl2sql::ContentCache>()),
      send_rows_(LlmService::of(session).sends_rows()),
      match_max_steps_(session.settings().integer(Setting::match_max_steps)) {}

Result<std::unique_ptr<QuestionCall>> QuestionCall::open(Session& session, const SharedScope& scope,
                                                         const Options& options, bool elsewhere, bool asks_model) {
  std::unique_ptr<QuestionCall> call(new QuestionCall(session));
  if (asks_model) {
    TRUSTSQL_ASSIGN_OR_RETURN(call->chat_, LlmService::of(session).chat());
    TRUSTSQL_ASSIGN_OR_RETURN(call->embedder_, LinkService::of(session).embedder());
  } else {
    call->chat_ = std::make_shared<llm::NoChatModel>();
    call->embedder_ = LinkService::of(session).embedded();
  }
  TRUSTSQL_ASSIGN_OR_RETURN(call->word_embedder_, word_embedder_of(session));
  TRUSTSQL_ASSIGN_OR_RETURN(call->model_, parser_model_of(session));
  TRUSTSQL_RETURN_IF_ERROR(settle_value_store(session));
  TRUSTSQL_ASSIGN_OR_RETURN(call->source_, source_of(session, scope, options));
  TRUSTSQL_ASSIGN_OR_RETURN(call->catalog_, call->source_->catalog());
  TRUSTSQL_ASSIGN_OR_RETURN(call->host_functions_, function_names(session.host()));
  call->evidence_ = options.get(evidence_option);
  TRUSTSQL_ASSIGN_OR_RETURN(auto examples, read_examples(session, options, asks_model));
  settle_databases(examples, options, elsewhere);
  call->example_embedder_ = !asks_model || LlmService::of(session).sends_examples(llm::Service::embeddings)
                                ? call->embedder_
                                : LinkService::of(session).embedded();
  call->examples_ = pool_of(session, std::move(examples));
  return call;
}

nl2sql::StageContext QuestionCall::context(SandboxSource& source, const Catalog& catalog) {
  return {.catalog = catalog,
          .source = source,
          .chat = *chat_,
          .prompts = prompts_,
          .embedder = *embedder_,
          .example_embedder = *example_embedder_,
          .word_embedder = *word_embedder_,
          .content = content_,
          .call = llm_.context(),
          .examples = examples_.get(),
          .knowledge = &session_.objects().shared<semparse::KnowledgeCache>(),
          .model = model_,
          .send_rows = send_rows_,
          .host_has_function = [this](std::string_view name) { return has_function(name); },
          .dialect = built_in_dialect(),
          .comparers = &comparers_,
          .match_max_steps = match_max_steps_};
}

bool QuestionCall::has_function(std::string_view name) const {
  return !host_functions_ || std::ranges::binary_search(*host_functions_, to_lower_ascii(name));
}

nl2sql::Attempt QuestionCall::attempt(std::string_view question) const {
  nl2sql::Attempt attempt;
  attempt.question = question;
  attempt.evidence = evidence_;
  attempt.schema = nl2sql::SchemaSubset::all(*catalog_);
  return attempt;
}

nl2sql::ModelOptions QuestionCall::model(Setting stage) const {
  const auto& settings = session_.settings();
  nl2sql::ModelOptions model;
  model.model = model_of(settings, stage);
  if (const auto seed = settings.integer(Setting::llm_seed); seed >= 0) model.seed = seed;
  if (const auto tokens = settings.integer(Setting::llm_max_tokens); tokens > 0)
    model.max_tokens = static_cast<int>(tokens);
  return model;
}

}  // namespace trustsql::ext
