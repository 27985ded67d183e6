// schema_hallucinate, schema_link, schema_recall, embed: from a question to the columns that it needs (CRUSH4SQL).

#include "base/text.hpp"
#include "db/results/result_set.hpp"
#include "db/sources/row_source.hpp"
#include "ext/adaptor/scalar.hpp"
#include "ext/adaptor/table.hpp"
#include "ext/options/link_options.hpp"
#include "ext/registry.hpp"
#include "ext/services/link_service.hpp"
#include "ext/services/llm_service.hpp"
#include "link/element_source.hpp"
#include "link/hallucination.hpp"
#include "link/question_schema.hpp"
#include "link/recall.hpp"

namespace trustsql::ext {

namespace {

// --- schema_hallucinate ----------------------------------------------------------------------------------------------

struct Hallucinated {
  std::vector<std::string> relations;
  bool by_model = true;
};

Result<Hallucinated> hallucinate_relations(Session& session, const std::string& question,
                                           const nl2sql::HallucinationOptions& options,
                                           const llm::RequestContext& call) {
  auto& service = LlmService::of(session);
  if (!service.has_chat()) return Hallucinated{link::schema_of_question(question), false};
  TRUSTSQL_ASSIGN_OR_RETURN(const auto chat, service.chat());
  const auto& prompts = session.objects().shared<nl2sql::PromptLibrary>();
  TRUSTSQL_ASSIGN_OR_RETURN(auto relations, nl2sql::hallucinate(question, options, prompts, *chat, call));
  // A reply without a relation is treated like no reply.
  if (relations.empty()) return Hallucinated{link::schema_of_question(question), false};
  return Hallucinated{std::move(relations), true};
}

nl2sql::HallucinationOptions default_hallucination(const Session& session) {
  nl2sql::HallucinationOptions options;
  options.model.model = model_of(session.settings(), Setting::llm_model_schema);
  return options;
}

Result<std::string> schema_hallucinate(Session& session, std::string_view question, const Options& options) {
  auto hallucination = default_hallucination(session);
  TRUSTSQL_RETURN_IF_ERROR(apply_options(session, options, hallucination));
  LlmCall call(session);
  TRUSTSQL_ASSIGN_OR_RETURN(const auto result,
                            hallucinate_relations(session, std::string(question), hallucination, call.context()));
  return link::relations_to_json(result.relations);
}

// --- schema_link -----------------------------------------------------------------------------------------------------

Result<std::shared_ptr<const link::Corpus>> corpus_of(Session& session, const SharedScope& scope,
                                                      const Options& options, link::Embedder& embedder,
                                                      const llm::RequestContext& call) {
  auto& service = LinkService::of(session);
  if (const auto source = options.get(element_source_option)) {
    if (options.has(database_option) || options.has(schema_option))
      return invalid_argument("give either source, or one of database and schema");
    TRUSTSQL_ASSIGN_OR_RETURN(auto rows, RowSource::open(session.host(), *source));
    TRUSTSQL_ASSIGN_OR_RETURN(auto elements, link::elements_of(std::move(rows)));
    return service.corpus(std::move(elements), embedder, call);
  }
  TRUSTSQL_ASSIGN_OR_RETURN(const auto catalog, catalog_of(session, scope, options));
  return service.corpus(catalog, embedder, call);
}

Result<ResultSet> schema_link(Session& session, const SharedScope& scope, std::string_view question,
                              std::int64_t budget, const Options& options) {
  constexpr std::int64_t max_budget = 1'000'000;
  if (budget < 1 || budget > max_budget) {
    return invalid_argument("argument 2 (budget) must be an integer from 1 to " + std::to_string(max_budget) +
                            ", not " + std::to_string(budget));
  }
  TRUSTSQL_RETURN_IF_ERROR(check_link_options(options));
  const std::string asked(question);
  LlmCall call(session);
  TRUSTSQL_ASSIGN_OR_RETURN(const auto embedder, LinkService::of(session).embedder());
  TRUSTSQL_ASSIGN_OR_RETURN(const auto corpus, corpus_of(session, scope, options, *embedder, call.context()));
  Hallucinated schema;
  const auto method = options.get(link_method_option);
  if (auto given = options.get(hallucinated_option)) {
    schema.relations = std::move(given->values);
  } else if (method == link::LinkMethod::crush || method == link::LinkMethod::cosine) {
    TRUSTSQL_ASSIGN_OR_RETURN(schema,
                              hallucinate_relations(session, asked, default_hallucination(session), call.context()));
  }
  const auto link_options = link_options_of(options, static_cast<std::size_t>(budget), schema.by_model);
  TRUSTSQL_ASSIGN_OR_RETURN(
      const auto linked, link::Linker(*corpus, *embedder).link(asked, schema.relations, link_options, call.context()));
  ResultSet rows({"rank", "tbl", "col", "score", "covers"});
  std::int64_t rank = 0;
  for (const auto& [number, score, covers] : linked) {
    const auto& element = corpus->elements()[number];
    const auto text_or_null = [](std::string_view text) {
      return text.empty() ? ValueView::null() : ValueView::of_text(text);
    };
    rows.append(ValueView::of_integer(++rank));
    rows.append(ValueView::of_text(element.qualified_table()));
    rows.append(ValueView::of_text(element.column));
    rows.append(ValueView::of_real(score));
    rows.append(text_or_null(covers));
  }
  return rows;
}

// --- schema_recall ---------------------------------------------------------------------------------------------------

Result<std::vector<std::string>> names_in(std::string_view json, std::string_view which) {
  auto parsed = link::relations_from_json(json);
  if (!parsed)
    return invalid_argument("argument " + std::string(which) + " must be a JSON array of texts such as [\"t.c\"]");
  return *std::move(parsed);
}

Result<std::optional<double>> schema_recall(std::string_view gold, std::string_view retrieved) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto gold_names, names_in(gold, "1 (gold)"));
  TRUSTSQL_ASSIGN_OR_RETURN(const auto retrieved_names, names_in(retrieved, "2 (retrieved)"));
  return link::element_recall(gold_names, retrieved_names);
}

// --- embed -----------------------------------------------------------------------------------------------------------

Result<Value> embed(Session& session, std::string_view text) {
  LlmCall call(session);
  TRUSTSQL_ASSIGN_OR_RETURN(const auto embedder, LinkService::of(session).embedder());
  const std::string text_copy(text);
  TRUSTSQL_ASSIGN_OR_RETURN(const auto vectors, embedder->embed(std::span(&text_copy, 1), call.context()));
  return Value(Blob{link::vector_to_bytes(vectors[0])});
}

}  // namespace

std::span<const FunctionSpec> schema_retrieval_functions() {
  static constexpr FunctionSpec functions[] = {
      scalar<schema_hallucinate>(
          {.name = "schema_hallucinate",
           .signature = "schema_hallucinate(question [, opts])",
           .summary = "A minimal schema from which the question could be answered, hallucinated without seeing the "
                      "database: a JSON array such as [\"Club(name, id)\"]. A language model is asked "
                      "(llm_model_schema); without one it is derived from the question's own phrases.",
           .example = "SELECT schema_hallucinate('What are the names of all stations with a "
                      "latitude below 37.5?'); -- [\"stations(name, latitude)\"]",
           .options = hallucination_options,
           .entry_point = EntryPoint::offline,
           .effect = Effect::state}),
      table<schema_link>(
          {.name = "schema_link",
           .signature = "schema_link(question, budget [, opts])",
           .summary =
               "At most budget columns that the question's SQL may need, the most likely first, by CRUSH4SQL's "
               "collective retrieval: the schema that the question implies is matched with the real one so that all of "
               "it is covered. tbl is prefixed with the database if there are several; covers is the element of the "
               "implied schema that is nearest to the column, and score their similarity, 0 to 1.",
           .example = "SELECT tbl || '.' || col FROM schema_link('How old is each singer?', 1, "
                      "'{\"schema\":\"CREATE TABLE singer(id, age, country); "
                      "CREATE TABLE stadium(id, capacity)\"}'); -- singer.age",
           .columns = "rank INTEGER, tbl TEXT, col TEXT, score REAL, covers TEXT",
           .options = link_options,
           .entry_point = EntryPoint::offline,
           .effect = Effect::state}),
      scalar<schema_recall>(
          {.name = "schema_recall",
           .signature = "schema_recall(gold, retrieved)",
           .summary = "The share of the gold elements that were retrieved, both JSON arrays of names (case ignored); "
                      "NULL if there is no gold element. Its mean over questions is the papers' r@B.",
           .example = "SELECT schema_recall('[\"t.a\", \"t.b\"]', '[\"t.b\", \"t.c\"]'); -- 0.5"}),
      scalar<embed>(
          {.name = "embed",
           .signature = "embed(text)",
           .summary =
               "The text's vector, normalised to length 1, as a BLOB of little-endian 32-bit floats: that of the "
               "endpoint (embed_url, embed_model), or 512 numbers computed from the spelling and meaning of its words.",
           .example = "SELECT length(embed('singer')) / 4; -- 512",
           .entry_point = EntryPoint::offline,
           .effect = Effect::state}),
  };
  return functions;
}

}  // namespace trustsql::ext
