// The SQL of the SQLite that runs: its version's grammar and functions, and what the host connection has registered.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "db/sqlite_api.hpp"
#include "sql/resolver.hpp"

namespace trustsql::ext {

// What queries are resolved with: the functions that are built into this version. Valid for ever.
ResolveOptions built_in_dialect();

// The same with the functions, collations and eponymous virtual tables of the host connection, which are read anew. For
// a query that the built-in dialect refuses: most do without.
class HostDialect {
 public:
  static Result<HostDialect> read(sqlite3* host);

  // Valid while this object is, and is not moved.
  ResolveOptions options();
  // What kept an eponymous table from being read, which then seemed not to be there.
  const std::optional<Error>& failure() const { return failure_; }

 private:
  const Table* find_eponymous(std::string_view name);

  sqlite3* host_ = nullptr;
  std::vector<std::string> names_;
  std::vector<std::string> collations_;
  FunctionTable functions_{{}};
  std::deque<Table> tables_;  // those asked for; they are referred to
  std::optional<Error> failure_;
};

// What `run(dialect)`, a Result, gives with the built-in dialect, or where that fails with the host's, which is read
// only then. It must not keep what it is given.
template <class Run>
auto with_dialect(sqlite3* host, const Run& run) -> decltype(run(ResolveOptions())) {
  auto result = run(built_in_dialect());
  if (result.ok()) return result;
  TRUSTSQL_ASSIGN_OR_RETURN(auto dialect, HostDialect::read(host));
  result = run(dialect.options());
  if (!result.ok() && dialect.failure()) return *dialect.failure();
  return result;
}

}  // namespace trustsql::ext
