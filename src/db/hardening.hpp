// hardening: what makes a freshly opened private connection a safe place for a query that nobody has vouched for.
// (https://sqlite.org/security.html)
#pragma once

#include <functional>

#include "base/result.hpp"
#include "db/authorizer.hpp"
#include "db/connection.hpp"

namespace trustsql {

// Takes from `connection` what auto-extensions of the host gave it (virtual-table modules, and functions that hide
// SQLite's own), switches off what a hostile schema or query could use, and puts it under `authorizer`, which must
// outlive it and is left in `mode`. To be called when all databases are attached and the temp tables are filled; unless
// the mode is Mode::schema the connection is read-only from then on. `must_stop`: as for replace_slow_functions().
// Errors: as sqlite_error().
Status harden(Connection& connection, Authorizer& authorizer, Authorizer::Mode mode, std::function<bool()> must_stop);

}  // namespace trustsql
