#include "unit/sql/real_queries.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "base/text.hpp"

namespace trustsql::testing_data {

namespace {

namespace fs = std::filesystem;

class Collector {
 public:
  explicit Collector(fs::path folder) : folder_(std::move(folder)) {}

  template <class Each>
  void lines(const std::string& file, Each&& each) {
    source_ = file;
    std::ifstream in(folder_ / file);
    EXPECT_TRUE(in) << file;
    for (std::string line; std::getline(in, line);) each(nlohmann::json::parse(line));
  }

  // Adds the text at `key` of every line; null is not a query.
  void column(const std::string& file, const char* key, const std::string& database) {
    lines(file, [&](const nlohmann::json& row) { add(row.at(key), database); });
  }

  void add(const nlohmann::json& sql, const std::string& database) {
    if (sql.is_null()) return;
    if (seen_.emplace(database, sql.get<std::string>()).second)
      queries_.push_back({source_, database, sql.get<std::string>()});
  }

  // Two of Spider's databases have no file; for one of them the pairs come with DDL.
  std::string spider(const nlohmann::json& row) const {
    const auto id = row.at("db_id").get<std::string>();
    for (const auto& candidate : {"spider/databases/" + id + ".sqlite", "pairs/schemas/spider_" + id + ".sql"})
      if (fs::exists(folder_ / candidate)) return candidate;
    return "";
  }
  std::string pair_schema(const nlohmann::json& row) const {
    return row.contains("schema") ? "pairs/schemas/" + row.at("schema").get<std::string>() + ".sql" : spider(row);
  }

  std::vector<fs::path> files(const std::string& folder) const {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder_ / folder))
      if (entry.path().extension() == ".jsonl") files.push_back(folder / entry.path().filename());
    std::sort(files.begin(), files.end());
    return files;
  }

  std::vector<RealQuery> take() { return std::move(queries_); }

 private:
  fs::path folder_;
  std::string source_;
  std::vector<RealQuery> queries_;
  std::set<std::pair<std::string, std::string>> seen_;
};

// Runs the CREATE statements of a script. Some scripts are dumps of other systems, in which SQLite rejects some
// statements.
void create_tables(sqlite3* db, const std::string& script) {
  for (std::size_t begin = 0; begin < script.size();) {
    const std::size_t end = std::min(script.find(";\n", begin), script.size());
    const std::string statement = script.substr(begin, end - begin);
    if (contains_ignore_case(statement.substr(0, 40), "create"))
      sqlite3_exec(db, statement.c_str(), nullptr, nullptr, nullptr);
    begin = end + 2;
  }
}

}  // namespace

std::optional<fs::path> data_folder() {
  const char* set = std::getenv("TRUSTSQL_DATA");
  fs::path folder = set != nullptr ? fs::path(set) : fs::path(TRUSTSQL_SOURCE_DIR) / ".." / "shared" / "data";
  if (!fs::is_directory(folder)) return std::nullopt;
  return fs::canonical(folder);
}

std::vector<RealQuery> real_queries() {
  Collector c(*data_folder());
  for (const char* file : {"spider/train.jsonl", "spider/validation.jsonl", "spider/train_gold_extra.jsonl"})
    c.lines(file, [&](const auto& row) { c.add(row.at("gold"), c.spider(row)); });
  for (const auto& file : c.files("predictions"))
    c.lines(file, [&](const auto& row) { c.add(row.at("pred"), c.spider(row)); });
  c.lines("recorded/recorded.jsonl", [&](const auto& row) {
    for (const auto& sample : row.at("samples")) c.add(sample.at("sql"), c.spider(row));
  });
  for (const auto& file : c.files("pairs")) {
    c.lines(file, [&](const auto& row) {
      c.add(row.at("a"), c.pair_schema(row));
      c.add(row.at("b"), c.pair_schema(row));
    });
  }
  for (const auto& file : c.files("corpora")) {
    const auto name = file.stem().string();
    const auto questions = name.find("_questions");
    if (questions != name.npos) {
      c.column(file, "gold", "corpora/schemas/" + name.substr(0, questions) + ".sql");
    } else {
      const std::string prefix = name.rfind("bird", 0) == 0 ? "bird_" : "";
      c.lines(file, [&](const auto& row) {
        c.add(row.at("sql"), "corpora/schemas/" + prefix + row.at("db_id").template get<std::string>() + ".sql");
      });
    }
  }
  for (const char* file : {"ehrsql/train.jsonl", "ehrsql/valid.jsonl"}) c.column(file, "gold", "ehrsql/mimic_iv.sql");
  return c.take();
}

std::vector<RealPair> real_pairs() {
  Collector c(*data_folder());
  std::vector<RealPair> pairs;
  for (const auto& file : c.files("pairs")) {
    c.lines(file, [&](const nlohmann::json& row) {
      const auto label = row.at("label").is_null() ? std::nullopt : std::optional(row.at("label").get<int>());
      pairs.push_back({file, row.at("id").is_string() ? row.at("id").get<std::string>() : row.at("id").dump(),
                       c.pair_schema(row), row.at("a").get<std::string>(), row.at("b").get<std::string>(), label});
    });
  }
  return pairs;
}

sqlite3* Databases::open(const std::string& database) {
  auto& slot = open_[database];
  if (slot) return slot.get();
  const bool is_file = fs::path(database).extension() == ".sqlite";
  const std::string path = is_file ? (folder_ / database).string() : ":memory:";
  sqlite3* db = nullptr;
  EXPECT_EQ(sqlite3_open_v2(path.c_str(), &db, is_file ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE, nullptr),
            SQLITE_OK)
      << path;
  slot.reset(db);
  if (!is_file && !database.empty()) {
    std::stringstream ddl;
    ddl << std::ifstream(folder_ / database).rdbuf();
    create_tables(db, ddl.str());
  }
  return db;
}

}  // namespace trustsql::testing_data
