// What the functions that judge by execution share.
#pragma once

#include "base/thread_pool.hpp"
#include "ext/adaptor/call.hpp"
#include "ext/session.hpp"
#include "score/batch.hpp"

namespace trustsql::ext {

// What the calls of one statement share: the gold queries that were run already.
inline ExecutionCache& cache_of(Session& session, const SharedScope& scope) {
  return scope->shared<ExecutionCache>(session.settings().integer(Setting::execution_cache_bytes));
}

// How `options` want predictions to be judged, on as many threads as the settings say. Errors: of exec_options().
inline Result<BatchOptions> batch_options(Session& session, const Options& options) {
  BatchOptions batch;
  TRUSTSQL_ASSIGN_OR_RETURN(batch.exec, exec_options(options));
  if (options.text("on_gold_error") == "skip") batch.on_gold_error = OnGoldError::skip;
  batch.max_steps = session.settings().integer(Setting::match_max_steps);
  if (sqlite3_threadsafe() != 0) batch.threads = thread_count(session.settings().integer(Setting::threads));
  return batch;
}

}  // namespace trustsql::ext
