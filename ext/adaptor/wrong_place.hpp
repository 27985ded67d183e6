// What stands in for a function in a place where it does not belong: a table-valued function called as a scalar one, a
// scalar or aggregate function in FROM. SQLite would only say that there is no such function, or no such table.
#pragma once

#include "ext/adaptor/function.hpp"

namespace trustsql::ext {

// Registers on `db` a scalar function of the name of the table-valued function `spec`, or an eponymous table of the
// name of the scalar or aggregate function `spec`, each of which fails with a message that says how the function is
// called. There is no such table for a name that users may give to tables of their own (`embed`): without the table,
// PRAGMA table_info and the like would report the message rather than that there is none. Returns a result code of
// SQLite.
int register_wrong_place(sqlite3* db, const FunctionSpec& spec);

// Removes what register_wrong_place() registered.
void remove_wrong_place(sqlite3* db, const FunctionSpec& spec);

// Whether `name` is registered by register_wrong_place() alone, as a scalar function or as a table.
bool is_wrong_place(const FunctionSpec& spec, std::string_view name, bool as_table);

}  // namespace trustsql::ext
