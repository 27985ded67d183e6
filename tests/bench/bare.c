// What SQLite itself needs: for every line the gold query and the prediction are prepared and stepped to the end, on
// one open connection per database. Nothing is compared, no value is read. Prints the seconds of the best of several
// rounds.
//
//   bare LINES ROUNDS

#include <sqlite3.h>

#include "lines.h"

typedef struct Connection {
  const char* path;
  sqlite3* db;
} Connection;

static sqlite3* connection_to(Connection* connections, size_t* count, const char* path) {
  for (size_t i = 0; i < *count; ++i)
    if (strcmp(connections[i].path, path) == 0) return connections[i].db;
  sqlite3* db = NULL;
  if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK) {
    fprintf(stderr, "cannot open %s\n", path);
    exit(1);
  }
  sqlite3_exec(db, "SELECT count(*) FROM sqlite_schema", NULL, NULL, NULL);  // reads the schema
  connections[*count].path = path;
  connections[(*count)++].db = db;
  return db;
}

static long long run(sqlite3* db, const char* sql) {
  sqlite3_stmt* statement = NULL;
  long long rows = 0;
  if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK)
    while (sqlite3_step(statement) == SQLITE_ROW) ++rows;
  sqlite3_finalize(statement);
  return rows;
}

int main(int argc, char** argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: bare LINES ROUNDS\n");
    return 1;
  }
  const Lines lines = read_lines(argv[1]);
  Connection* connections = (Connection*)calloc(lines.count + 1, sizeof(Connection));
  size_t connection_count = 0;
  Times best = {1e30, 1e30};
  long long rows = 0;
  for (int round = atoi(argv[2]); round >= 0; --round) {  // one more: the first warms up
    rows = 0;
    const Times start = times_now();
    for (size_t i = 0; i < lines.count; ++i) {
      sqlite3* db = connection_to(connections, &connection_count, lines.items[i].database);
      rows += run(db, lines.items[i].gold);
      rows += run(db, lines.items[i].prediction);
    }
    keep_best(&best, start);
  }
  printf("{\"lines\": %zu, \"rows\": %lld, \"seconds\": %.6f, \"cpu\": %.6f}\n", lines.count, rows, best.wall, best.cpu);
  return 0;
}
