#include "ext/services/loaded_session.hpp"

#include "db/sqlite/connection.hpp"

namespace trustsql::ext {

namespace {

// The type differs by version and by linkage, since their sessions are incompatible.
#ifdef SQLITE_CORE
constexpr const char* pointer_type = "trustsql session, static, " TRUSTSQL_VERSION;
#else
constexpr const char* pointer_type = "trustsql session, module, " TRUSTSQL_VERSION;
#endif

}  // namespace

std::shared_ptr<Session> loaded_session(sqlite3* db) {
  std::shared_ptr<Session> session;
  {
    auto request = prepare(db, "SELECT trustsql_config(?1)");
    if (request.ok()) {
      sqlite3_bind_pointer(request->handle(), 1, &session, pointer_type, nullptr);
      static_cast<void>(request->step());
    }
  }
  // If there is no such function, the connection now has an error, which sqlite3_open() would report as its own.
  static_cast<void>(prepare(db, "SELECT 1"));
  return session;
}

CallOutcome Holder<const ConfigKey&>::read(const CallContext& call, const Arguments& arguments, int index,
                                           Error& error) {
  value.slot = static_cast<std::shared_ptr<Session>*>(sqlite3_value_pointer(arguments.at(index), pointer_type));
  if (value.slot != nullptr) return CallOutcome::called;
  Holder<std::string_view> name;
  const auto outcome = name.read(call, arguments, index, error);
  value.name = name.value;
  return outcome;
}

}  // namespace trustsql::ext
