// The JSON form of a syntax tree, for sql_parse() and for other programs that read a tree.
//
// A node is an object: "type" is its name in ast.hpp (an Expr is the node that it holds), the other keys are its
// fields, in the order of the text. Names are given without quotes; a quoted name has an additional key, such as
// "column_quote": "double_quotes". Fields that are absent, empty or false are left out.
#pragma once

#include <string>

#include "base/result.hpp"
#include "sql/ast.hpp"

namespace trustsql {

// Error (invalid_argument): a name or string that is not valid UTF-8, which JSON cannot represent.
Result<std::string> to_json(const ast::Query& query);

}  // namespace trustsql
