// What the benches over pairs of queries share: files, errors that end the program, and the schemas of pairs.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "base/settings.hpp"
#include "db/sources/ddl_source.hpp"
#include "db/sources/host_database.hpp"

namespace trustsql_bench {

// The value; prints the error and ends the program if there is none.
template <class T>
T value_or_exit(trustsql::Result<T> result) {
  if (!result.ok()) {
    std::fprintf(stderr, "%s\n", result.error().message.c_str());
    std::exit(1);
  }
  return std::move(result).value();
}

inline std::string content(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// The JSON values of a file with one on each line.
inline std::vector<nlohmann::json> read_json_lines(const std::filesystem::path& path) {
  std::vector<nlohmann::json> rows;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) rows.push_back(nlohmann::json::parse(line));
  return rows;
}

inline trustsql::Settings default_settings() {
  return value_or_exit(trustsql::Settings::create([](auto) { return std::nullopt; }));
}

// The schemas of the pairs in the development data: DDL in pairs/schemas, or Spider's databases.
class PairSchemas {
 public:
  // `host` must outlive this object; `data`: the folder of the development data.
  PairSchemas(sqlite3* host, std::filesystem::path data) : database_(host), data_(std::move(data)) {}

  static bool has_ddl(const nlohmann::json& pair) { return pair.contains("schema") && pair["schema"].is_string(); }
  static std::string name(const nlohmann::json& pair) { return pair.at(has_ddl(pair) ? "schema" : "db_id"); }

  std::shared_ptr<trustsql::SandboxSource> open(const nlohmann::json& pair) {
    if (has_ddl(pair))
      return value_or_exit(trustsql::open_ddl(content(data_ / "pairs/schemas" / (name(pair) + ".sql")), settings_));
    return open_database(name(pair));
  }
  std::shared_ptr<trustsql::SandboxSource> open_database(const std::string& db_id) {
    return value_or_exit(database_.open_file((data_ / "spider/databases" / (db_id + ".sqlite")).string(), settings_));
  }
  const trustsql::Settings& settings() const { return settings_; }

 private:
  trustsql::HostDatabase database_;
  std::filesystem::path data_;
  trustsql::Settings settings_ = default_settings();
};

}  // namespace trustsql_bench
