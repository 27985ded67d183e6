#include "semparse/model/model_store.hpp"

#include <filesystem>
#include <system_error>

#include "base/text.hpp"
#include "db/stores/files.hpp"
#include "semparse/model/model_file.hpp"

namespace trustsql::semparse {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t max_model_bytes = std::size_t{256} << 20;

}  // namespace

Status check_model_path(const std::string& path) {
  std::error_code error;
  const auto folder = fs::path(path).parent_path();
  if (path.empty() || path.find('\0') != std::string::npos || fs::path(path).filename().empty() ||
      !(folder.empty() || fs::is_directory(folder, error)))
    return io_error("a model cannot be written to " + quote_for_message(path) + ": there is no such folder");
  return check_replaceable(
      path, model_file_magic.size(), [](std::string_view start) { return start == model_file_magic; }, "model");
}

Status save_model(const std::string& bytes, const std::string& path) {
  TRUSTSQL_RETURN_IF_ERROR(check_model_path(path));
  return write_file(path, bytes);
}

Result<ParserModel> load_model(const std::string& path) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto bytes, read_file(path, max_model_bytes));
  return read_model(bytes);
}

}  // namespace trustsql::semparse
