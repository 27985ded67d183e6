#include "db/stores/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

#include "base/text.hpp"
#include "db/sqlite/sqlite_api.hpp"

namespace trustsql {

namespace {

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int number() const { return number_; }
  // Reports what ::close() reports: on some file systems, a write that failed.
  bool close() { return ::close(std::exchange(number_, -1)) == 0; }

 private:
  int number_;
};

std::string reason() { return std::strerror(errno); }  // NOLINT(concurrency-mt-unsafe): messages known to the C library

Result<std::string> checked_path(std::string_view path) {
  if (path.empty()) return io_error("the path of the file is empty");
  if (path.find('\0') != std::string_view::npos)
    return io_error("the path " + quote_for_message(path) + " contains a NUL character");
  return std::string(path);
}

bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

// A file that a VFS has opened for reading.
class VfsFile {
 public:
  VfsFile() = default;
  ~VfsFile() {
    if (!memory_.empty() && file()->pMethods != nullptr) file()->pMethods->xClose(file());
  }
  VfsFile(const VfsFile&) = delete;
  VfsFile& operator=(const VfsFile&) = delete;

  bool open(sqlite3_vfs& vfs, const std::string& path) {
    memory_.resize(static_cast<std::size_t>(vfs.szOsFile) / sizeof(std::max_align_t) + 1);
    std::vector<char> full(static_cast<std::size_t>(vfs.mxPathname) + 1);
    // The upper bits of the result tell of symbolic links.
    const int named = vfs.xFullPathname(&vfs, path.c_str(), static_cast<int>(full.size()), full.data());
    if ((named & 0xFF) != SQLITE_OK) return false;
    // Behind the name of a database stand its URI parameters, of which there are none.
    name_ = std::string(full.data()) + std::string(4, '\0');
    int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB;
    return vfs.xOpen(&vfs, name_.c_str(), file(), flags, &flags) == SQLITE_OK;
  }

  bool read(std::string& bytes) {
    constexpr std::size_t chunk = std::size_t{1} << 24;  // xRead counts in int
    for (std::size_t at = 0; at < bytes.size(); at += chunk) {
      const auto count = static_cast<int>(std::min(chunk, bytes.size() - at));
      const auto code = file()->pMethods->xRead(file(), bytes.data() + at, count, static_cast<sqlite3_int64>(at));
      if (code != SQLITE_OK) return false;
    }
    return true;
  }

 private:
  sqlite3_file* file() { return reinterpret_cast<sqlite3_file*>(memory_.data()); }

  std::vector<std::max_align_t> memory_;
  std::string name_;
};

Result<std::string> read(std::string_view given, std::size_t limit, bool whole) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto path, checked_path(given));
  const auto failed = [&](const std::string& why) {
    return io_error(quote_for_message(path) + " cannot be read: " + why);
  };
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return failed(reason());
  if (!S_ISREG(status.st_mode)) return failed("it is not a regular file");
  const auto size = static_cast<std::size_t>(status.st_size);
  if (whole && size > limit) return failed("it has more than " + std::to_string(limit) + " bytes");
  std::string bytes(std::min(size, limit), '\0');
  sqlite3_vfs* vfs = sqlite3_vfs_find(nullptr);
  VfsFile file;
  if (vfs == nullptr || !file.open(*vfs, path)) return failed("it cannot be opened");
  if (!file.read(bytes)) return failed("reading failed");
  return bytes;
}

}  // namespace

Result<std::string> read_file(std::string_view path, std::size_t limit) { return read(path, limit, true); }

Result<std::string> read_file_start(std::string_view path, std::size_t limit) { return read(path, limit, false); }

Status write_file(std::string_view given, std::string_view bytes) {
  TRUSTSQL_ASSIGN_OR_RETURN(auto path, checked_path(given));
  std::error_code not_there;
  if (std::filesystem::is_symlink(path, not_there))
    if (auto target = std::filesystem::canonical(path, not_there); !not_there) path = target.string();
  const auto unfinished = path + ".unfinished";
  const auto failed = [&](const std::string& why) {
    std::error_code ignored;
    std::filesystem::remove(unfinished, ignored);
    return io_error(quote_for_message(path) + " cannot be written: " + why);
  };
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && !S_ISREG(status.st_mode))
    return io_error(quote_for_message(path) + " cannot be written: it is not a regular file");
  if (exists && ::access(path.c_str(), W_OK) != 0)
    return io_error(quote_for_message(path) + " cannot be written: " + reason());
  constexpr mode_t readable_by_all = 0644;
  constexpr mode_t permissions = 0777;
  Descriptor file(::open(unfinished.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, readable_by_all));
  if (file.number() < 0) return io_error(quote_for_message(path) + " cannot be written: " + reason());
  if (exists && fchmod(file.number(), status.st_mode & permissions) != 0) return failed(reason());
  if (!write_all(file.number(), bytes) || fsync(file.number()) != 0 || !file.close()) return failed(reason());
  std::error_code error;
  std::filesystem::rename(unfinished, path, error);
  if (error) return failed(error.message());
  return ok_status();
}

Status check_replaceable(std::string_view given, std::size_t length, bool (*is_own)(std::string_view start),
                         std::string_view what) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto path, checked_path(given));
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return ok_status();
  if (!S_ISREG(status.st_mode))
    return io_error(quote_for_message(path) + " cannot be written: it is not a regular file");
  const auto start = read_file_start(path, length);
  if (!start.ok()) return start.error();
  if (is_own(*start)) return ok_status();
  return io_error(quote_for_message(path) + " exists and is no " + std::string(what) +
                  "; other files are never overwritten");
}

}  // namespace trustsql
