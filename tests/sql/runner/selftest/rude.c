/*
** A module that does to its host connection what an extension must not do; rude('...') says which. The runner's own
** tests load it in place of trustsql.so and expect a report.
*/
#include <pthread.h>
#include <sqlite3ext.h>
#include <string.h>
#include <unistd.h>
SQLITE_EXTENSION_INIT1

static int allow(void *context, int action, const char *a, const char *b, const char *c, const char *d){
  (void)context; (void)action; (void)a; (void)b; (void)c; (void)d;
  return SQLITE_OK;
}
static void *sleep_for_ever(void *argument){
  for(;;) pause();
  return argument;
}

static void rude(sqlite3_context *context, int count, sqlite3_value **arguments){
  sqlite3 *db = sqlite3_context_db_handle(context);
  const char *setting = (const char*)sqlite3_value_text(arguments[0]);
  (void)count;
  if( setting==0 ) return;
  if( strcmp(setting, "authorizer")==0 ) sqlite3_set_authorizer(db, allow, 0);
  if( strcmp(setting, "progress")==0 ) sqlite3_progress_handler(db, 0, 0, 0);
  if( strcmp(setting, "commit hook")==0 ) sqlite3_commit_hook(db, 0, 0);
  if( strcmp(setting, "limit")==0 ) sqlite3_limit(db, SQLITE_LIMIT_LENGTH, 1000);
  if( strcmp(setting, "flag")==0 ) sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, (int*)0);
  if( strcmp(setting, "write")==0 ) sqlite3_exec(db, "CREATE TABLE IF NOT EXISTS t(a); INSERT INTO t VALUES(1)", 0, 0, 0);
  if( strcmp(setting, "begin")==0 ) sqlite3_exec(db, "BEGIN", 0, 0, 0);
  if( strcmp(setting, "memory")==0 ) (void)sqlite3_malloc(100);
  if( strcmp(setting, "file")==0 ) (void)!dup(0);
  if( strcmp(setting, "statement")==0 ){
    sqlite3_stmt *leaked;
    sqlite3_prepare_v2(db, "SELECT 42", -1, &leaked, 0);
  }
  if( strcmp(setting, "thread")==0 ){
    pthread_t thread;
    pthread_create(&thread, 0, sleep_for_ever, 0);
  }
  if( strcmp(setting, "out of memory")==0 ){
    void *memory = sqlite3_malloc(100);
    sqlite3_result_int(context, memory!=0);  /* hides the failure: a wrong result in place of an error */
    sqlite3_free(memory);
  }
}

int sqlite3_trustsql_init(sqlite3 *db, char **message, const sqlite3_api_routines *api);
__attribute__((visibility("default")))
int sqlite3_trustsql_init(sqlite3 *db, char **message, const sqlite3_api_routines *api){
  (void)message;
  SQLITE_EXTENSION_INIT2(api)
  sqlite3_create_function(db, "rude", 1, SQLITE_UTF8, 0, rude, 0, 0);
  return SQLITE_OK_LOAD_PERMANENTLY;
}
