// open_ddl: a database built from DDL text, to resolve names, prepare queries and run them without a file.
#pragma once

#include <memory>
#include <string_view>

#include "base/result.hpp"
#include "db/sandbox/sandbox.hpp"

namespace trustsql {

// A source in memory that holds what `ddl` creates: it may contain CREATE, DROP and ALTER statements, and INSERT for a
// few rows. The statements that dumps put around them (BEGIN, COMMIT, PRAGMA ...) are skipped. The text is untrusted:
// it is run with the functions, the deadline and the limits of the sandbox, and may create at most `snapshot_max_bytes`
// of data. `keep` is the number of idle connections that the source keeps open. Errors: invalid_argument (with the
// statement that failed), not_allowed, limit_exceeded.
Result<std::shared_ptr<SandboxSource>> open_ddl(std::string_view ddl, const Settings& settings, std::size_t keep = 1);

}  // namespace trustsql
