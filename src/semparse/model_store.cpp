#include "semparse/model_store.hpp"

#include <filesystem>
#include <fstream>
#include <system_error>

#include "base/text.hpp"
#include "db/sqlite/file_start.hpp"
#include "semparse/model_file.hpp"

namespace trustsql::semparse {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t max_model_bytes = std::size_t{256} << 20;

// The bytes of a regular file, or its first `limit` ones. The file may be a database that the host has open.
Result<std::string> read_bytes(const std::string& path, std::size_t limit) {
  std::error_code error;
  if (path.find('\0') != std::string::npos || !fs::is_regular_file(path, error))
    return io_error(quote_for_message(path) + " is not a file");
  auto bytes = read_file_start(path, limit);
  if (!bytes.ok()) return io_error(quote_for_message(path) + " cannot be read");
  return bytes;
}

}  // namespace

Status check_model_path(const std::string& path) {
  std::error_code error;
  const auto folder = fs::path(path).parent_path();
  if (path.empty() || path.find('\0') != std::string::npos || fs::path(path).filename().empty() ||
      !(folder.empty() || fs::is_directory(folder, error)))
    return io_error("a model cannot be written to " + quote_for_message(path) + ": there is no such folder");
  if (!fs::exists(path, error)) return ok_status();
  const auto begin = read_bytes(path, model_file_magic.size());
  if (!begin.ok() || *begin != model_file_magic)
    return io_error(quote_for_message(path) + " exists and is no model; other files are never overwritten");
  return ok_status();
}

Status save_model(const std::string& bytes, const std::string& path) {
  TRUSTSQL_RETURN_IF_ERROR(check_model_path(path));
  const auto part = path + ".part";
  {
    std::ofstream file(part, std::ios::binary | std::ios::trunc);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    file.close();
    if (!file) return io_error(quote_for_message(part) + " cannot be written");
  }
  std::error_code error;
  fs::rename(part, path, error);
  if (!error) return ok_status();
  std::error_code ignored;
  fs::remove(part, ignored);
  return io_error(quote_for_message(path) + " cannot be written: " + error.message());
}

Result<ParserModel> load_model(const std::string& path) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto bytes, read_bytes(path, max_model_bytes));
  return read_model(bytes);
}

}  // namespace trustsql::semparse
