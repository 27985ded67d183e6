#include "ext/adaptor/wrong_place.hpp"

#include <algorithm>
#include <string>

#include "base/guard.hpp"
#include "base/text.hpp"

namespace trustsql::ext {

namespace {

constexpr std::string_view prefixes[] = {"rs_", "sql_", "schema_", "nl2sql", "trustsql_"};

bool has_prefix(std::string_view name) {
  return std::ranges::any_of(prefixes, [&](std::string_view prefix) { return name.starts_with(prefix); });
}

bool is_stood_in_for(const FunctionSpec& spec) { return spec.kind == FunctionKind::table || has_prefix(spec.name); }

const FunctionSpec& spec_of(const void* pointer) { return *static_cast<const FunctionSpec*>(pointer); }

void called_as_scalar(sqlite3_context* context, int, sqlite3_value**) noexcept {
  const auto result = guarded([&] {
    const FunctionSpec& spec = spec_of(sqlite3_user_data(context));
    const std::string message = std::string(spec.name) + ": it is not a scalar function; use it as " +
                                (spec.is_created ? "CREATE VIRTUAL TABLE temp.name USING " : "SELECT * FROM ") +
                                std::string(spec.signature);
    sqlite3_result_error(context, message.c_str(), static_cast<int>(message.size()));
  });
  if (!result.ok()) sqlite3_result_error_nomem(context);
}

int connect_as_table(sqlite3*, void* pointer, int, const char* const*, sqlite3_vtab**, char** message) noexcept {
  const FunctionSpec& spec = spec_of(pointer);
  const auto length = [](std::string_view text) { return static_cast<int>(text.size()); };
  *message = sqlite3_mprintf("%.*s: it is %s function, not a table; use it as SELECT %.*s", length(spec.name),
                             spec.name.data(), spec.kind == FunctionKind::scalar ? "a scalar" : "an aggregate",
                             length(spec.signature), spec.signature.data());
  return *message == nullptr ? SQLITE_NOMEM : SQLITE_ERROR;
}

// Without xCreate, the module serves an eponymous table only; without a connection, SQLite calls nothing else of it.
constexpr sqlite3_module module = [] {
  sqlite3_module only_connects{};
  only_connects.xConnect = connect_as_table;
  return only_connects;
}();

}  // namespace

int register_wrong_place(sqlite3* db, const FunctionSpec& spec) {
  if (!is_stood_in_for(spec)) return SQLITE_OK;
  const std::string name(spec.name);
  void* const data = const_cast<FunctionSpec*>(&spec);  // which is never written to
  if (spec.kind == FunctionKind::table)
    return sqlite3_create_function_v2(db, name.c_str(), -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, data, called_as_scalar,
                                      nullptr, nullptr, nullptr);
  return sqlite3_create_module_v2(db, name.c_str(), &module, data, nullptr);
}

void remove_wrong_place(sqlite3* db, const FunctionSpec& spec) {
  if (!is_stood_in_for(spec)) return;
  const std::string name(spec.name);
  if (spec.kind == FunctionKind::table) {
    sqlite3_create_function_v2(db, name.c_str(), -1, SQLITE_UTF8, nullptr, nullptr, nullptr, nullptr, nullptr);
  } else {
    sqlite3_create_module_v2(db, name.c_str(), nullptr, nullptr, nullptr);
  }
}

bool is_wrong_place(const FunctionSpec& spec, std::string_view name, bool as_table) {
  return is_stood_in_for(spec) && (spec.kind != FunctionKind::table) == as_table && equals_ignore_case(spec.name, name);
}

}  // namespace trustsql::ext
