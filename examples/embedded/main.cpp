// A program with trustsql linked in: answers a question about a database, or says why it does not.
//
//   ask music.db 'How many singers are there?'
//
// Exit codes: 0 an answer, 1 it abstains, 2 an error.

#include <sqlite3.h>
#include <trustsql/trustsql.h>

#include <cstdio>
#include <memory>
#include <string>

namespace {

constexpr int abstained = 1;
constexpr int failed = 2;

struct Close {
  void operator()(sqlite3* db) const { sqlite3_close(db); }
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Database = std::unique_ptr<sqlite3, Close>;
using Statement = std::unique_ptr<sqlite3_stmt, Close>;

Database open(const char* path) {
  sqlite3* db = nullptr;
  const int code = sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, nullptr);
  Database opened(db);
  if (code == SQLITE_OK) return opened;
  std::fprintf(stderr, "ask: cannot open %s: %s\n", path, db == nullptr ? "no memory" : sqlite3_errmsg(db));
  return nullptr;
}

Statement prepare(sqlite3* db, const std::string& sql) {
  sqlite3_stmt* statement = nullptr;
  sqlite3_prepare_v2(db, sql.c_str(), -1, &statement, nullptr);
  return Statement(statement);
}

std::string text(sqlite3_stmt* statement, int column) {
  const auto* value = sqlite3_column_text(statement, column);
  return value == nullptr ? std::string() : reinterpret_cast<const char*>(value);
}

int fail(sqlite3* db) {
  std::fprintf(stderr, "ask: %s\n", sqlite3_errmsg(db));
  return failed;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: ask database question\n");
    return failed;
  }
  // Every connection that is opened from now on has the functions; "offline": none that reach a network.
  sqlite3_auto_extension(reinterpret_cast<void (*)()>(sqlite3_trustsql_offline_init));
  const Database db = open(argv[1]);
  if (db == nullptr) return failed;

  const Statement ask = prepare(db.get(), R"sql(
      SELECT sql, reason, suggestion, rows, printf('%.2f', confidence) FROM nl2sql_ask(?1, '{"threshold":0.5}'))sql");
  if (ask == nullptr) return fail(db.get());
  sqlite3_bind_text(ask.get(), 1, argv[2], -1, SQLITE_STATIC);
  if (sqlite3_step(ask.get()) != SQLITE_ROW) return fail(db.get());
  if (sqlite3_column_type(ask.get(), 0) == SQLITE_NULL) {
    std::printf("no answer: %s\n%s\n", text(ask.get(), 1).c_str(), text(ask.get(), 2).c_str());
    return abstained;
  }
  std::printf("%s\n%s (confidence %s)\n", text(ask.get(), 3).c_str(), text(ask.get(), 0).c_str(),
              text(ask.get(), 4).c_str());
  return 0;
}
