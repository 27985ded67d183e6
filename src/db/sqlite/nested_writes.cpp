#include "db/sqlite/nested_writes.hpp"

#include <string>

#include "db/sqlite/connection.hpp"

namespace trustsql {

Status check_nested_write(sqlite3* host, const char* schema, std::string_view instead) {
  constexpr std::string_view dqlite = "dqlite-";
  if (!vfs_name(host, schema).starts_with(dqlite)) return ok_status();
  return not_allowed("this database is replicated by dqlite, where a SELECT must not write; " + std::string(instead));
}

}  // namespace trustsql
