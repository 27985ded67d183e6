// How an entry point that is called again finds the session that the connection has already, so that its settings stay.
//
// SQLite keeps nothing for an extension before 3.44 (sqlite3_set_clientdata), so the session is asked for through a
// function that it has registered: trustsql_config(?1), with a pointer that no SQL text can make bound to ?1
// (https://sqlite.org/bindptr.html).
#pragma once

#include <memory>
#include <string_view>

#include "ext/adaptor/call.hpp"

namespace trustsql::ext {

// The argument of trustsql_config(key): a key, or where the session goes.
struct ConfigKey {
  std::string_view name;
  std::shared_ptr<Session>* slot = nullptr;
};

// The session of `db`; null where the extension is not loaded yet. Leaves the connection without an error.
std::shared_ptr<Session> loaded_session(sqlite3* db);

template <>
struct Holder<const ConfigKey&> {
  ConfigKey value;

  CallOutcome read(const CallContext& call, const Arguments& arguments, int index, Error& error);
  const ConfigKey& get(const CallContext&) const { return value; }
};

}  // namespace trustsql::ext
