// Replacements of SQLite functions that can take quadratic time within one instruction, where no deadline reaches
// (the progress handler runs between instructions): instr, replace, and trim, ltrim, rtrim with two arguments.
//
// The results are SQLite's own, in linear time. unhex(X,Y) (3.41) fails instead: its second argument makes it quadratic.
#pragma once

#include <string_view>

#include "base/result.hpp"
#include "db/sqlite_api.hpp"

namespace trustsql {

// Whether `name` with `arity` arguments is one of them.
bool is_replacement(std::string_view name, int arity);

// Registers the replacements with the private connection `db`. Error: as sqlite_error() describes it.
Status replace_quadratic_functions(sqlite3* db);

}  // namespace trustsql
