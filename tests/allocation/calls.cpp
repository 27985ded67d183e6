#include "allocation/calls.hpp"

#include <sqlite3.h>

#include <cstdlib>
#include <map>
#include <string_view>

#include "ext/registry.hpp"
#include "unit/ext/support.hpp"

namespace allocation_test {

namespace {

using trustsql::ext::EntryPoint;
using trustsql::ext::testing_support::example_database;

// Paths that the examples do not take: threads, files, compound queries, refutations.
struct Deeper {
  std::string_view name;
  std::string_view sql;
};
constexpr Deeper deeper_calls[] = {
    {"rs_report", "SELECT * FROM rs_report('predictions', '{\"bootstrap\":20}')"},
    {"rs_score", "SELECT system, rs_score(gold, pred, 10) FROM predictions GROUP BY system"},
    {"rs_diff", "SELECT * FROM rs_diff('predictions', '{\"bootstrap\":20}')"},
    {"rs_html", "SELECT length(rs_html('predictions', '{\"bootstrap\":20}')) > 0"},
    {"nl2sql_batch",
     "SELECT count(*) FROM nl2sql_batch('SELECT value AS question FROM json_each(''[1,2,3,4]'')', "
     "'{\"method\":\"ABSTAIN-ALL\",\"concurrency\":3}')"},
    {"sql_equivalent",
     "SELECT sql_equivalent('SELECT name FROM singer WHERE age > 30', 'SELECT name FROM singer WHERE age >= 30')"},
    {"sql_compare",
     "SELECT verdict FROM sql_compare('SELECT country, count(*) FROM singer GROUP BY country', "
     "'SELECT s.country, count(*) FROM singer AS s GROUP BY s.country')"},
    {"sql_columns", "SELECT * FROM sql_columns('SELECT name FROM versions')"},
    {"sql_check", "SELECT sql_check('SELECT nam FROM singer JOIN trustsql_functions USING (name)')"},
    {"sql_similarity",
     "SELECT sql_similarity('SELECT 1', 'SELECT 2', 'crystalbleu', '{\"corpus\":\"SELECT gold AS sql FROM "
     "predictions\"}')"},
    {"schema_link", "SELECT tbl, col FROM schema_link('singers by country', 3)"},
    {"trustsql_config", "SELECT trustsql_config('llm_url', 'https://user:key@host.example/v1?key=1&api-version=2')"},
    {"maxprob", "SELECT maxprob('[' || group_concat(-0.5) || ']') FROM generate"},
};

void make_file(const std::string& path) {
  sqlite3* db = nullptr;
  const bool is_ready = sqlite3_open(path.c_str(), &db) == SQLITE_OK &&
                        sqlite3_exec(db, example_database().c_str(), nullptr, nullptr, nullptr) == SQLITE_OK;
  sqlite3_close(db);
  if (!is_ready) std::abort();
}

}  // namespace

std::vector<Call> all_calls(const std::string& folder) {
  const std::string file = folder + "/examples.db";
  make_file(file);
  const std::string temp =
      "CREATE TEMP VIEW versions AS SELECT trustsql_version() AS name;"
      "CREATE TEMP TABLE generate AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) "
      "SELECT i FROM n;";
  std::map<std::string_view, std::string> examples;
  std::vector<Call> calls = {{.name = "load", .sql = {}, .setup = {}, .loads = true}};
  for (const auto* spec : trustsql::ext::functions_of(EntryPoint::full)) {
    const std::string example(spec->example.substr(0, spec->example.find("-- ")));
    calls.push_back({.name = std::string(spec->name), .sql = example, .setup = example_database()});
    examples[spec->name] = example;
    calls.back().before = examples[trustsql::ext::testing_support::writer_for_example(spec->name)];
  }
  for (const auto& call : deeper_calls) {
    calls.push_back({.name = std::string(call.name), .sql = std::string(call.sql), .setup = example_database() + temp});
    calls.push_back({.name = std::string(call.name), .sql = std::string(call.sql), .setup = temp, .file = file});
  }
  return calls;
}

}  // namespace allocation_test
