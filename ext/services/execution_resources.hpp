// What the functions that run queries share: threads, and the results of gold queries.
#pragma once

#include "base/parallel_for.hpp"
#include "ext/adaptor/value_access.hpp"
#include "ext/services/session.hpp"
#include "score/execution/execution_cache.hpp"

namespace trustsql::ext {

// The cache of gold queries that were already run, shared by the calls of one statement.
inline ExecutionCache& execution_cache_of(const Session& session, const SharedScope& scope) {
  return scope->shared<ExecutionCache>(session.settings().integer(Setting::execution_cache_bytes));
}

// How many threads a call may use: the setting, or 1 if the host has no mutexes.
inline std::size_t threads_of(const Session& session) {
  return !session.database().may_use_threads() ? 1 : thread_count(session.settings().integer(Setting::threads));
}

}  // namespace trustsql::ext
