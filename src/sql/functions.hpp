// Groups of SQLite's built-in functions, by name (https://sqlite.org/lang_corefunc.html, lang_aggfunc.html).
#pragma once

#include "sql/ast.hpp"

namespace trustsql {

// Whether the call aggregates rows: one of SQLite's aggregate functions that is no window function here. min and max do
// with one argument only; with more they are scalar.
bool is_aggregate_call(const ast::Call& call);

// Whether it is one of the core functions that take texts apart or make them: substr, upper, replace, printf ...
bool is_text_function(const ast::Name& name);

}  // namespace trustsql
