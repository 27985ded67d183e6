// HostTable: a table in a schema of the host's connection that maps keys to values in several spaces, as SideStore does
// in a file.
//
// Values that are put there are part of the host's transaction. The first put() creates the table.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

struct sqlite3;

namespace trustsql {

class HostTable {
 public:
  // `schema`: "main", "temp" or the name of an attached database. `host` outlives this object.
  HostTable(sqlite3* host, std::string schema, std::string table)
      : host_(host), schema_(std::move(schema)), table_(std::move(table)) {}

  // The values of `keys` in `space`; nullopt for a key without a value, or if there is no table. Errors: as
  // sqlite_error().
  Result<std::vector<std::optional<std::string>>> get(std::string_view space, std::span<const std::string> keys);

  // Sets the value of keys[i] to values[i]. Precondition: as many keys as values. Errors: as sqlite_error(); some
  // values may have been written before the error.
  Status put(std::string_view space, std::span<const std::string> keys, std::span<const std::string> values);

 private:
  std::string name() const;

  sqlite3* host_;
  std::string schema_;
  std::string table_;
};

}  // namespace trustsql
