// The calls from C++, with the static library. usage: client module database calls (the module is not used)
#include <sqlite3.h>
#include <trustsql/trustsql.h>

#include "client_c.h"

int main(int count, char** arguments) {
  sqlite3_auto_extension(reinterpret_cast<void (*)()>(sqlite3_trustsql_init));
  sqlite3* db = nullptr;
  if (count != 4 || sqlite3_open(arguments[2], &db) != SQLITE_OK) return 1;
  return run_calls(db, arguments[3]);
}
