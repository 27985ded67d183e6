#include "ext/loaded_session.hpp"

#include "db/connection.hpp"

namespace trustsql::ext {

namespace {

// Another version, or the module beside the static library, has sessions of another kind.
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
  // Where there is no such function the connection has an error now, which sqlite3_open() would take for its own.
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
