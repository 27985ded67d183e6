// The development data next to the repository (../shared/data, or the folder that TRUSTSQL_DATA names): real questions,
// queries and predictions. Tests that read it skip where it is absent; none of it is part of the project.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace trustsql {

inline std::optional<std::filesystem::path> development_data() {
  const char* override_path = std::getenv("TRUSTSQL_DATA");
  const std::filesystem::path folder = override_path != nullptr
                                           ? std::filesystem::path(override_path)
                                           : std::filesystem::path(TRUSTSQL_SOURCE_DIR) / ".." / "shared" / "data";
  if (!std::filesystem::is_directory(folder)) return std::nullopt;
  return folder;
}

// The files of `folder` that end in `extension`, by name.
inline std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder, const std::string& extension) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == extension) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

inline std::vector<nlohmann::json> read_jsonl(const std::filesystem::path& path) {
  std::vector<nlohmann::json> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);)
    if (!line.empty()) lines.push_back(nlohmann::json::parse(line));
  return lines;
}

}  // namespace trustsql

#define TRUSTSQL_NEEDS_DEVELOPMENT_DATA(name) \
  const auto name = development_data();       \
  if (!name) GTEST_SKIP() << "no development data at ../shared/data (or $TRUSTSQL_DATA)"
