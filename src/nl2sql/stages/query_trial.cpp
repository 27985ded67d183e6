#include "nl2sql/stages/query_trial.hpp"

#include <optional>

#include "score/execution/execution_cache.hpp"
#include "sql/query_check.hpp"

namespace trustsql::nl2sql {

namespace {

void explain(QueryTrial& trial, QueryProblem problem) {
  if (problem.kind != "missing_column" && problem.kind != "ambiguous_column") return;
  trial.column = std::move(problem.name);
  trial.tables = std::move(problem.tables);
}

Result<SandboxLease> lease_sandbox(StageContext& context) {
  TRUSTSQL_ASSIGN_OR_RETURN(auto sandbox, context.source.lease());
  sandbox->set_stop(context.call.stop);
  return sandbox;
}

// The failed trial of a query that has a double-quoted string where a column is meant; nullopt if it has none.
std::optional<QueryTrial> trial_of_quoted_text(std::string_view sql, StageContext& context) {
  auto problem = find_text_for_column(sql, context.catalog, context.dialect);
  if (!problem) return std::nullopt;
  QueryTrial trial;
  trial.error = problem->message;
  explain(trial, *std::move(problem));
  return trial;
}

// A function unknown to SQLite may be one of the host; calling it would be running untrusted SQL.
bool is_refusal(const Error& error) {
  return error.code == ErrorCode::not_allowed || error.code == ErrorCode::unknown_function;
}

// Whether SQLite rejected the query or ended it with an error.
bool is_failure(const Error& error) {
  return error.code == ErrorCode::query_failed || error.code == ErrorCode::unknown_function;
}

void set_refusal(QueryTrial& trial, const Error& error) {
  trial.refused = is_refusal(error);
  trial.unknown_function = unknown_function_name(error);
}

}  // namespace

std::string text_to_run(std::string_view sql, const StageContext& context) {
  return context.dataset ? trustsql_gold(sql, *context.dataset) : std::string(sql);
}

Result<QueryTrial> try_query(std::string_view written, StageContext& context) {
  const std::string sql = text_to_run(written, context);
  if (auto quoted = trial_of_quoted_text(sql, context)) return *std::move(quoted);
  QueryTrial trial;
  TRUSTSQL_ASSIGN_OR_RETURN(const auto sandbox, lease_sandbox(context));
  auto rows = sandbox->run(sql);
  if (rows.ok()) {
    trial.columns = rows->column_names();
    trial.rows = std::make_shared<const ResultSet>(*std::move(rows));
    return trial;
  }
  if (!is_fault_of_query(rows.error())) return std::move(rows).error();
  trial.error = rows.error().message.empty() ? "the query fails" : rows.error().message;
  set_refusal(trial, rows.error());
  if (is_failure(rows.error())) {
    if (auto problem = check_query(sql, context.catalog, context.dialect)) explain(trial, *std::move(problem));
  }
  return trial;
}

Result<QueryTrial> try_preparing(std::string_view written, StageContext& context) {
  const std::string sql = text_to_run(written, context);
  if (auto quoted = trial_of_quoted_text(sql, context)) return *std::move(quoted);
  QueryTrial trial;
  TRUSTSQL_ASSIGN_OR_RETURN(const auto sandbox, lease_sandbox(context));
  auto columns = sandbox->prepare(sql);
  if (columns.ok()) {
    trial.columns = *std::move(columns);
    return trial;
  }
  const Error& error = columns.error();
  if (!is_fault_of_query(error)) return error;
  set_refusal(trial, error);
  if (is_failure(error)) {
    auto problem = check_query(sql, context.catalog, context.dialect);
    trial.error = problem ? problem->message : "the query does not prepare on this schema";
    if (problem) explain(trial, *std::move(problem));
  } else {
    trial.error = error.message;  // a limit or a rule of the sandbox, which names at most a function of the query
  }
  return trial;
}

Result<QueryTrial> try_for_model(std::string_view sql, StageContext& context) {
  return context.send_rows ? try_query(sql, context) : try_preparing(sql, context);
}

}  // namespace trustsql::nl2sql
