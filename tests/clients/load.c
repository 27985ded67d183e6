/*
** A C program that loads the module, as any host does: again and again, in several connections at once, through every
** entry point. The module must survive the connection that loaded it first.
*/
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;

static sqlite3 *open_with(const char *module, const char *entry_point){
  sqlite3 *db = NULL;
  char *message = NULL;
  if( sqlite3_open(":memory:", &db)!=SQLITE_OK
   || sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 1, (int*)0)!=SQLITE_OK
   || sqlite3_load_extension(db, module, entry_point, &message)!=SQLITE_OK ){
    fprintf(stderr, "failed: loading %s: %s\n", entry_point ? entry_point : "by name", message ? message : "");
    sqlite3_free(message);
    ++failures;
  }
  return db;
}

static void expect(sqlite3 *db, const char *sql, const char *expected){
  sqlite3_stmt *statement = NULL;
  const char *actual = NULL;
  if( sqlite3_prepare_v2(db, sql, -1, &statement, NULL)==SQLITE_OK && sqlite3_step(statement)==SQLITE_ROW ){
    actual = (const char*)sqlite3_column_text(statement, 0);
  }
  if( actual==NULL || strcmp(actual, expected)!=0 ){
    fprintf(stderr, "failed: %s\n  expected %s\n  got      %s\n", sql, expected, actual ? actual : sqlite3_errmsg(db));
    ++failures;
  }
  sqlite3_finalize(statement);
}

static void close_database(sqlite3 *db){
  if( sqlite3_close(db)!=SQLITE_OK ){
    fprintf(stderr, "failed: sqlite3_close: %s\n", sqlite3_errmsg(db));
    ++failures;
  }
}

int main(int count, char **arguments){
  static const char *const entry_points[] = {NULL, "sqlite3_trustsql_init", "sqlite3_trustsql_offline_init", "sqlite3_trustsql_pure_init"};
  sqlite3 *first, *second;
  int i;
  if( count!=2 ){
    fprintf(stderr, "usage: load trustsql.so\n");
    return EXIT_FAILURE;
  }
  for(i=0; i<100; i++){
    sqlite3 *db = open_with(arguments[1], entry_points[i%4]);
    expect(db, "SELECT json_extract(trustsql_debug(), '$.static')", "0");
    /* Private connections and threads of the extension, which end when the connection is closed. */
    if( i%4!=3 ){
      expect(db, "WITH n(i) AS (VALUES (1), (2), (3), (4)) SELECT rs_score('SELECT ' || i, 'SELECT ' || (i + i % 2), 1) FROM n", "0.0");
    }
    close_database(db);
  }
  first = open_with(arguments[1], NULL);
  second = open_with(arguments[1], "sqlite3_trustsql_pure_init");
  close_database(first);
  expect(second, "SELECT trustsql_version() <> ''", "1");

  /* Loading it a second time into one connection registers the functions again. */
  if( sqlite3_load_extension(second, arguments[1], NULL, NULL)!=SQLITE_OK ) ++failures;
  expect(second, "SELECT trustsql_config('timeout_ms', 5)", "5");
  close_database(second);
  if( sqlite3_memory_used()!=0 ) ++failures;
  printf(failures==0 ? "ok\n" : "failed\n");
  return failures==0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
