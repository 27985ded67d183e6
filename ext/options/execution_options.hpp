// Options and state shared by the functions that judge predictions by execution.
#pragma once

#include "base/parallel_for.hpp"
#include "ext/adaptor/call.hpp"
#include "ext/services/session.hpp"
#include "score/execution/batch.hpp"

namespace trustsql::ext {

// The cache of gold queries that were already run, shared by the calls of one statement.
inline ExecutionCache& cache_of(Session& session, const SharedScope& scope) {
  return scope->shared<ExecutionCache>(session.settings().integer(Setting::execution_cache_bytes));
}

// The batch options for judging predictions as `options` specify, with the number of threads from the settings. Errors:
// those of exec_options().
inline Result<BatchOptions> batch_options(Session& session, const Options& options) {
  BatchOptions batch;
  TRUSTSQL_ASSIGN_OR_RETURN(batch.exec, exec_options(options));
  if (options.text("on_gold_error") == "skip") batch.on_gold_error = OnGoldError::skip;
  batch.max_steps = session.settings().integer(Setting::match_max_steps);
  if (sqlite3_threadsafe() != 0) batch.threads = thread_count(session.settings().integer(Setting::threads));
  return batch;
}

}  // namespace trustsql::ext
