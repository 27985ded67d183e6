// Reads a query as a Tree: what the parser learns from.
#pragma once

#include <optional>

#include "semparse/database/domain.hpp"
#include "semparse/tree/tree.hpp"
#include "sql/ast.hpp"

namespace trustsql::semparse {

// The tree of `query`; nullopt if it uses something that trees do not have, or names that the domain does not have. The
// tree says the same as the query where its joins follow the domain's edges; whether they do is not looked at.
std::optional<Tree> tree_of(const Domain& domain, const ast::Query& query);

}  // namespace trustsql::semparse
