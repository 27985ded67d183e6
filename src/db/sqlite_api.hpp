// The one place that includes the SQLite header.
//
// The loadable module reaches SQLite through the table of routines that the host hands it (sqlite3ext.h); the
// static library calls it directly (sqlite3.h, with SQLITE_CORE). Hence src/db and ext are compiled once for each.
//
// The host's table is as long as the host's version: calling a routine that is newer than the host crashes. The
// oldest host is 3.37.0. What is newer is called through the functions at the end of this header only; each checks
// at run time that the host has it. (https://sqlite.org/loadext.html, https://sqlite.org/c3ref/libversion.html)
#pragma once

#ifdef SQLITE_CORE
#include <sqlite3.h>
#else
#include <sqlite3ext.h>
SQLITE_EXTENSION_INIT3
#endif

namespace trustsql {

inline constexpr int oldest_sqlite = 3037000;

namespace sqlite_shim {

// Whether the running library and the header that this was compiled with both are at least `version` (3039000 for 3.39.0).
inline bool has(int version) { return SQLITE_VERSION_NUMBER >= version && sqlite3_libversion_number() >= version; }

// sqlite3_serialize and sqlite3_deserialize: in the table of routines since 3.39.0.
inline bool can_serialize() { return has(3039000); }

}  // namespace sqlite_shim
}  // namespace trustsql
