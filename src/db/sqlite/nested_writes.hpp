// Whether a function may write to the host's database while the host runs a statement that reads.
#pragma once

#include <string_view>

#include "base/result.hpp"

struct sqlite3;

namespace trustsql {

// dqlite sends what a statement has written to the other nodes when the statement ends, and for a SELECT it does not
// look: a write from within one breaks its assumptions, and its process ends (an assertion in its VFS). Such a database
// is known by the name of its VFS, "dqlite-" and a number. `instead`: what the user can do, for the message. Error
// (not_allowed).
Status check_nested_write(sqlite3* host, const char* schema, std::string_view instead);

}  // namespace trustsql
