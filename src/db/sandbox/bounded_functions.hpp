// Replacements for SQLite functions that can run for a long time within one VDBE instruction, during which no deadline
// is enforced (the progress handler runs between instructions). They return the same results as SQLite's functions.
//
//   instr, replace, trim, ltrim, rtrim (with two arguments)   linear instead of quadratic
//   like, glob                                                as slow as SQLite's in the worst case, but they check the
//                                                             deadline. The planner does not use an index for them
//                                                             (https://sqlite.org/optoverview.html#like_opt)
//   printf, format                                            call SQLite's own, after removing from the format what
//                                                             is slow and does not show in the result
//                                                             (base/printf_bounds.hpp); an error if the format has too
//                                                             many conversions or the arguments are more than four
//                                                             times as long as a text may be
//   json_set, json_insert (jsonb_ too)                        call SQLite's own; an error if a path has more than 2000
//                                                             steps, with which SQLite overflows the stack
//   unhex(X, Y) (3.41)                                        fails: its second argument makes it quadratic
#pragma once

#include <functional>
#include <string_view>

#include "base/result.hpp"
#include "db/sqlite/sqlite_api.hpp"

namespace trustsql {

// Which function a query's LIKE and GLOB call.
enum class LikeFunction {
  bounded,   // the replacement
  of_sqlite  // SQLite's own, which may look up patterns in an index
};

// Whether `name` with `arity` arguments (-1: any number) is one of the replacements.
bool is_replacement(std::string_view name, int arity);

// Registers the replacements with the private connection `db`; those of like and glob only if `like` says so.
// `must_stop` is called from time to time in the thread that runs a query, as long as the connection is open: once it
// returns true the current function call ends with SQLITE_INTERRUPT. It may be empty. Error: as sqlite_error()
// describes it.
Status replace_slow_functions(sqlite3* db, LikeFunction like, std::function<bool()> must_stop);

}  // namespace trustsql
