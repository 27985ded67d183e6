// sql_similarity: how similar two queries are, by one of several metrics.

#include <map>
#include <tuple>

#include "db/sources/row_source.hpp"
#include "equiv/similarity.hpp"
#include "equiv/similarity/words.hpp"
#include "ext/adaptor/scalar.hpp"
#include "ext/options/similarity_options.hpp"
#include "ext/registry.hpp"
#include "ext/services/gmn_service.hpp"
#include "ext/services/host_dialect.hpp"
#include "ext/services/llm_service.hpp"
#include "nl2sql/g_eval.hpp"

namespace trustsql::ext {

namespace {

constexpr std::string_view judged_metric = "g-eval";
constexpr std::string_view network_metric = "gmn";

Result<double> judge_by_model(Session& session, std::string_view a, std::string_view b, const Options& options) {
  LlmCall call(session);
  TRUSTSQL_ASSIGN_OR_RETURN(const auto chat, LlmService::of(session).chat());
  const nl2sql::GEvalOptions g_eval_options = {
      options.get(judge_model_option).value_or(session.settings().text(Setting::llm_model)),
      options.get(weighted_option)};
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
    TRUSTSQL_ASSIGN_OR_RETURN(auto source, RowSource::open(host, corpus));
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

Result<double> sql_similarity(Session& session, const SharedScope& scope, std::string_view a, std::string_view b,
                              std::string_view metric, const Options& options) {
  TRUSTSQL_ASSIGN_OR_RETURN(auto how, similarity_options_of(options));
  TimeLimit limit(session);
  const auto stop = limit.stop();
  how.stop = &stop;
  Corpora::Ngrams frequent_ngrams;
  if (const auto corpus = options.get(corpus_option)) {
    const std::size_t count = options.get(ignored_ngrams_option);
    TRUSTSQL_ASSIGN_OR_RETURN(frequent_ngrams,
                              scope->shared<Corpora>().frequent(session.host(), *corpus, count, how.max_n));
    how.shared_ngrams = frequent_ngrams.get();
  }
  if (metric == judged_metric) return judge_by_model(session, a, b, options);
  if (metric == network_metric) {
    TRUSTSQL_ASSIGN_OR_RETURN(const auto catalog, catalog_of(session, scope, options));
    TRUSTSQL_ASSIGN_OR_RETURN(const double distance, with_dialect(session.host(), [&](const ResolveOptions& dialect) {
                                return GmnService::of(session).distance(a, b, catalog, dialect, limit);
                              }));
    return gmn::similarity_of(distance);
  }
  const auto* known_metric = find_similarity_metric(metric);
  if (known_metric == nullptr) {
    Error unknown =
        similarity(QueryPair(a, b, built_in_dialect().grammar()), metric, how).error();  // it lists the others
    unknown.message += ", " + std::string(network_metric) + ", " + std::string(judged_metric);
    return unknown;
  }
  if (!known_metric->needs_catalog) return similarity(QueryPair(a, b, built_in_dialect().grammar()), metric, how);
  TRUSTSQL_ASSIGN_OR_RETURN(const auto catalog, catalog_of(session, scope, options));
  return with_dialect(session.host(), [&](const ResolveOptions& dialect) {
    return limit.explain(similarity(QueryPair(a, b, dialect.grammar(), catalog.get(), dialect), metric, how));
  });
}

}  // namespace

std::span<const FunctionSpec> sql_similarity_functions() {
  static constexpr FunctionSpec functions[] = {
      scalar<sql_similarity>(
          {.name = "sql_similarity",
           .signature = "sql_similarity(a, b, metric [, opts])",
           .summary = "How similar query b is to query a, from 0 to 1: 'relpm' (partial matching of normalised "
                      "relational operator trees), 'astpm' (of syntax trees), 'bleu', 'crystalbleu', 'codebleu', "
                      "'codebleu-rot' (with relational operator trees), 'gmn' (FuncEvalGMN's graph matching network). "
                      "relpm, codebleu-rot and gmn need a schema; "
                      "'g-eval' asks the language model of the setting llm_url, and needs the entry point full. It is "
                      "a score, not a verdict on their equivalence.",
           .example = "SELECT sql_similarity('SELECT a FROM t', 'select A from t', 'bleu'); -- 1.0",
           .options = similarity_options,
           .entry_point = EntryPoint::offline,
           .effect = Effect::state}),
  };
  return functions;
}

}  // namespace trustsql::ext
