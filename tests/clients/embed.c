/*
** A C program with the extension linked in: sqlite3_auto_extension(), and entry points called directly.
** Also what keeps include/trustsql/trustsql.h plain C.
*/
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <trustsql/trustsql.h>

static int failures = 0;

static void check(int condition, const char *expectation){
  if( !condition ){
    fprintf(stderr, "failed: %s\n", expectation);
    ++failures;
  }
}

/* The first value that `sql` returns, or the message of its error; to be freed. */
static char *value_of(sqlite3 *db, const char *sql){
  sqlite3_stmt *statement = NULL;
  char *value;
  if( sqlite3_prepare_v2(db, sql, -1, &statement, NULL)==SQLITE_OK && sqlite3_step(statement)==SQLITE_ROW ){
    value = sqlite3_mprintf("%s", sqlite3_column_text(statement, 0));
  }else{
    value = sqlite3_mprintf("%s", sqlite3_errmsg(db));
  }
  sqlite3_finalize(statement);
  return value;
}

static void expect(sqlite3 *db, const char *sql, const char *expected){
  char *actual = value_of(db, sql);
  if( strcmp(actual, expected)!=0 ){
    fprintf(stderr, "failed: %s\n  expected %s\n  got      %s\n", sql, expected, actual);
    ++failures;
  }
  sqlite3_free(actual);
}

static sqlite3 *open_memory(void){
  sqlite3 *db = NULL;
  check(sqlite3_open(":memory:", &db)==SQLITE_OK, "sqlite3_open");
  return db;
}

int main(void){
  sqlite3 *db;
  char *message = NULL;

  db = open_memory();
  expect(db, "SELECT trustsql_version()", "no such function: trustsql_version");
  check(sqlite3_trustsql_init(db, &message, NULL)==SQLITE_OK, "sqlite3_trustsql_init");
  check(message==NULL, "no message");
  expect(db, "SELECT trustsql_version() <> ''", "1");
  expect(db, "SELECT json_extract(trustsql_debug(), '$.static')", "1");
  expect(db, "SELECT sql_ex('SELECT 1, 2', 'SELECT 2, 1')", "1");
  expect(db, "SELECT sql_ex('SELECT nowhere', 'SELECT 1')", "sql_ex: the gold query 'SELECT nowhere' failed: no such column: nowhere");
  check(sqlite3_close(db)==SQLITE_OK, "sqlite3_close");

  db = open_memory();
  check(sqlite3_trustsql_offline_init(db, NULL, NULL)==SQLITE_OK, "sqlite3_trustsql_offline_init");
  expect(db, "SELECT trustsql_version() <> ''", "1");
  check(sqlite3_close(db)==SQLITE_OK, "sqlite3_close");

  check(sqlite3_auto_extension((void (*)(void))sqlite3_trustsql_pure_init)==SQLITE_OK, "sqlite3_auto_extension");
  db = open_memory();
  expect(db, "SELECT trustsql_version() <> ''", "1");
  expect(db, "SELECT rs_phi('I', 10)", "1.0");
  expect(db, "SELECT sql_ex('SELECT 1', 'SELECT 1')", "no such function: sql_ex");
  check(sqlite3_close(db)==SQLITE_OK, "sqlite3_close");
  sqlite3_reset_auto_extension();

  /* A setting that does not make sense is an error that names it, with or without a place for the message. */
  setenv("TRUSTSQL_TIMEOUT_MS", "soon", 1);
  db = open_memory();
  check(sqlite3_trustsql_init(db, &message, NULL)==SQLITE_ERROR, "a wrong setting is an error");
  check(message!=NULL && strstr(message, "TRUSTSQL_TIMEOUT_MS")!=NULL, "which names the variable");
  sqlite3_free(message);
  check(sqlite3_trustsql_init(db, NULL, NULL)==SQLITE_ERROR, "a wrong setting is an error, without a message");
  check(sqlite3_close(db)==SQLITE_OK, "sqlite3_close");

  check(sqlite3_memory_used()==0, "all memory was freed");
  if( failures==0 ) printf("ok\n");
  return failures==0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
