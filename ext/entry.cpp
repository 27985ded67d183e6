// The entry points (include/trustsql/trustsql.h). They register functions and open nothing: an auto-extension runs for
// every connection of the process, including the sandbox's private ones.

#include <algorithm>
#include <optional>

#include "base/guard.hpp"
#include "db/sqlite/routines.hpp"
#include "ext/registry.hpp"
#include "ext/services/loaded_session.hpp"

#ifndef SQLITE_CORE
SQLITE_EXTENSION_INIT1
#endif

#define TRUSTSQL_EXPORT extern "C" __attribute__((visibility("default")))

namespace trustsql::ext {

namespace {

// Registers the functions of `entry_point` on `db`, or those that an entry point called before has not registered.
// Errors: the host's SQLite is too old or lacks a routine; a variable of the environment is wrong; those of
// register_all().
Status load(sqlite3* db, EntryPoint entry_point) {
  if (sqlite3_libversion_number() < oldest_sqlite)
    return invalid_argument(std::string("needs SQLite 3.37 or newer, but this is ") + sqlite3_libversion());
  TRUSTSQL_RETURN_IF_ERROR(check_routines(entry_point != EntryPoint::pure));
  auto session = loaded_session(db);
  std::optional<EntryPoint> loaded;
  if (session) {
    loaded = session->entry_point();
    session->raise_to(std::max(*loaded, entry_point));
  } else {
    TRUSTSQL_ASSIGN_OR_RETURN(auto settings, Settings::create(Settings::process_environment));
    session = std::make_shared<Session>(db, entry_point, std::move(settings));
  }
  auto registered = guarded([&] { return register_all(db, session, loaded); });
  if (!registered.ok() && loaded) session->raise_to(*loaded);
  return registered;
}

int initialise(sqlite3* db, char** message, const sqlite3_api_routines* api, EntryPoint entry_point) noexcept {
#ifdef SQLITE_CORE
  (void)api;
#else
  SQLITE_EXTENSION_INIT2(api)
#endif
  const auto loaded = guarded([&] { return load(db, entry_point); });
  if (!loaded.ok()) {
    if (message != nullptr) *message = sqlite3_mprintf("trustsql: %s", loaded.error().message.c_str());
    return loaded.error().code == ErrorCode::out_of_memory ? SQLITE_NOMEM : SQLITE_ERROR;
  }
#ifdef SQLITE_CORE
  return SQLITE_OK;
#else
  // The library stays in the process: its functions remain in use after this connection closes.
  return SQLITE_OK_LOAD_PERMANENTLY;
#endif
}

}  // namespace

}  // namespace trustsql::ext

using trustsql::ext::EntryPoint;

TRUSTSQL_EXPORT int sqlite3_trustsql_init(sqlite3* db, char** message, const sqlite3_api_routines* api) {
  return trustsql::ext::initialise(db, message, api, EntryPoint::full);
}

TRUSTSQL_EXPORT int sqlite3_trustsql_offline_init(sqlite3* db, char** message, const sqlite3_api_routines* api) {
  return trustsql::ext::initialise(db, message, api, EntryPoint::offline);
}

TRUSTSQL_EXPORT int sqlite3_trustsql_pure_init(sqlite3* db, char** message, const sqlite3_api_routines* api) {
  return trustsql::ext::initialise(db, message, api, EntryPoint::pure);
}
