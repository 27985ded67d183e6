// Replacements for SQLite functions that can run for a long time within one VDBE instruction, during which no deadline
// is enforced (the progress handler runs between instructions). They return the same results as SQLite's functions.
//
//   instr, replace, trim, ltrim, rtrim (with two arguments)   linear instead of quadratic
//   like, glob                                                as slow as SQLite's at worst, but they look at the clock.
//   The planner does
//                                                             not use an index for them
//                                                             (https://sqlite.org/optoverview.html#like_opt)
//   printf, format                                            SQLite's own, with what makes it slow and does not show
//   in the result left
//                                                             out (base/printf_bounds.hpp); an error where a format has
//                                                             too many conversions or the arguments are four times as
//                                                             long as a text may be
//   json_set, json_insert (jsonb_ too)                        SQLite's own; an error where a path has more than 2000
//   steps, for which it
//                                                             overflows the stack
//   unhex(X, Y) (3.41)                                        fails: its second argument makes it quadratic
#pragma once

#include <functional>
#include <string_view>

#include "base/result.hpp"
#include "db/sqlite_api.hpp"

namespace trustsql {

// Whether `name` with `arity` arguments (-1: any number) is one of them.
bool is_replacement(std::string_view name, int arity);

// Registers the replacements with the private connection `db`. `must_stop` is asked now and then in the thread that
// runs a query, as long as the connection is open: once it returns true the call under way ends with SQLITE_INTERRUPT.
// May be empty. Error: as sqlite_error() describes it.
Status replace_slow_functions(sqlite3* db, std::function<bool()> must_stop);

}  // namespace trustsql
