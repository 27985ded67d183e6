// The routines of SQLite that a host may lack, by a compile-time option (SQLITE_OMIT_*), where its table of routines
// has an empty entry; calling it would be a crash. What is newer than the oldest version is in sqlite_api.hpp.
// (https://sqlite.org/compile.html#_options_to_omit_features)
#pragma once

#include "base/result.hpp"

namespace trustsql {

// Whether the host has all that is needed to register functions, and with `runs_queries` to run queries in the sandbox:
// tables of routines are looked at once, when the extension is loaded. Error (invalid_argument): names the routine and
// the option. Missing ones that there is another way for are no error: the progress handler (a Watchdog, where there
// are threads), sqlite3_serialize (a copy by sqlite3_backup).
Status check_routines(bool runs_queries);

// Whether there is sqlite3_progress_handler (SQLITE_OMIT_PROGRESS_CALLBACK).
bool has_progress_handler();

}  // namespace trustsql
