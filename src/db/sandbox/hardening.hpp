// Hardening: makes a freshly opened private connection safe for untrusted queries. (https://sqlite.org/security.html)
#pragma once

#include <functional>

#include "base/result.hpp"
#include "db/sandbox/authorizer.hpp"
#include "db/sandbox/bounded_functions.hpp"
#include "db/sqlite/connection.hpp"

namespace trustsql {

// Removes from `connection` what auto-extensions of the host added to it (virtual-table modules, and functions that
// hide SQLite's own), disables features that a hostile schema or query could exploit, and installs `authorizer`, which
// must outlive the connection and is set to `mode`. Call it when all databases are attached and the temp tables are
// filled; unless the mode is Mode::schema the connection is read-only from then on. `like` and `must_stop`: as for
// replace_slow_functions(). Errors: as sqlite_error().
Status harden(Connection& connection, Authorizer& authorizer, Authorizer::Mode mode, LikeFunction like,
              std::function<bool()> must_stop);

}  // namespace trustsql
