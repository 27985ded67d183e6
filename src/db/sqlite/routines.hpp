// The routines of SQLite that a host may lack because of a compile-time option (SQLITE_OMIT_*): its table of routines
// then has an empty entry, and calling it would crash. Routines that are newer than the oldest supported version are in
// sqlite_api.hpp. (https://sqlite.org/compile.html#_options_to_omit_features)
#pragma once

#include "base/result.hpp"

struct sqlite3;

namespace trustsql {

// Whether the host has all routines needed to register functions and, with `runs_queries`, to run queries in the
// sandbox. Called once, when the extension is loaded. Error (invalid_argument): names the routine and the option.
// Missing routines that have a substitute are not an error: the progress handler (a Watchdog, if there are threads),
// sqlite3_serialize (a copy by sqlite3_backup).
Status check_routines(bool runs_queries);

// Whether the host has sqlite3_progress_handler (no SQLITE_OMIT_PROGRESS_CALLBACK).
bool has_progress_handler();

// Whether SQLite was compiled with `option` (without SQLITE_); also true if it does not tell
// (SQLITE_OMIT_COMPILEOPTION_DIAGS).
bool may_be_compiled_with(const char* option);

// Whether SQLite may be used by several threads of the process of `host`, each with connections of its own: false if it
// was compiled with SQLITE_THREADSAFE=0 (sqlite3_threadsafe() tells) or configured with SQLITE_CONFIG_SINGLETHREAD
// (which it does not tell). May open and close a private connection, so it must not be called while an extension is
// being loaded; callers keep the answer, which does not change while a connection is open.
// (https://sqlite.org/threadsafe.html)
bool allows_threads(sqlite3* host);

}  // namespace trustsql
