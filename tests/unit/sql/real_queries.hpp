// The queries of the development data: Spider, BIRD, EHRSQL, ATIS, Advising and others, model predictions, pairs. Tests
// that use them skip where the data is absent (data_folder() is empty).
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "db/sqlite/sqlite_api.hpp"

namespace trustsql::testing_data {

// $TRUSTSQL_DATA, or shared/data next to the source folder; empty if there is no such folder.
std::optional<std::filesystem::path> data_folder();

struct RealQuery {
  std::string source;    // the file, relative to the data folder
  std::string database;  // the database or DDL file that it is for, relative to the data folder; "" if there is none
  std::string sql;
};

// Every different query with its database, in a fixed order. Precondition: data_folder().
std::vector<RealQuery> real_queries();

struct RealPair {
  std::string source;    // as of a RealQuery
  std::string id;        // in its file
  std::string database;  // as of a RealQuery
  std::string a;
  std::string b;
  std::optional<int> label;  // 1: the same, 0: different, according to the authors of the file
};

// The pairs of the development data, in the order of their files. Precondition: data_folder().
std::vector<RealPair> real_pairs();

// Connections to the databases of queries, opened once: files read-only, DDL in an empty database in memory.
class Databases {
 public:
  explicit Databases(std::filesystem::path folder) : folder_(std::move(folder)) {}
  // Precondition: `database` is one of a RealQuery. Fails the test that calls it if the database cannot be opened.
  sqlite3* open(const std::string& database);

 private:
  struct Close {
    void operator()(sqlite3* db) const { sqlite3_close(db); }
  };
  std::filesystem::path folder_;
  std::map<std::string, std::unique_ptr<sqlite3, Close>> open_;
};

}  // namespace trustsql::testing_data
