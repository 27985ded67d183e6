#include "db/sqlite/file_start.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "base/text.hpp"
#include "db/sqlite/sqlite_api.hpp"

namespace trustsql {

namespace {

// An open file of a VFS.
class VfsFile {
 public:
  VfsFile() = default;
  ~VfsFile() {
    if (file() != nullptr && file()->pMethods != nullptr) file()->pMethods->xClose(file());
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

  sqlite3_file* file() { return memory_.empty() ? nullptr : reinterpret_cast<sqlite3_file*>(memory_.data()); }

 private:
  std::vector<std::max_align_t> memory_;
  std::string name_;
};

}  // namespace

Result<std::string> read_file_start(const std::string& path, std::size_t limit) {
  struct stat status {};
  if (path.find('\0') != std::string::npos) return io_error("its name contains a NUL character");
  if (stat(path.c_str(), &status) != 0)
    return io_error(std::strerror(errno));  // NOLINT(concurrency-mt-unsafe): for messages known to the C library
  if (!S_ISREG(status.st_mode)) return io_error("it is not a regular file");
  sqlite3_vfs* vfs = sqlite3_vfs_find(nullptr);
  VfsFile opened;
  sqlite3_int64 size = 0;
  if (vfs == nullptr || !opened.open(*vfs, path) ||
      opened.file()->pMethods->xFileSize(opened.file(), &size) != SQLITE_OK)
    return io_error("it cannot be read");
  constexpr std::size_t chunk = std::size_t{1} << 24;  // xRead counts in int
  std::string bytes(std::min(limit, static_cast<std::size_t>(size)), '\0');
  for (std::size_t at = 0; at < bytes.size(); at += chunk) {
    const auto count = static_cast<int>(std::min(chunk, bytes.size() - at));
    if (opened.file()->pMethods->xRead(opened.file(), bytes.data() + at, count, static_cast<sqlite3_int64>(at)) !=
        SQLITE_OK)
      return io_error("it cannot be read");
  }
  return bytes;
}

}  // namespace trustsql
