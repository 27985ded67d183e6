// The names of the node types of the syntax tree, for representations that identify them by name.
#pragma once

#include <string_view>

#include "sql/ast.hpp"

namespace trustsql {

// clang-format off
template <class T> inline constexpr std::string_view node_type = {};
#define TRUSTSQL_NODE_TYPE(T) template <> inline constexpr std::string_view node_type<ast::T> = #T;
TRUSTSQL_NODE_TYPE(Literal) TRUSTSQL_NODE_TYPE(ColumnRef) TRUSTSQL_NODE_TYPE(Parameter) TRUSTSQL_NODE_TYPE(Unary) TRUSTSQL_NODE_TYPE(Binary)
TRUSTSQL_NODE_TYPE(IsNull) TRUSTSQL_NODE_TYPE(Between) TRUSTSQL_NODE_TYPE(Like) TRUSTSQL_NODE_TYPE(TableName) TRUSTSQL_NODE_TYPE(TableFunction)
TRUSTSQL_NODE_TYPE(In) TRUSTSQL_NODE_TYPE(When) TRUSTSQL_NODE_TYPE(Case) TRUSTSQL_NODE_TYPE(Cast) TRUSTSQL_NODE_TYPE(Collate)
TRUSTSQL_NODE_TYPE(FrameBound) TRUSTSQL_NODE_TYPE(Frame) TRUSTSQL_NODE_TYPE(Window) TRUSTSQL_NODE_TYPE(Call) TRUSTSQL_NODE_TYPE(Subquery)
TRUSTSQL_NODE_TYPE(Exists) TRUSTSQL_NODE_TYPE(Row) TRUSTSQL_NODE_TYPE(OrderTerm) TRUSTSQL_NODE_TYPE(IndexHint) TRUSTSQL_NODE_TYPE(Table)
TRUSTSQL_NODE_TYPE(DerivedTable) TRUSTSQL_NODE_TYPE(JoinGroup) TRUSTSQL_NODE_TYPE(FromItem) TRUSTSQL_NODE_TYPE(Star) TRUSTSQL_NODE_TYPE(SelectItem)
TRUSTSQL_NODE_TYPE(NamedWindow) TRUSTSQL_NODE_TYPE(Select) TRUSTSQL_NODE_TYPE(Values) TRUSTSQL_NODE_TYPE(Arm) TRUSTSQL_NODE_TYPE(CommonTable)
TRUSTSQL_NODE_TYPE(With) TRUSTSQL_NODE_TYPE(Query)
#undef TRUSTSQL_NODE_TYPE
// clang-format on

}  // namespace trustsql
