/* What the C and the C++ client share: running the calls on a connection. Include after <sqlite3.h>. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static void *interrupt_soon(void *db){
  const struct timespec pause = {0, 500 * 1000 * 1000};
  nanosleep(&pause, NULL);
  sqlite3_interrupt((sqlite3*)db);
  return NULL;
}

/* Runs each line "name<TAB>sql" of a file and prints "name<TAB>result". */
static int run_calls(sqlite3 *db, const char *path){
  static char line[20000];
  FILE *calls = fopen(path, "r");
  if( calls==NULL ) return 1;
  while( fgets(line, sizeof(line), calls) ){
    char *sql = strchr(line, '\t');
    sqlite3_stmt *statement = NULL;
    pthread_t thread;
    int interrupts;
    line[strcspn(line, "\n")] = 0;
    if( sql==NULL ) continue;
    *sql++ = 0;
    interrupts = strcmp(line, "interrupt")==0 && pthread_create(&thread, NULL, interrupt_soon, db)==0;
    if( sqlite3_prepare_v2(db, sql, -1, &statement, NULL)==SQLITE_OK && sqlite3_step(statement)==SQLITE_ROW ){
      printf("%s\t%s\n", line, (const char*)sqlite3_column_text(statement, 0));
    }else{
      printf("%s\terror: %s\n", line, sqlite3_errmsg(db));
    }
    sqlite3_finalize(statement);
    if( interrupts ) pthread_join(thread, NULL);
  }
  fclose(calls);
  return sqlite3_close(db)!=SQLITE_OK;
}
