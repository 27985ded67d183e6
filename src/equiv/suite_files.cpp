#include "equiv/suite_files.hpp"

#include <algorithm>
#include <filesystem>

#include "base/text.hpp"

namespace trustsql::equiv {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view extension = ".sqlite";

// The files *.sqlite in `folder` whose names begin with `prefix`.
Result<std::vector<std::string>> files_of(const fs::path& folder, std::string_view prefix) {
  std::vector<std::string> paths;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const fs::path& path = entry->path();
    std::error_code ignored;
    if (path.extension() == extension && path.filename().string().starts_with(prefix) &&
        entry->is_regular_file(ignored))
      paths.push_back(path.string());
  }
  if (error) return io_error(quote_for_message(folder.string()) + " cannot be read: " + error.message());
  std::ranges::sort(paths);
  return paths;
}

std::string three_digits(std::size_t number) {
  std::string digits = std::to_string(number);
  if (digits.size() < 3) digits.insert(0, 3 - digits.size(), '0');
  return digits;
}

Status check_folder(std::string_view folder) {
  if (folder.find('\0') != std::string_view::npos)
    return io_error("the path " + quote_for_message(folder) + " contains a NUL character");
  return ok_status();
}

}  // namespace

Status check_suite_place(std::string_view folder, std::string_view name) {
  TRUSTSQL_RETURN_IF_ERROR(check_folder(folder));
  if (name.empty() || name.find('/') != std::string_view::npos || name.find('\0') != std::string_view::npos ||
      name.front() == '.')
    return invalid_argument(
        quote_for_message(name) +
        " is not a valid name for the files of a suite: it must not be empty, begin with '.' or contain '/'");
  return ok_status();
}

Result<std::vector<std::string>> write_suite(const Suite& suite, const std::string& folder, const std::string& name,
                                             const SandboxLimits& limits) {
  TRUSTSQL_RETURN_IF_ERROR(check_suite_place(folder, name));
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return io_error(quote_for_message(folder) + " cannot be created: " + error.message());
  TRUSTSQL_ASSIGN_OR_RETURN(const auto present, files_of(folder, name + "_"));
  if (!present.empty())
    return io_error(quote_for_message(present.front()) +
                    " already exists; files are never overwritten, so choose another name or folder");
  std::vector<std::string> paths;
  for (const auto& script : suite.scripts) {
    TRUSTSQL_ASSIGN_OR_RETURN(const auto database, ScratchDatabase::create_empty({}, limits));
    TRUSTSQL_RETURN_IF_ERROR(database->replay(script));
    paths.push_back(
        (fs::path(folder) / (name + "_" + three_digits(paths.size() + 1) + std::string(extension))).string());
    TRUSTSQL_RETURN_IF_ERROR(database->write_to(paths.back()));
  }
  return paths;
}

Result<std::vector<std::string>> suite_files(const std::string& folder) {
  TRUSTSQL_RETURN_IF_ERROR(check_folder(folder));
  std::error_code error;
  if (fs::is_regular_file(folder, error)) return std::vector<std::string>{folder};
  TRUSTSQL_ASSIGN_OR_RETURN(auto paths, files_of(folder, ""));
  if (paths.empty()) return io_error("there are no files *.sqlite in " + quote_for_message(folder));
  return paths;
}

}  // namespace trustsql::equiv
