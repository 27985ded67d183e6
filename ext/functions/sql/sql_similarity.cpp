// sql_similarity: how similar two queries are, by one of several metrics.

#include <map>
#include <tuple>

#include "db/sources/source.hpp"
#include "equiv/similarity.hpp"
#include "equiv/similarity/words.hpp"
#include "ext/adaptor/scalar.hpp"
#include "ext/options/schema_options.hpp"
#include "ext/registry.hpp"
#include "ext/services/host_dialect.hpp"
#include "ext/services/llm_service.hpp"
#include "nl2sql/g_eval.hpp"

namespace trustsql::ext {

namespace {

constexpr OptionSpec similarity_option_specs[] = {
    {.key = "alpha",
     .type = OptionType::real,
     .description =
         "relpm, astpm: the weight of a node itself, 0.01 to 0.99; its children share the rest. 0.5 by default.",
     .min = 0.01,
     .max = 0.99},
    {.key = "beta",
     .type = OptionType::real,
     .description = "relpm, astpm: above 1, recall (the share of the first query that is in the second) has more "
                    "weight, below 1 precision. 1 by default.",
     .min = 0.01,
     .max = 100},
    {.key = "clause_weights",
     .type = OptionType::list,
     .description = "relpm: weights of operators and their subtrees, as alternating names and numbers, such as "
                    "[\"filter\", 2, \"sort\", 0.5]; the others have 1. The names are scan, filter, project, join, "
                    "aggregate, window, distinct, sort, limit, set."},
    database_option,
    schema_option,
    {.key = "max_n",
     .type = OptionType::integer,
     .description = "bleu, crystalbleu, codebleu: the longest n-grams, 1 to 8. 4 by default.",
     .min = 1,
     .max = max_ngram},
    {.key = "corpus",
     .type = OptionType::text,
     .description = "crystalbleu: a table, view or SELECT with a column `sql`, whose most frequent n-grams are "
                    "ignored. Without it, n-grams of only keywords, operators and punctuation are ignored."},
    {.key = "k",
     .type = OptionType::integer,
     .description = "crystalbleu: how many n-grams of the corpus are ignored; 500 by default.",
     .min = 0,
     .max = 1'000'000},
    {.key = "weights",
     .type = OptionType::list,
     .description =
         "codebleu: weights of n-grams, keywords, syntax and data flow; [0.25, 0.25, 0.25, 0.25] by default."},
    {.key = "model",
     .type = OptionType::text,
     .description = "g-eval: the model that judges; the setting llm_model by default."},
    {.key = "weighted",
     .type = OptionType::boolean,
     .description = "g-eval: true returns the model's probability of 1 against 0 instead of 0 or 1, if the server "
                    "returns probabilities."},
};

constexpr std::string_view judged_metric = "g-eval";

Result<double> judge_by_model(Session& session, std::string_view a, std::string_view b, const Options& options) {
  LlmCall call(session);
  TRUSTSQL_ASSIGN_OR_RETURN(const auto chat, LlmService::of(session).chat());
  const nl2sql::GEvalOptions g_eval_options = {
      options.text("model").value_or(session.settings().text(Setting::llm_model)),
      options.boolean("weighted").value_or(false)};
  return nl2sql::g_eval(a, b, g_eval_options, session.objects().shared<nl2sql::PromptLibrary>(), *chat, call.context());
}

// The frequent n-grams of corpora, for the calls of one statement.
class Corpora {
 public:
  using Ngrams = std::shared_ptr<const std::unordered_set<std::string>>;

  Result<Ngrams> frequent(sqlite3* host, const std::string& corpus, std::size_t k, int max_n) {
    auto& ngrams = corpora_[{corpus, k, max_n}];
    if (!ngrams) {
      TRUSTSQL_ASSIGN_OR_RETURN(auto most_frequent, read(host, corpus, k, max_n));
      ngrams = std::make_shared<const std::unordered_set<std::string>>(std::move(most_frequent));
    }
    return ngrams;
  }

 private:
  static Result<std::unordered_set<std::string>> read(sqlite3* host, const std::string& corpus, std::size_t k,
                                                      int max_n) {
    TRUSTSQL_ASSIGN_OR_RETURN(auto source, Source::open(host, corpus));
    TRUSTSQL_ASSIGN_OR_RETURN(const int column, source.require("sql"));
    NgramCounter counter(max_n);
    while (true) {
      TRUSTSQL_ASSIGN_OR_RETURN(const bool has_row, source.next());
      if (!has_row) break;
      const ValueView sql = source.at(column);
      if (sql.type == ValueType::text) TRUSTSQL_RETURN_IF_ERROR(counter.add(sql.bytes, sqlite3_libversion_number()));
    }
    return counter.most_frequent(k);
  }

  std::map<std::tuple<std::string, std::size_t, int>, Ngrams> corpora_;
};

Status read_weights(const std::vector<Value>& weights, SimilarityOptions& options) {
  double* const parts[] = {&options.ngram_weight, &options.keyword_weight, &options.syntax_weight,
                           &options.dataflow_weight};
  if (weights.size() != std::size(parts)) return invalid_argument("weights must be four numbers");
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const ValueView weight = view(weights[i]);
    if (!weight.is_number()) return invalid_argument("weights must be four numbers");
    *parts[i] = weight.type == ValueType::integer ? static_cast<double>(weight.integer) : weight.real;
    if (!(*parts[i] >= 0 && *parts[i] <= 1e6)) return invalid_argument("weights must be from 0 to 1000000");
  }
  return ok_status();
}

Status read_clause_weights(const std::vector<Value>& list, ClauseWeights& weights) {
  const auto wrong =
      invalid_argument("clause_weights must be alternating names and numbers from 0 to 1000000; the names are " +
                       join(clause_names, ", "));
  if (list.size() % 2 != 0) return wrong;
  for (std::size_t i = 0; i < list.size(); i += 2) {
    const ValueView name = view(list[i]);
    const ValueView weight = view(list[i + 1]);
    const auto clause = std::find(clause_names.begin(), clause_names.end(),
                                  name.type == ValueType::text ? name.bytes : std::string_view());
    if (clause == clause_names.end() || !weight.is_number()) return wrong;
    const double number = weight.type == ValueType::integer ? static_cast<double>(weight.integer) : weight.real;
    if (!(number >= 0 && number <= 1e6)) return wrong;
    weights.weights[static_cast<std::size_t>(clause - clause_names.begin())] = number;
  }
  return ok_status();
}

Result<double> sql_similarity(Session& session, const SharedScope& scope, std::string_view a, std::string_view b,
                              std::string_view metric, const Options& options) {
  SimilarityOptions similarity_options;
  similarity_options.alpha = options.real("alpha").value_or(similarity_options.alpha);
  similarity_options.beta = options.real("beta").value_or(similarity_options.beta);
  similarity_options.max_n = static_cast<int>(options.integer("max_n").value_or(similarity_options.max_n));
  if (const auto weights = options.list("weights"))
    TRUSTSQL_RETURN_IF_ERROR(read_weights(*weights, similarity_options));
  if (const auto weights = options.list("clause_weights"))
    TRUSTSQL_RETURN_IF_ERROR(read_clause_weights(*weights, similarity_options.clause_weights));
  if (const auto corpus = options.text("corpus")) {
    const auto k = static_cast<std::size_t>(options.integer("k").value_or(500));
    TRUSTSQL_ASSIGN_OR_RETURN(similarity_options.shared_ngrams,
                              scope->shared<Corpora>().frequent(session.host(), *corpus, k, similarity_options.max_n));
  }
  if (metric == judged_metric) return judge_by_model(session, a, b, options);
  const auto* known_metric = find_similarity_metric(metric);
  if (known_metric == nullptr) {
    Error unknown = similarity(QueryPair(a, b, sqlite3_libversion_number()), metric, similarity_options)
                        .error();  // it lists the others
    unknown.message += ", " + std::string(judged_metric);
    return unknown;
  }
  if (!known_metric->needs_catalog)
    return similarity(QueryPair(a, b, sqlite3_libversion_number()), metric, similarity_options);
  TRUSTSQL_ASSIGN_OR_RETURN(const auto catalog, catalog_of(session, scope, options));
  return with_dialect(session.host(), [&](const ResolveOptions& dialect) {
    return similarity(QueryPair(a, b, dialect.version, catalog.get(), dialect), metric, similarity_options);
  });
}

}  // namespace

std::span<const FunctionSpec> sql_similarity_functions() {
  static constexpr FunctionSpec functions[] = {
      scalar<sql_similarity>(
          {.name = "sql_similarity",
           .signature = "sql_similarity(a, b, metric [, opts])",
           .summary = "How similar query b is to query a, from 0 to 1: 'relpm' (partial matching of normalised "
                      "relational operator trees), 'astpm' (of syntax trees), 'bleu', 'crystalbleu', 'codebleu'; "
                      "'g-eval' asks the language model of the setting llm_url, and needs the entry point full. It is "
                      "a score, not a verdict on their equivalence.",
           .example = "SELECT sql_similarity('SELECT a FROM t', 'select A from t', 'bleu'); -- 1.0",
           .options = similarity_option_specs,
           .entry_point = EntryPoint::offline,
           .effect = Effect::state}),
  };
  return functions;
}

}  // namespace trustsql::ext
