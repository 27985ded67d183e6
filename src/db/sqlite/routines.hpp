// The routines of SQLite that a host may lack because of a compile-time option (SQLITE_OMIT_*): its table of routines
// then has an empty entry, and calling it would crash. Routines that are newer than the oldest supported version are in
// sqlite_api.hpp. (https://sqlite.org/compile.html#_options_to_omit_features)
#pragma once

#include "base/result.hpp"

namespace trustsql {

// Whether the host has all routines needed to register functions and, with `runs_queries`, to run queries in the
// sandbox. Called once, when the extension is loaded. Error (invalid_argument): names the routine and the option.
// Missing routines that have a substitute are not an error: the progress handler (a Watchdog, if there are threads),
// sqlite3_serialize (a copy by sqlite3_backup).
Status check_routines(bool runs_queries);

// Whether the host has sqlite3_progress_handler (no SQLITE_OMIT_PROGRESS_CALLBACK).
bool has_progress_handler();

}  // namespace trustsql
