// What a query in the sandbox may call: SQLite's own functions, by name, and a few pragmas and virtual tables.
#pragma once

#include <optional>
#include <string_view>

namespace trustsql {

// Whether the SQL function `name` (any case) may be called in the sandbox, and what one call costs: 0 if its time does
// not depend on the length of a text (or on nothing else), 1 if it produces or reads a text once, 4 if it may read a
// text many times, more if it takes proportionally longer for each byte. nullopt if it may not be called.
std::optional<int> function_cost(std::string_view name);

// Whether a function `name` that was registered with a private connection (rather than being in the table that all
// connections share) replaces an allowed built-in function of SQLite. Auto-extensions of the host can register such
// functions: they run in private connections too.
bool is_replaced_builtin(std::string_view name);

// Whether the pragma `name` may run inside a SELECT (SELECT ... FROM pragma_table_info('t')).
bool is_allowed_pragma(std::string_view name, bool has_argument);

// The names of the virtual-table modules that stay registered with a private connection, terminated by nullptr, as
// sqlite3_drop_modules expects them.
const char* const* allowed_modules();
bool is_allowed_module(std::string_view name);

}  // namespace trustsql
