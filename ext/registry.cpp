#include "ext/registry.hpp"

#include <vector>

#include "base/guard.hpp"
#include "db/sqlite/connection.hpp"
#include "ext/adaptor/wrong_place.hpp"

namespace trustsql::ext {

std::span<const Family> families() {
  static const std::vector<Family> all = {
      {"The extension itself", "Version, functions and settings of this connection.", trustsql_functions()},
      {"Judging by execution",
       "Both queries run in the sandbox: read-only, on a private connection, within limits that are settings.",
       execution_functions()},
      {"Judging by parts", "The texts of both queries are compared part by part; neither is run.", sql_em_functions()},
      {"Whether two queries mean the same", equivalence_introduction(), sql_equivalence_functions()},
      {"Variants of a query", variants_introduction(), sql_variants_functions()},
      {"Test suites", "Small databases that distinguish a query from its neighbours, after Zhong et al. (2020).",
       sql_suite_functions()},
      {"How similar two queries are", "The metrics with which FuncEvalGMN is compared.", sql_similarity_functions()},
      {"The graph matching network",
       "FuncEvalGMN's network: the metric 'gmn' of sql_similarity, how its attention lies, and how it is trained.",
       gmn_functions()},
      {"Training the network", "", gmn_train_functions()},
      {"Queries as values",
       "What the text of a query alone tells, by the grammar of the running SQLite. No database is read.",
       sql_syntax_functions()},
      {"Queries and their schema",
       "Names are resolved by the rules of the running SQLite. The schema is that of this connection, of the file "
       "`database` or of the DDL text `schema`; no query is run.",
       sql_schema_functions()},
      {"Plans of queries",
       "What a query computes, as a tree of relational operators over a schema. The query is not run.",
       sql_plan_functions()},
      {"Elements of a schema", "The columns that questions can be about.", schema_elements_functions()},
      {"Schema retrieval",
       "From a question to the columns that it needs, after CRUSH4SQL. A language model and embeddings are used if "
       "they are configured (llm_url, embed_url); otherwise these functions use built-in means.",
       schema_retrieval_functions()},
      {"Prompts", "What is sent to language models: templates by name, and the schema in them.", prompt_functions()},
      {"Questions to SQL",
       "From a question to one SELECT statement, or to an abstention: the server that llm_url names is asked, by the "
       "method that `method` or the setting nl2sql_method names. A method is written "
       "`[CLS->]BASE[+RW][+CAP][+ER][+SC][+CRUSH][+EMBEDDED][->GROUND][->ERROR][->RUNS]`, or with CLS_M-> and "
       "->ERROR_M, "
       "which nl2sql_train trains, in their places, where BASE is SQLPROMPT, SQLPROMPT[DEMO], "
       "SQLPROMPT[VOTING], DIN-SQL, MAC-SQL, DAIL, C3, DART (DAIL+RW+CAP+ER), DART[C3] or ABSTAIN-ALL; with ->RUNS a "
       "query that fails is not given as an answer. The method EMBEDDED asks no server: it is the parser in this "
       "library, and the default where neither a method nor a server is named. docs/methods.md describes them.",
       nl2sql_functions()},
      {"Many questions", "", nl2sql_batch_functions()},
      {"An answer as a table", "", nl2sql_answer_functions()},
      {"Stages of the pipeline",
       "The parts of nl2sql as separate functions. They ask the server that llm_url names; the model is that of the "
       "stage (llm_model_triage, ...). The prompts contain examples as in the papers: if there are examples about this "
       "database those nearest to the question, else some about other databases.",
       nl2sql_stage_functions()},
      {"Training the embedded parser",
       "The parser in this library learns from questions of your own; where there are too few, it makes some. No "
       "server "
       "is asked.",
       nl2sql_train_functions()},
      {"Reliability",
       "The reliability score of TrustSQL. Each question is one of five cases: **I** correct answer, **II** abstention "
       "although the question can be answered, **III** wrong answer, **IV** answer although the question cannot be "
       "answered, **V** correct abstention. Every RS is in percent.",
       rs_score_functions()},
      {"Reports on predictions",
       "`source` is the name of a table or view, or a SELECT. Its columns are found by name: `case`, or `gold`, `pred` "
       "and `database` (a path; NULL or no column: the database of this connection), from which the cases are computed "
       "on several threads; `system`; `id` or `question`; and to evaluate a pipeline, `raw` (the SQL before "
       "abstention; NULL: its generator gave none) or `raw_case`, `cls` (answerable or not_answerable), `error` "
       "(correct or incorrect), `confidence`, `error_kind`. With semantics trustsql, `dataset` says by whose rules a "
       "row "
       "is judged. Any other column can be used for grouping; levels of hardness are in their order. A question for "
       "which a system has no row is an error, not an abstention.",
       rs_report_functions()},
      {"A report as a page", "The same `source` as above. The page is self-contained and has no scripts.",
       rs_html_functions()},
      {"Uncertainty", "How sure a generator was, from its token probabilities or hidden representations.",
       uncertainty_functions()},
      {"Statistics", "Rows with a NULL are skipped.", statistics_functions()},
  };
  return all;
}

std::vector<const FunctionSpec*> functions_of(EntryPoint entry_point) {
  std::vector<const FunctionSpec*> registered;
  for (const auto& family : families()) {
    for (const auto& spec : family.functions)
      if (spec.entry_point <= entry_point) registered.push_back(&spec);
  }
  return registered;
}

namespace {

void remove(sqlite3* db, const FunctionSpec& spec) {
  remove_wrong_place(db, spec);
  const std::string name(spec.name);
  if (spec.kind == FunctionKind::table) {
    sqlite3_create_module_v2(db, name.c_str(), nullptr, nullptr, nullptr);
    return;
  }
  for (int arity = spec.min_arguments; arity <= spec.max_arguments; ++arity)
    sqlite3_create_function_v2(db, name.c_str(), arity, SQLITE_UTF8, nullptr, nullptr, nullptr, nullptr, nullptr);
}

}  // namespace

Status register_all(sqlite3* db, const std::shared_ptr<Session>& session, std::optional<EntryPoint> loaded) {
  std::vector<const FunctionSpec*> wanted = functions_of(session->entry_point());
  if (loaded) std::erase_if(wanted, [&](const FunctionSpec* spec) { return spec->entry_point <= *loaded; });
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    auto registered = guarded([&]() -> Status {
      int code = wanted[i]->register_function(db, *wanted[i], session);
      if (code == SQLITE_OK) code = register_wrong_place(db, *wanted[i]);
      if (code != SQLITE_OK) return sqlite_error(db, code);
      return ok_status();
    });
    if (registered.ok()) continue;
    for (std::size_t j = 0; j <= i; ++j) remove(db, *wanted[j]);
    return registered;
  }
  return ok_status();
}

}  // namespace trustsql::ext
