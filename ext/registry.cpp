#include "ext/registry.hpp"

#include <vector>

#include "base/guard.hpp"

namespace trustsql::ext {

std::span<const Family> families() {
  static const std::vector<Family> all = {
      {"The extension itself", "Version, functions and settings of this connection.", trustsql_functions()},
      {"Judging by execution",
       "Both queries run in the sandbox: read-only, on a private connection, within limits that are settings.",
       execution_functions()},
      {"Judging by parts", "The texts of both queries are compared part by part; neither is run.", sql_em_functions()},
      {"Whether two queries mean the same", equivalence_introduction(), sql_equivalence_functions()},
      {"Test suites", "Small databases that tell a query from its neighbours, after Zhong et al. (2020).",
       sql_suite_functions()},
      {"How similar two queries are", "Metrics that FuncEvalGMN compares itself with.", sql_similarity_functions()},
      {"Queries as values",
       "What the text of a query alone tells, by the grammar of the SQLite that runs. No database is looked at.",
       sql_syntax_functions()},
      {"Queries and their schema",
       "Names are resolved by the rules of the SQLite that runs. The schema is that of this connection, of the file "
       "`database` or of the DDL text "
       "`schema`; nothing is run.",
       sql_schema_functions()},
      {"Plans of queries",
       "What a query computes, as a tree of relational operators over a schema. The query is not run.",
       sql_plan_functions()},
      {"Elements of a schema", "What there is to ask about.", schema_elements_functions()},
      {"Schema retrieval",
       "From a question to the columns that it needs, after CRUSH4SQL. A language model and embeddings are asked where "
       "they are set (llm_url, "
       "embed_url); without, all of this works by embedded means.",
       schema_retrieval_functions()},
      {"Prompts", "What language models are sent: templates by name, and the schema in them.", prompt_functions()},
      {"Questions to SQL",
       "From a question to one SELECT statement, or to none: the server that llm_url names is asked, by the method "
       "that `method` or the setting "
       "nl2sql_method names. A method is written `[CLS->]BASE[+RW][+CAP][+ER][+SC][+CRUSH][->ERROR][->RUNS]`, where "
       "BASE is SQLPROMPT, "
       "SQLPROMPT[DEMO], "
       "SQLPROMPT[VOTING], DIN-SQL, MAC-SQL, DAIL, C3, DART (DAIL+RW+CAP+ER), DART[C3] or ABSTAIN-ALL; with ->RUNS a "
       "query that fails is no answer. "
       "docs/methods.md says what they do.",
       nl2sql_functions()},
      {"Many questions", "", nl2sql_batch_functions()},
      {"An answer as a table", "", nl2sql_answer_functions()},
      {"Stages of the pipeline",
       "Parts of nl2sql, one by one. They ask the server that llm_url names; the model is that of the stage "
       "(llm_model_triage, ...). Examples stand "
       "in the prompts as the papers have it: where there are some of this database those nearest to the question, "
       "else some of other databases.",
       nl2sql_stage_functions()},
      {"Reliability",
       "The reliability score of TrustSQL. Each question is one of five cases: **I** answered rightly, **II** "
       "abstained although it can be answered, "
       "**III** answered wrongly, **IV** answered although it cannot be, **V** rightly abstained. Every RS is in "
       "percent.",
       rs_score_functions()},
      {"Reports on predictions",
       "`source` is the name of a table or view, or a SELECT. Its columns are found by name: `case`, or `gold`, `pred` "
       "and `database` (a path; NULL "
       "or no "
       "column: the database of this connection), from which the cases are computed on several threads; `system`; `id` "
       "or `question`; and where "
       "a pipeline is looked at, `raw` (the SQL before abstention) or `raw_case`, `cls` (answerable or "
       "not_answerable), `error` (correct or "
       "incorrect), `confidence`, `error_kind`. Any other column can be grouped by. A question for which a system has "
       "no row is an error, not "
       "an abstention.",
       rs_report_functions()},
      {"A report as a page",
       "The same `source` as above. The page has no scripts and refers to nothing outside of itself.",
       rs_html_functions()},
      {"Uncertainty", "How sure a generator was, from its token probabilities or hidden representations.",
       uncertainty_functions()},
      {"Statistics", "Rows with a NULL are skipped.", statistics_functions()},
  };
  return all;
}

std::vector<const FunctionSpec*> functions_of(EntryPoint entry_point) {
  std::vector<const FunctionSpec*> found;
  for (const auto& family : families()) {
    for (const auto& spec : family.functions)
      if (spec.entry_point <= entry_point) found.push_back(&spec);
  }
  return found;
}

namespace {

void remove(sqlite3* db, const FunctionSpec& spec) {
  const std::string name(spec.name);
  if (spec.kind == FunctionKind::table) {
    sqlite3_create_module_v2(db, name.c_str(), nullptr, nullptr, nullptr);
    return;
  }
  for (int arity = spec.min_arguments; arity <= spec.max_arguments; ++arity)
    sqlite3_create_function_v2(db, name.c_str(), arity, SQLITE_UTF8, nullptr, nullptr, nullptr, nullptr, nullptr);
}

}  // namespace

int register_all(sqlite3* db, const std::shared_ptr<Session>& session, std::optional<EntryPoint> loaded) {
  std::vector<const FunctionSpec*> wanted = functions_of(session->entry_point());
  if (loaded) std::erase_if(wanted, [&](const FunctionSpec* spec) { return spec->entry_point <= *loaded; });
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const auto code = guarded([&] { return wanted[i]->register_function(db, *wanted[i], session); });
    if (code.ok() && *code == SQLITE_OK) continue;
    for (std::size_t done = 0; done <= i; ++done) remove(db, *wanted[done]);
    return code.ok() ? *code : SQLITE_NOMEM;
  }
  return SQLITE_OK;
}

}  // namespace trustsql::ext
