// SideStore: the extension's own SQLite file, separate from the user's databases, that maps keys to values in several
// spaces.
//
// It caches data that can be obtained again: answers of servers, vectors of texts. Threads of this process and other
// processes may use one file at the same time: it is in WAL mode (https://sqlite.org/wal.html), and connections wait
// for locks. A file is recognized by its application id; a file with another id is never written to, nor opened by
// SQLite.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace trustsql {

class SideStore {
 public:
  enum class Mode {
    read_write,  // creates the file if it is missing or empty
    read_only,   // the file must exist
  };

  // Errors (io): `path` is '' or ':memory:', or the file is not a regular file, not a SideStore, corrupt, locked, or
  // cannot be written or created. `file:` has no special meaning.
  static Result<std::unique_ptr<SideStore>> open(const std::string& path, Mode mode);
  ~SideStore();
  SideStore(const SideStore&) = delete;
  SideStore& operator=(const SideStore&) = delete;

  // The values of `keys` in `space`, all read from one state of the file; nullopt for a key without a value.
  // Thread-safe. Errors (io): with the path and SQLite's message.
  Result<std::vector<std::optional<std::string>>> get(std::string_view space, std::span<const std::string> keys);

  // Sets the value of keys[i] to values[i], all in one transaction. Thread-safe. Precondition: as many keys as values.
  // Errors (io): as get(), or the mode is read_only.
  Status put(std::string_view space, std::span<const std::string> keys, std::span<const std::string> values);

  // Removes everything in `space`. Thread-safe. Errors (io): as put().
  Status clear(std::string_view space);

 private:
  struct Impl;
  explicit SideStore(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace trustsql
