// Why SQLite rejected a statement, where its message alone says so.
//
// SQLite has one result code, SQLITE_ERROR, for nearly everything that is wrong with a statement, and no routine that
// says more (https://sqlite.org/rescode.html#error): a syntax error, an unknown function and an exceeded limit differ
// in the text of sqlite3_errmsg() only. This is the only place that reads such texts. Their beginnings are the same in
// every SQLite since 3.37, and a test holds them against the SQLite that it runs with.
#pragma once

#include <string>
#include <string_view>

namespace trustsql {

struct FailureCause {
  enum class Kind { other, unknown_function, unknown_collation, unknown_module, unknown_index, limit };

  Kind kind = Kind::other;
  std::string name{};  // of the unknown function, collation, module or index
  int limit =
      -1;  // the limit that was exceeded: one of SQLITE_LIMIT_* (https://sqlite.org/c3ref/c_limit_attached.html)
};

// The cause of a failure with the message `message`, from sqlite3_errmsg(). Kind::other for any message that is not
// known.
FailureCause failure_cause(std::string_view message);

}  // namespace trustsql
