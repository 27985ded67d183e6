/* The calls from C, which loads the module. usage: client module database calls */
#include <sqlite3.h>

#include "client_c.h"

int main(int count, char **arguments){
  sqlite3 *db = NULL;
  char *message = NULL;
  if( count!=4 || sqlite3_open(arguments[2], &db)!=SQLITE_OK ) return 1;
  sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 1, (int*)0);
  if( sqlite3_load_extension(db, arguments[1], NULL, &message)!=SQLITE_OK ){
    fprintf(stderr, "%s\n", message);
    return 1;
  }
  return run_calls(db, arguments[3]);
}
