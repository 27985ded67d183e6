// Queries as trees that are easy to edit at random: small, untyped, printed as SQL.
//
// They are separate from the syntax tree of src/sql on purpose: what the tests generate shares no code with what is
// tested.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace trustsql::families {

enum class Kind : std::uint8_t {
  none,  // an optional part that is missing
  list,  // items, keys
  // queries
  select,  // parts: items, from, where, group, having, order, limit; text: "DISTINCT" or nothing
  set_op,  // parts: left, right; text: the operator
  values,  // parts: rows
  // FROM
  table,    // text: its name
  derived,  // parts: query; its columns are called c1, c2 ...
  // (WITH RECURSIVE r(c1) AS (seed UNION SELECT value FROM table JOIN r ON key = r.c1) SELECT c1 FROM r)
  recursive,  // parts: seed, table, value, key
  join,       // parts: left, right, on; text: "JOIN", "LEFT JOIN" ...
  // expressions
  column,     // alias.text
  literal,    // text
  binary,     // text: the operator
  prefix,     // text: "NOT", "+", "-"
  postfix,    // text: "IS NULL", "IS NOT TRUE" ...
  cast,       // text: the type
  collate,    // text: the collation
  between,    // parts: operand, low, high; text: "BETWEEN" or "NOT BETWEEN"
  case_when,  // parts: condition, then, else
  call,       // text: the function
  aggregate,  // parts: argument or none, filter or none; text: the function; alias: "DISTINCT" or nothing
  window,     // parts: argument or none, partition or none, order or none; text: the function
  row,        // parts: values
  in_list,    // parts: operand, elements ...; text: "IN" or "NOT IN"
  in_query,   // parts: operand, query; text: "IN" or "NOT IN"
  exists,     // parts: query; text: "EXISTS" or "NOT EXISTS"
  scalar,     // parts: query
};

enum class Part : std::uint8_t { items, from, where, group, having, order, limit };

struct Node {
  Kind kind = Kind::none;
  std::string text{};
  std::string alias{};  // of a FROM item; for a column: that of its FROM item
  std::vector<Node> parts{};

  Node& operator[](Part part) { return parts[static_cast<std::size_t>(part)]; }
  const Node& operator[](Part part) const { return parts[static_cast<std::size_t>(part)]; }
  bool is(Kind other) const { return kind == other; }
  friend bool operator==(const Node&, const Node&) = default;
};

inline bool is_query(const Node& node) { return node.kind >= Kind::select && node.kind <= Kind::values; }
inline bool is_from(const Node& node) { return node.kind >= Kind::table && node.kind <= Kind::join; }
inline bool is_expr(const Node& node) { return node.kind >= Kind::column; }

Node make(Kind kind, std::string text = {}, std::vector<Node> parts = {});
Node column_of(std::string alias, std::string name);
Node literal(std::string text);
Node binary(std::string op, Node left, Node right);
// SELECT items FROM from WHERE where.
Node select_of(std::vector<Node> items, Node from = {}, Node where = {});
// `x AND y`, or just one of them if the other is none.
Node conjunction(Node x, Node y);

// The query as SQL.
std::string print(const Node& node);

// The number of columns of a query.
std::size_t width(const Node& query);
// The number of nodes.
std::size_t size_of(const Node& node);

// Calls `visit` for `node` and all below, parents first.
void visit(Node& node, const std::function<void(Node&)>& visitor);
void visit(const Node& node, const std::function<void(const Node&)>& visitor);

// The aliases of the FROM items below a FROM node.
std::vector<std::string> aliases_of(const Node& from);

}  // namespace trustsql::families
