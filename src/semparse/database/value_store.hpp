// ValueStore: the values of databases, kept in a file between processes, so that a large database is not read again.
//
// An entry of the file (db/stores/side_store.hpp) holds the texts of one column, with the version of trustsql that read
// them, the state of the database (FileState) and the limits that they were read with. An entry that says otherwise, or
// that is damaged, is as none, and is read anew from the database: what is stale is never used. The file holds values
// of the databases as they are: it needs the same protection.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "db/sandbox/sandbox.hpp"
#include "db/stores/side_store.hpp"

namespace trustsql::semparse {

class ValueStore {
 public:
  // A column of the main database, and the limits of reading it.
  struct Column {
    std::string table;
    std::string name;
    std::int64_t max_values;
    std::int64_t max_value_bytes;
  };

  // Opens or creates the file. Errors (io), here and below, with the setting nl2sql_value_index: those of the
  // SideStore.
  static Result<std::shared_ptr<ValueStore>> open(const std::string& path);

  // Removes what is kept of other states of the same database. Thread-safe, as all of these.
  Status begin(const FileState& state);
  // The texts of a column in that state; nullopt if they are not there, or not as they were put there.
  Result<std::optional<std::vector<std::string>>> get(const FileState& state, const Column& column);
  Status put(const FileState& state, const Column& column, const std::vector<std::string>& texts);

 private:
  explicit ValueStore(std::unique_ptr<SideStore> file) : file_(std::move(file)) {}

  std::unique_ptr<SideStore> file_;
};

}  // namespace trustsql::semparse
