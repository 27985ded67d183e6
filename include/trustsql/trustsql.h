/*
** trustsql: trustworthy text-to-SQL inside SQLite.
**
** For applications that link the static library. Call
**
**   sqlite3_auto_extension((void (*)(void))sqlite3_trustsql_init);
**
** once before connections are opened, and every connection of the process will have the functions; or call an entry
** point on a single connection after opening it:
**
**   char *message = NULL;
**   if( sqlite3_trustsql_init(db, &message, NULL)!=SQLITE_OK ){ ...; sqlite3_free(message); }
**
** The loadable module trustsql.so has the same three entry points:
**
**   SELECT load_extension('trustsql');                                   -- sqlite3_trustsql_init
**   SELECT load_extension('trustsql', 'sqlite3_trustsql_pure_init');
*/
#ifndef TRUSTSQL_H
#define TRUSTSQL_H

#ifdef __cplusplus
extern "C" {
#endif

struct sqlite3;
struct sqlite3_api_routines;

/*
** Registers the functions on connection `db`. `api` is NULL when called directly. On failure returns a SQLite error
** code and, if `message` is not NULL, sets *message to a text that the caller frees with sqlite3_free().
*/

/* All functions. */
int sqlite3_trustsql_init(struct sqlite3* db, char** message, const struct sqlite3_api_routines* api);

/* All functions that need no network. */
int sqlite3_trustsql_offline_init(struct sqlite3* db, char** message, const struct sqlite3_api_routines* api);

/* Only functions that depend on their arguments alone: no network, no files, no SQL run on the data of the connection.
 */
int sqlite3_trustsql_pure_init(struct sqlite3* db, char** message, const struct sqlite3_api_routines* api);

#ifdef __cplusplus
}
#endif

#endif
