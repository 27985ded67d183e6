#include "db/sources/file_state.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <ctime>

namespace trustsql {

namespace {

constexpr std::int64_t settling_time_ns = 2'000'000'000;

std::int64_t nanoseconds(const timespec& time) { return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec; }

// The header of the database, read through SQLite: another descriptor of the file, once closed, would release the locks
// of this process (https://sqlite.org/howtocorrupt.html, 2.2).
using Header = std::array<unsigned char, 100>;
std::optional<Header> read_header(sqlite3* db) {
  sqlite3_file* file = nullptr;
  if (sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, static_cast<void*>(&file)) != SQLITE_OK ||
      file == nullptr || file->pMethods == nullptr)
    return std::nullopt;
  Header header{};
  if (file->pMethods->xRead(file, header.data(), static_cast<int>(header.size()), 0) != SQLITE_OK) return std::nullopt;
  return header;
}

bool has_moved(sqlite3* db) {
  int moved = 1;
  return sqlite3_file_control(db, "main", SQLITE_FCNTL_HAS_MOVED, &moved) != SQLITE_OK || moved != 0;
}

std::uint32_t number_at(const Header& header, std::size_t offset) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < 4; ++i) number = (number << 8) | header[offset + i];
  return number;
}

}  // namespace

std::optional<FileState> file_state(sqlite3* db, const Layout& layout) {
  if (layout.databases.size() != 1 || layout.temp || layout.databases.front().image ||
      layout.databases.front().immutable || !vfs_name(db, "main").starts_with("unix"))
    return std::nullopt;
  const char* path = sqlite3_db_filename(db, "main");
  if (path == nullptr || *path == '\0' || has_moved(db)) return std::nullopt;
  const auto header = read_header(db);
  constexpr std::size_t write_version = 18;
  constexpr std::size_t read_version = 19;
  constexpr unsigned char rollback_journal = 1;
  if (!header || (*header)[write_version] != rollback_journal || (*header)[read_version] != rollback_journal)
    return std::nullopt;
  struct stat status {};
  timespec now{};
  if (stat(path, &status) != 0 || !S_ISREG(status.st_mode) || clock_gettime(CLOCK_REALTIME, &now) != 0)
    return std::nullopt;
  const auto modified = nanoseconds(status.st_mtim);
  const auto changed = nanoseconds(status.st_ctim);
  if (std::max(modified, changed) + settling_time_ns > nanoseconds(now)) return std::nullopt;
  constexpr std::size_t change_counter = 24;
  constexpr std::size_t schema_cookie = 40;
  std::string sign;
  for (const auto number :
       {static_cast<std::int64_t>(status.st_dev), static_cast<std::int64_t>(status.st_ino),
        static_cast<std::int64_t>(status.st_size), modified, changed, std::int64_t{number_at(*header, change_counter)},
        std::int64_t{number_at(*header, schema_cookie)}})
    sign += (sign.empty() ? "" : " ") + std::to_string(number);
  return FileState{path, std::move(sign)};
}

}  // namespace trustsql
