#include "base/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/text.hpp"

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

}  // namespace

Result<std::string> read_file(std::string_view given, std::size_t limit) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto path, checked_path(given));
  const auto failed = [&](const std::string& why) {
    return io_error(quote_for_message(path) + " cannot be read: " + why);
  };
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status {};
  if (file.number() < 0 || fstat(file.number(), &status) != 0) return failed(reason());
  if (!S_ISREG(status.st_mode)) return failed("it is not a regular file");
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size > limit) return failed("it has more than " + std::to_string(limit) + " bytes");
  std::string bytes(size, '\0');
  std::size_t filled = 0;
  while (filled < size) {
    const auto got = ::read(file.number(), bytes.data() + filled, size - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return failed(reason());
    if (got == 0) break;  // the file has become shorter
    filled += static_cast<std::size_t>(got);
  }
  bytes.resize(filled);
  return bytes;
}

Status write_file(std::string_view given, std::string_view bytes) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto path, checked_path(given));
  const auto unfinished = path + ".unfinished";
  const auto failed = [&](const std::string& why) {
    std::error_code ignored;
    std::filesystem::remove(unfinished, ignored);
    return io_error(quote_for_message(path) + " cannot be written: " + why);
  };
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode))
    return io_error(quote_for_message(path) + " cannot be written: it is not a regular file");
  constexpr int readable_by_all = 0644;
  Descriptor file(::open(unfinished.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, readable_by_all));
  if (file.number() < 0) return io_error(quote_for_message(path) + " cannot be written: " + reason());
  if (!write_all(file.number(), bytes) || fsync(file.number()) != 0 || !file.close()) return failed(reason());
  std::error_code error;
  std::filesystem::rename(unfinished, path, error);
  if (error) return failed(error.message());
  return ok_status();
}

}  // namespace trustsql
