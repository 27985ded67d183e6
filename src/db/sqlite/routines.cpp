#include "db/sqlite/routines.hpp"

#include <string>
#include <string_view>

#include "db/sqlite/connection.hpp"

namespace trustsql {

#ifdef SQLITE_CORE

// A program that links SQLite directly would have failed to link if a routine were missing.
Status check_routines(bool) { return ok_status(); }
bool has_progress_handler() { return true; }
bool may_be_compiled_with(const char* option) { return sqlite3_compileoption_used(option) != 0; }

#else

Status check_routines(bool runs_queries) {
  struct Routine {
    std::string_view name;
    bool is_present;
    std::string_view option;  // that omits it
    bool for_queries;
  };
  const sqlite3_api_routines& api = *sqlite3_api;
  const Routine routines[] = {
      {"sqlite3_create_module_v2", api.create_module_v2 != nullptr, "SQLITE_OMIT_VIRTUALTABLE", false},
      {"sqlite3_declare_vtab", api.declare_vtab != nullptr, "SQLITE_OMIT_VIRTUALTABLE", false},
      {"sqlite3_vtab_config", api.vtab_config != nullptr, "SQLITE_OMIT_VIRTUALTABLE", false},
      {"sqlite3_create_window_function", api.create_window_function != nullptr, "SQLITE_OMIT_WINDOWFUNC", false},
      {"sqlite3_drop_modules", api.drop_modules != nullptr, "SQLITE_OMIT_VIRTUALTABLE", true},
      {"sqlite3_set_authorizer", api.set_authorizer != nullptr, "SQLITE_OMIT_AUTHORIZATION", true},
      {"sqlite3_table_column_metadata", api.table_column_metadata != nullptr, "an option", true},
      {"sqlite3_progress_handler", has_progress_handler() || sqlite3_threadsafe() != 0,
       "SQLITE_OMIT_PROGRESS_CALLBACK and SQLITE_THREADSAFE=0", true},
  };
  for (const auto& routine : routines) {
    if (routine.is_present || (routine.for_queries && !runs_queries)) continue;
    return invalid_argument("needs " + std::string(routine.name) + "(), but this SQLite was compiled without it (" +
                            std::string(routine.option) + ")" +
                            (routine.for_queries ? "; sqlite3_trustsql_pure_init does not need it" : ""));
  }
  return ok_status();
}

bool has_progress_handler() { return sqlite3_api->progress_handler != nullptr; }
bool may_be_compiled_with(const char* option) {
  return sqlite3_api->compileoption_used == nullptr || sqlite3_compileoption_used(option) != 0;
}

#endif

bool allows_threads(sqlite3* host) {
  if (sqlite3_threadsafe() == 0) return false;
  if (sqlite3_db_mutex(host) != nullptr) return true;
  // The host's connection may lack a mutex because it was opened with SQLITE_OPEN_NOMUTEX. A connection that asks for
  // one lacks it only if SQLite as a whole has none.
  const auto probe = Connection::open(":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX);
  return probe.ok() && sqlite3_db_mutex(probe->handle()) != nullptr;
}

}  // namespace trustsql
