// The sandbox and the catalog on the databases and queries of Spider, with SQLite itself as the oracle. Skipped if the
// data is missing.
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "db/catalog/catalog.hpp"
#include "unit/db/support.hpp"

namespace trustsql {
namespace {

using test::show;
using test::TestConnection;

std::filesystem::path data_folder() {
  const char* folder = std::getenv("TRUSTSQL_DATA");
  return folder != nullptr ? std::filesystem::path(folder)
                           : std::filesystem::path(TRUSTSQL_SOURCE_DIR) / "../shared/data";
}

class SpiderTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(data_folder() / "spider")) GTEST_SKIP() << "no data in " << data_folder();
  }
  static std::string path_of(const std::string& db) {
    return (data_folder() / "spider/databases" / (db + ".sqlite")).string();
  }

  static std::vector<nlohmann::json> read_lines(const char* name) {
    std::vector<nlohmann::json> lines;
    std::ifstream file(data_folder() / "spider" / name);
    for (std::string line; std::getline(file, line);) lines.push_back(nlohmann::json::parse(line));
    return lines;
  }
};

// All rows as the oracle returns them, or its error.
std::string oracle(sqlite3* db, const std::string& sql) {
  auto statement = prepare(db, sql);
  if (!statement.ok()) return "error: " + statement.error().message;
  std::string text;
  for (bool first = true;; first = false) {
    auto row = statement->step();
    if (!row.ok()) return "error: " + row.error().message;
    if (!*row) return text;
    if (!first) text += ";";
    for (int i = 0; i < statement->column_count(); ++i) {
      if (i > 0) text += "|";
      text += format_value(statement->column(i));
    }
  }
}

TEST_F(SpiderTest, GoldQueriesReturnWhatSqliteReturns) {
  TestConnection host;
  HostDatabase databases(host);
  const Settings settings = test::default_settings();
  std::map<std::string, std::unique_ptr<TestConnection>> originals;
  std::size_t compared = 0;
  for (const auto& [name, stride] :
       {std::pair("validation.jsonl", std::size_t{1}), std::pair("train.jsonl", std::size_t{5})}) {
    const auto lines = read_lines(name);
    for (std::size_t i = 0; i < lines.size(); i += stride) {
      const auto& line = lines[i];
      const std::string path = path_of(line["db_id"]);
      if (!std::filesystem::exists(path)) continue;
      auto& original = originals[path];
      if (!original) original = std::make_unique<TestConnection>(path, SQLITE_OPEN_READONLY);
      const std::string gold = line["gold"];
      const std::string expected = oracle(*original, gold);
      if (expected.size() > 1'000'000) continue;
      EXPECT_EQ(show(test::run(databases, path, gold, settings)), expected) << gold;
      ++compared;
    }
  }
  EXPECT_GT(compared, 1700U);
}

TEST_F(SpiderTest, CatalogsAgreeWithThePublishedSchemas) {
  TestConnection host;
  HostDatabase databases(host);
  std::ifstream file(data_folder() / "spider/tables.json");
  std::size_t compared = 0;
  for (const auto& schema : nlohmann::json::parse(file)) {
    const std::string path = path_of(schema["db_id"]);
    if (!std::filesystem::exists(path)) continue;
    auto source = databases.open(path, test::default_settings());
    ASSERT_TRUE(source.ok()) << source.error().message;
    auto catalog = (*source)->catalog();
    ASSERT_TRUE(catalog.ok()) << path << catalog.error().message;
    std::vector<const Table*> tables;
    for (const auto& name : schema["table_names_original"]) tables.push_back((*catalog)->find(name.get<std::string>()));
    for (const auto& column : schema["column_names_original"]) {
      const int table = column[0];
      if (table < 0) continue;
      const std::string name = column[1];
      ASSERT_NE(tables[static_cast<std::size_t>(table)], nullptr) << path;
      EXPECT_TRUE(tables[static_cast<std::size_t>(table)]->find_column(name)) << path << " " << name;
      ++compared;
    }
    for (const auto& key : schema["primary_keys"]) {
      const auto& column =
          schema["column_names_original"][key.is_array() ? key[0].get<std::size_t>() : key.get<std::size_t>()];
      const Table* table = tables[column[0].get<std::size_t>()];
      const auto index = table->find_column(column[1].get<std::string>());
      ASSERT_TRUE(index);
      EXPECT_GT(table->columns[*index].primary_key_position, 0) << path << " " << table->name << "." << column[1];
    }
  }
  EXPECT_GT(compared, 3000U);
}

}  // namespace
}  // namespace trustsql
