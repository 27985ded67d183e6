// A host that has configured SQLite for a single thread (SQLITE_CONFIG_SINGLETHREAD), as go-dqlite does: SQLite has no
// mutexes, although sqlite3_threadsafe() says 1. Every function works there, and none starts a thread.
//
// pthread_create() below is found before the C library's, by libstdc++ and libcurl too, and counts.

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <sqlite3.h>
#include <trustsql/trustsql.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "sql/runner/server.hpp"
#include "unit/ext/support.hpp"

namespace {

std::atomic<int> threads_started{0};

}  // namespace

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                              void* argument) {
  ++threads_started;
  static const auto create = reinterpret_cast<decltype(&pthread_create)>(dlsym(RTLD_NEXT, "pthread_create"));
  return create(thread, attributes, start, argument);
}

namespace trustsql {
namespace {

using ext::testing_support::Database;

// The folder where examples write files.
class Folder {
 public:
  Folder() : before_(std::filesystem::current_path()) {
    std::string name = (std::filesystem::temp_directory_path() / "trustsql-single-XXXXXX").string();
    EXPECT_NE(mkdtemp(name.data()), nullptr);
    path_ = name;
    std::filesystem::current_path(path_);
  }
  ~Folder() {
    std::filesystem::current_path(before_);
    std::filesystem::remove_all(path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path before_;
  std::filesystem::path path_;
};

class SingleThread : public testing::Test {
 protected:
  SingleThread() {
    threads_started = 0;
    db_.load(sqlite3_trustsql_init);
    // More than one thread would be used if that were allowed.
    db_.value("SELECT trustsql_config('threads', 4), trustsql_config('llm_concurrency', 8)");
  }
  ~SingleThread() override {
    EXPECT_EQ(threads_started, 0);
    const std::filesystem::directory_iterator tasks("/proc/self/task");
    EXPECT_EQ(std::distance(tasks, std::filesystem::directory_iterator()), 1);
  }

  const Folder folder_;
  Database db_{ext::testing_support::example_database()};
};

TEST_F(SingleThread, IsWhatThisHostIs) {
  EXPECT_NE(sqlite3_threadsafe(), 0);
  EXPECT_EQ(sqlite3_db_mutex(db_.handle()), nullptr);
}

TEST_F(SingleThread, ThreadsAreCounted) {
  std::thread([] {}).join();
  EXPECT_EQ(threads_started.exchange(0), 1);
}

TEST_F(SingleThread, EveryExampleRuns) {
  std::vector<std::vector<std::string>> examples;
  ASSERT_EQ(db_.run("SELECT example FROM trustsql_functions", examples), "");
  EXPECT_GT(examples.size(), 50U);
  for (const auto& row : examples) {
    SCOPED_TRACE(row.front());
    Database db(ext::testing_support::example_database());
    db.load(sqlite3_trustsql_init);
    db.value("SELECT trustsql_config('threads', 4)");
    db.rows(row.front());
  }
}

TEST_F(SingleThread, ManyPredictionsAreScored) {
  db_.rows(
      "CREATE TABLE many AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300) SELECT i AS "
      "id, 'SELECT ' || i AS gold, 'SELECT ' || (i + (i % 3 = 0)) AS pred FROM n");
  EXPECT_EQ(db_.value("SELECT rs_score(gold, pred, 1) FROM many").substr(0, 5), "33.33");
  EXPECT_EQ(db_.value("SELECT count(*) FROM rs_report('many', '{\"bootstrap\":200}')"), "2");
  EXPECT_EQ(db_.value("SELECT rs_html('many') LIKE '%<svg%'"), "1");
}

TEST_F(SingleThread, RequestsAreSentOneAfterTheOther) {
  std::ofstream(folder_.file("script.json")) << R"json({"rules": [
    {"path": "/v1/embeddings", "embed": 8},
    {"content": "SELECT count(*) FROM singer", "ignore_n": true}
  ]})json";
  const test_runner::ServerProcess server(folder_.file("script.json"), folder_.file("log.json"));
  db_.rows("SELECT trustsql_config('llm_url', '" + server.url() +
           "/v1'), trustsql_config('llm_model', 'm'), trustsql_config('embed_model', 'e')");
  db_.rows(
      "CREATE TABLE questions AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12) SELECT "
      "'How many singers are there? ' || i AS question FROM n");
  EXPECT_EQ(db_.value("SELECT count(sql) FROM nl2sql_batch('questions', '{\"method\":\"SQLPROMPT\"}')"), "12");
  EXPECT_EQ(db_.value("SELECT nl2sql('How many singers?', '{\"method\":\"SQLPROMPT+SC\",\"samples\":5}')"),
            "SELECT count(*) FROM singer");
  EXPECT_EQ(db_.value("SELECT count(*) FROM schema_link('names of singers', 3)"), "3");
}

TEST_F(SingleThread, QueriesHaveDeadlines) {
  db_.value("SELECT trustsql_config('timeout_ms', 200)");
  const std::string endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
  EXPECT_EQ(db_.value("SELECT rs_case('SELECT 1', '" + endless + "')"), "III");
  EXPECT_NE(db_.error("SELECT sql_ex('" + endless + "', 'SELECT 1')").find("timeout_ms = 200"), std::string::npos);
}

}  // namespace
}  // namespace trustsql

int main(int count, char** arguments) {
  testing::InitGoogleTest(&count, arguments);
  if (sqlite3_config(SQLITE_CONFIG_SINGLETHREAD) != SQLITE_OK) return 2;
  return RUN_ALL_TESTS();
}
