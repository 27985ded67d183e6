// SideStore: a SQLite file of ours beside the user's databases, from keys to values, in several spaces.
//
// For what is worth keeping and can be had again: answers of servers, vectors of texts. Threads of this process and
// other processes may use one file at the same time: it is in WAL mode (https://sqlite.org/wal.html), and a lock is
// waited for. A file is known by its application id; one that is not ours is never written to, nor opened by SQLite.
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
    read_write,  // makes the file if there is none, or an empty one
    read_only,   // the file must be there
  };

  // Errors (io): `path` is '' or ':memory:', no regular file, a file of somebody else, corrupt, locked, or cannot be
  // written or made. `file:` has no special meaning.
  static Result<std::unique_ptr<SideStore>> open(const std::string& path, Mode mode);
  ~SideStore();
  SideStore(const SideStore&) = delete;
  SideStore& operator=(const SideStore&) = delete;

  // The values of `keys` in `space`, as one state of the file has them; empty where there is none. Thread-safe.
  // Errors (io): with the path and SQLite's message.
  Result<std::vector<std::optional<std::string>>> get(std::string_view space, std::span<const std::string> keys);

  // Gives keys[i] the value values[i], all in one transaction. Thread-safe. Precondition: as many keys as values.
  // Errors (io): as get(); in mode read_only.
  Status put(std::string_view space, std::span<const std::string> keys, std::span<const std::string> values);

  // Removes everything in `space`. Thread-safe. Errors (io): as put().
  Status clear(std::string_view space);

 private:
  struct Impl;
  explicit SideStore(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace trustsql
