// Finds the session that a connection already has when an entry point is called again, so that its settings are kept.
//
// Before 3.44 (sqlite3_set_clientdata) SQLite cannot store client data for an extension, so the session is obtained
// through a function that it has registered: trustsql_config(?1), with a pointer bound to ?1 that no SQL text can
// produce (https://sqlite.org/bindptr.html).
#pragma once

#include <memory>
#include <string_view>

#include "ext/adaptor/call.hpp"

namespace trustsql::ext {

// The argument of trustsql_config(key): a key, or where to store the session.
struct ConfigKey {
  std::string_view name;
  std::shared_ptr<Session>* slot = nullptr;
};

// The session of `db`; null if the extension is not loaded yet. Clears the connection's error.
std::shared_ptr<Session> loaded_session(sqlite3* db);

template <>
struct Holder<const ConfigKey&> {
  ConfigKey value;

  CallOutcome read(const CallContext& call, const Arguments& arguments, int index, Error& error);
  const ConfigKey& get(const CallContext&) const { return value; }
};

}  // namespace trustsql::ext
