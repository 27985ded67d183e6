// The one place that includes the SQLite header.
//
// The loadable module reaches SQLite through the table of routines that the host hands it (sqlite3ext.h); the
// static library calls it directly (sqlite3.h, with SQLITE_CORE). Hence src/db and ext are compiled once for each.
//
// The host's table is as long as the host's version: calling a routine that is newer than the host crashes. The oldest
// host is 3.37.0. Newer routines are called only through the functions at the end of this header; each checks at run
// time that the host has the routine. (https://sqlite.org/loadext.html, https://sqlite.org/c3ref/libversion.html)
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

// Whether both the running library and the header that this was compiled with are at least version `version` (3039000
// for 3.39.0).
inline bool has(int version) { return SQLITE_VERSION_NUMBER >= version && sqlite3_libversion_number() >= version; }

// sqlite3_serialize and sqlite3_deserialize: in the table of routines since 3.39.0, linkable without a compile-time
// option since 3.36.0. A library built with SQLITE_OMIT_DESERIALIZE leaves the entries of the table empty.
inline bool can_serialize() {
#if SQLITE_VERSION_NUMBER >= 3039000 && !defined(SQLITE_CORE)
  return has(3039000) && sqlite3_api->serialize != nullptr && sqlite3_api->deserialize != nullptr;
#elif defined(SQLITE_CORE)
  return has(3036000);
#else
  return false;
#endif
}

// Precondition of both: can_serialize().
inline unsigned char* serialize([[maybe_unused]] sqlite3* db, [[maybe_unused]] const char* schema,
                                [[maybe_unused]] sqlite3_int64* size) {
#if SQLITE_VERSION_NUMBER >= 3039000 || defined(SQLITE_CORE)
  return sqlite3_serialize(db, schema, size, 0);
#else
  return nullptr;
#endif
}
inline int deserialize([[maybe_unused]] sqlite3* db, [[maybe_unused]] const char* schema,
                       [[maybe_unused]] unsigned char* data, [[maybe_unused]] sqlite3_int64 size,
                       [[maybe_unused]] unsigned flags) {
#if SQLITE_VERSION_NUMBER >= 3039000 || defined(SQLITE_CORE)
  return sqlite3_deserialize(db, schema, data, size, size, flags);
#else
  return SQLITE_ERROR;
#endif
}

// sqlite3_db_name (3.39.0): the schema with number `index` (0 main, 1 temp, then the attached ones), nullptr past the
// last.
inline bool can_name_schemas() { return has(3039000); }
inline const char* db_name([[maybe_unused]] sqlite3* db, [[maybe_unused]] int index) {
#if SQLITE_VERSION_NUMBER >= 3039000
  return sqlite3_db_name(db, index);
#else
  return nullptr;
#endif
}

// sqlite3_is_interrupted (3.41.0).
inline bool can_ask_interrupted() { return has(3041000); }
inline bool is_interrupted([[maybe_unused]] sqlite3* db) {
#if SQLITE_VERSION_NUMBER >= 3041000
  return sqlite3_is_interrupted(db) != 0;
#else
  return false;
#endif
}

}  // namespace sqlite_shim
}  // namespace trustsql
