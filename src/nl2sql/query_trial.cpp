#include "nl2sql/query_trial.hpp"

#include "score/execution_cache.hpp"
#include "sql/query_check.hpp"

namespace trustsql::nl2sql {

namespace {

void explain(QueryTrial& trial, QueryProblem problem) {
  if (problem.kind != "missing_column" && problem.kind != "ambiguous_column") return;
  trial.column = std::move(problem.name);
  trial.tables = std::move(problem.tables);
}

}  // namespace

Result<QueryTrial> try_query(std::string_view sql, StageContext& context) {
  QueryTrial trial;
  if (auto problem = find_text_for_column(sql, context.catalog, context.dialect)) {
    trial.error = problem->message;
    explain(trial, *std::move(problem));
    return trial;
  }
  TRUSTSQL_ASSIGN_OR_RETURN(const auto sandbox, context.source.lease());
  sandbox->set_stop(context.call.stop);
  auto rows = sandbox->run(sql);
  if (rows.ok()) {
    trial.rows = std::make_shared<const ResultSet>(*std::move(rows));
    return trial;
  }
  if (!is_fault_of_query(rows.error())) return std::move(rows).error();
  trial.error = rows.error().message;
  // A function that SQLite has not is one of the host, if of anybody: where it exists, nobody has vouched for calling it.
  trial.refused = rows.error().code == ErrorCode::not_allowed || rows.error().message.starts_with("no such function: ");
  if (rows.error().code == ErrorCode::query_failed) {
    if (auto problem = check_query(sql, context.catalog, context.dialect)) explain(trial, *std::move(problem));
  }
  return trial;
}

}  // namespace trustsql::nl2sql
