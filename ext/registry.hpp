// All functions of the extension: the registration tables of the families, in the order in which the documentation
// has them. A new family is a file with a table and a line here and in registry.cpp.
#pragma once

#include <span>
#include <vector>

#include "ext/adaptor/function.hpp"

namespace trustsql::ext {

std::span<const FunctionSpec> trustsql_functions();

// Every function that `entry_point` registers.
std::vector<const FunctionSpec*> functions_of(EntryPoint entry_point);

// Registers them on `db`. On failure returns SQLite's code.
int register_all(sqlite3* db, const std::shared_ptr<Session>& session);

}  // namespace trustsql::ext
