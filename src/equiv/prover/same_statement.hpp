// Whether two texts are the same statement, written alike or not.
//
// One statement, run twice on one state of a database by one connection, gives one result: SQLite takes the same plan,
// and so the same choice wherever the query leaves one open (ties, bare columns, merged values, undefined types). So
// equal syntax trees need no other proof. What may change a result between two runs is looked for by the refuter
// (query_traits.hpp) and by the checker (checker/same_statement.hpp).
#pragma once

#include "sql/ast.hpp"

namespace trustsql::equiv {

// Whether the trees are equal, and so is whatever a tree leaves out although SQLite sees it: the spelling of "x", which
// may be a string, and the text of an expression, by which a query around it may name a column.
bool is_same_statement(const ast::Query& a, const ast::Query& b);

// Whether the trees have equally many nodes, as those of the same statement with other names have.
bool has_same_size(const ast::Query& a, const ast::Query& b);

}  // namespace trustsql::equiv
