// A host whose SQLite was compiled without some routines: it hands the module a table of routines in which their
// entries are empty. If the extension can do without them, it works, including deadlines; otherwise, there is an error
// when it is loaded.
//
//   trustsql_client_missing_routines trustsql.so

#include <dlfcn.h>
#include <sqlite3ext.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <iostream>
#include <string>

namespace {

using EntryPoint = int (*)(sqlite3*, char**, const sqlite3_api_routines*);

int failures = 0;
sqlite3_api_routines table_of_host;

void expect(bool right, const std::string& expectation) {
  if (right) return;
  ++failures;
  std::cerr << "failed: " << expectation << "\n";
}

// SQLite hands its table to every extension.
int take_table(sqlite3*, char**, const sqlite3_api_routines* api) {
  table_of_host = *api;
  return SQLITE_OK;
}

class Host {
 public:
  Host() { expect(sqlite3_open(":memory:", &db_) == SQLITE_OK, "open"); }
  ~Host() { expect(sqlite3_close(db_) == SQLITE_OK, "close"); }
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  // The message of the failure; empty if it worked.
  std::string load(EntryPoint entry_point, const sqlite3_api_routines& table) {
    char* text = nullptr;
    const int code = entry_point(db_, &text, &table);
    const std::string message = text == nullptr ? "" : text;
    sqlite3_free(text);
    return (code & 0xff) == SQLITE_OK ? "" : "error: " + message;
  }

  std::string value(const char* sql) {
    sqlite3_stmt* statement = nullptr;
    std::string value;
    if (sqlite3_prepare_v2(db_, sql, -1, &statement, nullptr) == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW) {
      const auto* text = sqlite3_column_text(statement, 0);
      value = text == nullptr ? "NULL" : reinterpret_cast<const char*>(text);
    } else {
      value = std::string("error: ") + sqlite3_errmsg(db_);
    }
    sqlite3_finalize(statement);
    return value;
  }

  void expect_value(const char* sql, const std::string& expected) {
    const auto actual = value(sql);
    expect(actual == expected, std::string(sql) + ": " + actual + " instead of " + expected);
  }

  void expect_error(const char* sql, const std::string& part) {
    const auto actual = value(sql);
    expect(actual.starts_with("error: ") && actual.find(part) != std::string::npos,
           std::string(sql) + ": " + actual + " instead of " + part);
  }

 private:
  sqlite3* db_ = nullptr;
};

void try_functions(Host& host) {
  host.value("CREATE TABLE t(a, b)");
  host.value("INSERT INTO t VALUES (1, 'x'), (2, 'y')");
  host.expect_value("SELECT sql_ex('SELECT a FROM t', 'SELECT t.a FROM t')", "1");
  host.expect_value("SELECT sql_equivalent('SELECT a FROM t WHERE a > 1', 'SELECT a FROM t WHERE 1 < a')", "1");
  host.expect_value("SELECT sql_equivalent('SELECT a FROM t', 'SELECT b FROM t')", "0");
  host.expect_value("SELECT count(*) FROM schema_elements()", "2");
  host.expect_value(
      "SELECT group_concat(col) FROM sql_columns('SELECT x FROM u', '{\"schema\":\"CREATE TABLE u(x)\"}')", "x");
  host.expect_value("SELECT count(*) FROM rs_report('SELECT ''SELECT 1'' AS gold, ''SELECT 1'' AS pred')", "2");
  host.expect_value("SELECT count(*) FROM schema_link('a of t', 2)", "2");
}

// Endless work is ended by the deadline: a query, and the creation of a schema.
void try_deadlines(Host& host) {
  using Clock = std::chrono::steady_clock;
  host.expect_value("SELECT trustsql_config('timeout_ms', 300)", "300");
  const auto begin = Clock::now();
  host.expect_error(
      "SELECT sql_ex('WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n', 'SELECT "
      "1')",
      "timeout_ms = 300");
  host.expect_value(
      "SELECT rs_case('SELECT 1', 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) "
      "FROM n')",
      "III");
  host.expect_error(
      "SELECT count(*) FROM sql_columns('SELECT 1', json_object('schema', 'CREATE TABLE u(x); INSERT INTO u WITH "
      "RECURSIVE n(i) AS (SELECT 1 UNION "
      "ALL SELECT i + 1 FROM n) SELECT 1 FROM n WHERE i < 0'))",
      "timeout_ms = 300");
  expect(Clock::now() - begin < std::chrono::seconds(60), "the deadlines hold");
  host.expect_value("SELECT sql_ex('SELECT a FROM t', 'SELECT t.a FROM t')", "1");
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return 2;
  void* module = dlopen(arguments[1], RTLD_NOW);
  if (module == nullptr) {
    std::cerr << dlerror() << "\n";
    return 2;
  }
  const auto full = reinterpret_cast<EntryPoint>(dlsym(module, "sqlite3_trustsql_init"));
  const auto pure = reinterpret_cast<EntryPoint>(dlsym(module, "sqlite3_trustsql_pure_init"));
  sqlite3_auto_extension(reinterpret_cast<void (*)()>(take_table));
  { const Host host; }
  sqlite3_reset_auto_extension();

  {
    Host host;
    expect(host.load(full, table_of_host).empty(), "the whole table");
    try_functions(host);
    try_deadlines(host);
  }
  {
    sqlite3_api_routines table = table_of_host;
    table.progress_handler = nullptr;
    Host host;
    expect(host.load(full, table).empty(), "without a progress handler");
    try_functions(host);
    try_deadlines(host);
  }
#if SQLITE_VERSION_NUMBER >= 3039000  // the first whose table has them
  {
    sqlite3_api_routines table = table_of_host;
    table.serialize = nullptr;
    table.deserialize = nullptr;
    table.progress_handler = nullptr;
    Host host;
    expect(host.load(full, table).empty(), "without sqlite3_serialize");
    try_functions(host);
    try_deadlines(host);
  }
#endif
  {
    sqlite3_api_routines table = table_of_host;
    table.progress_handler = nullptr;
    table.xthreadsafe = [] { return 0; };
    Host host;
    expect(host.load(full, table).find("sqlite3_progress_handler") != std::string::npos,
           "neither a progress handler nor threads");
    host.expect_error("SELECT trustsql_version()", "no such function");
    expect(host.load(pure, table).empty(), "pure without a progress handler and threads");
    host.expect_value("SELECT rs_phi('III', 10)", "-10.0");
  }
  {
    sqlite3_api_routines table = table_of_host;
    table.progress_handler = nullptr;
    table.db_mutex = [](sqlite3*) -> sqlite3_mutex* { return nullptr; };  // SQLITE_CONFIG_SINGLETHREAD
    Host host;
    expect(host.load(full, table).empty(), "neither a progress handler nor mutexes");
    host.expect_value("SELECT rs_phi('III', 10)", "-10.0");
    host.expect_error("SELECT sql_ex('SELECT 1', 'SELECT 1')", "the time of a query cannot be limited");
    host.expect_error("SELECT sql_equivalent('SELECT 1', 'SELECT 1', '{\"schema\":\"CREATE TABLE t(a)\"}')",
                      "the time of a query cannot be limited");
    host.expect_error("SELECT * FROM schema_elements('nowhere.db')", "nowhere.db");
  }
  {
    sqlite3_api_routines table = table_of_host;
    table.set_authorizer = nullptr;
    Host host;
    expect(host.load(full, table).find("SQLITE_OMIT_AUTHORIZATION") != std::string::npos, "without an authorizer");
    expect(host.load(pure, table).empty(), "pure without an authorizer");
    host.expect_value("SELECT rs_phi('III', 10)", "-10.0");
  }
  {
    sqlite3_api_routines table = table_of_host;
    table.create_module_v2 = nullptr;
    table.declare_vtab = nullptr;
    table.vtab_config = nullptr;
    Host host;
    expect(host.load(pure, table).find("SQLITE_OMIT_VIRTUALTABLE") != std::string::npos, "without virtual tables");
  }
  if (failures == 0) std::cout << "ok\n";
  return failures == 0 ? 0 : 1;
}
