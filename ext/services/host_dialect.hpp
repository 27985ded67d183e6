// The SQL dialect of the running SQLite: the grammar and functions of its version, and what the host connection has
// registered.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "db/sources/host_database.hpp"
#include "db/sqlite/sqlite_api.hpp"
#include "sql/resolver.hpp"

namespace trustsql::ext {

// The options for resolving queries with what the running SQLite has: the grammar of its version, the functions and
// table-valued functions that were compiled in. It is asked once, rather than taken from lists. Always valid.
ResolveOptions built_in_dialect();

// The built-in dialect without the functions that the host connection has replaced by its own, and without * where the
// host gives its columns other names: of these nothing can be proved or refuted.
class ComparisonDialect {
 public:
  // That of the statement whose calls share `scope`; the host is asked for its functions once in a statement. Valid
  // while the scope lives.
  static Result<const ComparisonDialect*> of(sqlite3* host, StatementScope& scope);

  ResolveOptions options() const;

 private:
  std::optional<std::vector<std::string>> replaced_;  // once the host has been asked
  bool names_in_full_ = false;
};

// The built-in dialect plus the functions, collations and eponymous virtual tables of the host connection, read by
// read(). It is for queries that the built-in dialect rejects; most queries do not need it.
class HostDialect {
 public:
  static Result<HostDialect> read(sqlite3* host);

  // Valid while this object lives and is not moved.
  ResolveOptions options();
  // The error that prevented an eponymous table from being read; the table was then treated as missing.
  const std::optional<Error>& failure() const { return failure_; }

 private:
  const Table* find_eponymous(std::string_view name);

  sqlite3* host_ = nullptr;
  std::vector<std::string> names_;
  std::vector<std::string> collations_;
  FunctionTable functions_{{}};
  std::deque<Table> tables_;  // the tables that were looked up; a deque, since pointers to them are handed out
  std::optional<Error> failure_;
};

// The Result of `run(dialect)` with the built-in dialect or, if that fails, with the host's, which is read only then.
// `run` must not keep its argument.
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
