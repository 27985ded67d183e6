#include "db/sqlite/nested_writes.hpp"

#include <gtest/gtest.h>

#include "trustsql/trustsql.h"
#include "unit/db/support.hpp"
#include "unit/ext/support.hpp"

namespace trustsql {
namespace {

// The default VFS under the name that one of dqlite's has.
class DqliteVfs {
 public:
  DqliteVfs() : vfs_(*sqlite3_vfs_find(nullptr)) {
    vfs_.zName = "dqlite-1";
    sqlite3_vfs_register(&vfs_, 0);
  }
  ~DqliteVfs() { sqlite3_vfs_unregister(&vfs_); }
  DqliteVfs(const DqliteVfs&) = delete;
  DqliteVfs& operator=(const DqliteVfs&) = delete;

 private:
  sqlite3_vfs vfs_;
};

TEST(NestedWrites, AreRefusedWhereTheyWouldEndTheProcess) {
  const DqliteVfs vfs;
  const test::TempDir folder;
  sqlite3* db = nullptr;
  const auto path = folder.path() / "main.db";
  ASSERT_EQ(sqlite3_open_v2(path.c_str(), &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, "dqlite-1"), SQLITE_OK);
  ASSERT_EQ(sqlite3_trustsql_init(db, nullptr, nullptr), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(db, "CREATE TABLE t(a)", nullptr, nullptr, nullptr), SQLITE_OK);
  char* message = nullptr;
  EXPECT_NE(sqlite3_exec(db, "SELECT nl2sql_learn('How many?', 'SELECT count(*) FROM t')", nullptr, nullptr, &message),
            SQLITE_OK);
  EXPECT_STREQ(message,
               "nl2sql_learn: this database is replicated by dqlite, where a SELECT must not write; INSERT the example "
               "into the table trustsql_examples(question, sql) instead");
  sqlite3_free(message);
  EXPECT_EQ(sqlite3_exec(db, "SELECT * FROM trustsql_examples", nullptr, nullptr, nullptr), SQLITE_ERROR);
  sqlite3_close(db);
}

TEST(NestedWrites, AreAllowedElsewhere) {
  ext::testing_support::Database db;
  EXPECT_TRUE(check_nested_write(db.handle(), "main", "").ok());
}

}  // namespace
}  // namespace trustsql
