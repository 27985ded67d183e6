#include "unit/equiv/families/tree.hpp"

namespace trustsql::families {

namespace {

std::string print_list(const std::vector<Node>& nodes, std::size_t first, bool named = false) {
  std::string text;
  for (std::size_t i = first; i < nodes.size(); ++i) {
    text += (i > first ? ", " : "") + print(nodes[i]);
    if (named) text += " AS c" + std::to_string(i + 1);
  }
  return text;
}

std::string print_select(const Node& node, bool named) {
  std::string text =
      "SELECT " + node.text + (node.text.empty() ? "" : " ") + print_list(node[Part::items].parts, 0, named);
  if (!node[Part::from].is(Kind::none)) text += " FROM " + print(node[Part::from]);
  if (!node[Part::where].is(Kind::none)) text += " WHERE " + print(node[Part::where]);
  if (!node[Part::group].parts.empty()) text += " GROUP BY " + print_list(node[Part::group].parts, 0);
  if (!node[Part::having].is(Kind::none)) text += " HAVING " + print(node[Part::having]);
  if (!node[Part::order].parts.empty()) text += " ORDER BY " + print_list(node[Part::order].parts, 0);
  if (!node[Part::limit].is(Kind::none)) text += " LIMIT " + print(node[Part::limit]);
  return text;
}

// A branch of a compound query, which may have no ORDER BY of its own and no compound to its right.
std::string print_branch(const Node& node, bool right, bool named);

std::string print_query(const Node& node, bool named) {
  switch (node.kind) {
    case Kind::select: return print_select(node, named);
    case Kind::set_op:
      return print_branch(node.parts[0], false, named) + " " + node.text + " " +
             print_branch(node.parts[1], true, named);
    case Kind::values: return "VALUES " + print_list(node.parts, 0);
    default: return {};
  }
}

std::string print_branch(const Node& node, bool right, bool named) {
  const bool ordered = node.is(Kind::select) && (!node[Part::order].parts.empty() || !node[Part::limit].is(Kind::none));
  if (ordered || (right && node.is(Kind::set_op))) return "SELECT * FROM (" + print_query(node, named) + ")";
  return print_query(node, named);
}

std::string in_brackets(const Node& node) {
  const bool simple = node.is(Kind::column) || node.is(Kind::literal) || node.is(Kind::call) ||
                      node.is(Kind::aggregate) || node.is(Kind::scalar) || node.is(Kind::row) || node.is(Kind::cast) ||
                      node.is(Kind::exists) || node.is(Kind::window) || node.is(Kind::case_when);
  return simple ? print(node) : "(" + print(node) + ")";
}

std::string print_join(const Node& node) {
  const auto& right = node.parts[1];
  auto text =
      print(node.parts[0]) + " " + node.text + " " + (right.is(Kind::join) ? "(" + print(right) + ")" : print(right));
  if (!node.parts[2].is(Kind::none)) text += " ON " + print(node.parts[2]);
  return text;
}

std::string print_aggregate(const Node& node) {
  const auto& argument = node.parts[0];
  auto text = node.text + "(" +
              (argument.is(Kind::none) ? "*" : node.alias + (node.alias.empty() ? "" : " ") + print(argument)) + ")";
  if (!node.parts[1].is(Kind::none)) text += " FILTER (WHERE " + print(node.parts[1]) + ")";
  return text;
}

std::string print_window(const Node& node) {
  const bool no_argument = node.text == "row_number" || node.text == "rank" || node.text == "dense_rank";
  auto text = node.text + "(" +
              (no_argument                    ? ""
               : node.parts[0].is(Kind::none) ? "*"
                                              : print(node.parts[0])) +
              ") OVER (";
  if (!node.parts[1].is(Kind::none)) text += "PARTITION BY " + print(node.parts[1]);
  if (!node.parts[2].is(Kind::none))
    text += std::string(node.parts[1].is(Kind::none) ? "" : " ") + "ORDER BY " + print(node.parts[2]);
  return text + ")";
}

std::string print_recursive(const Node& node) {
  return "(WITH RECURSIVE r(c1) AS (" + print_branch(node.parts[0], false, false) + " UNION SELECT " +
         print(node.parts[2]) + " FROM " + print(node.parts[1]) + " JOIN r ON " + print(node.parts[3]) +
         " = r.c1) SELECT c1 FROM r) " + node.alias;
}

}  // namespace

Node make(Kind kind, std::string text, std::vector<Node> parts) {
  return {kind, std::move(text), {}, std::move(parts)};
}
Node column_of(std::string alias, std::string name) { return {Kind::column, std::move(name), std::move(alias), {}}; }
Node literal(std::string text) { return make(Kind::literal, std::move(text)); }
Node binary(std::string op, Node left, Node right) {
  return make(Kind::binary, std::move(op), {std::move(left), std::move(right)});
}

Node select_of(std::vector<Node> items, Node from, Node where) {
  return make(Kind::select, {},
              {make(Kind::list, {}, std::move(items)),
               std::move(from),
               std::move(where),
               make(Kind::list),
               {},
               make(Kind::list),
               {}});
}

Node conjunction(Node x, Node y) {
  if (x.is(Kind::none)) return y;
  if (y.is(Kind::none)) return x;
  return binary("AND", std::move(x), std::move(y));
}

std::string print(const Node& node) {
  switch (node.kind) {
    case Kind::none: return {};
    case Kind::list: return print_list(node.parts, 0);
    case Kind::select:
    case Kind::set_op:
    case Kind::values: return print_query(node, false);
    case Kind::table: return node.text + " " + node.alias;
    case Kind::derived: return "(" + print_query(node.parts[0], true) + ") " + node.alias;
    case Kind::recursive: return print_recursive(node);
    case Kind::join: return print_join(node);
    case Kind::column: return node.alias + "." + node.text;
    case Kind::literal: return node.text;
    case Kind::binary: return in_brackets(node.parts[0]) + " " + node.text + " " + in_brackets(node.parts[1]);
    case Kind::prefix: return node.text + (node.text == "NOT" ? " " : "") + in_brackets(node.parts[0]);
    case Kind::postfix: return in_brackets(node.parts[0]) + " " + node.text;
    case Kind::cast: return "CAST(" + print(node.parts[0]) + " AS " + node.text + ")";
    case Kind::collate: return in_brackets(node.parts[0]) + " COLLATE " + node.text;
    case Kind::between:
      return in_brackets(node.parts[0]) + " " + node.text + " " + in_brackets(node.parts[1]) + " AND " +
             in_brackets(node.parts[2]);
    case Kind::case_when:
      return "CASE WHEN " + print(node.parts[0]) + " THEN " + print(node.parts[1]) + " ELSE " + print(node.parts[2]) +
             " END";
    case Kind::call: return node.text + "(" + print_list(node.parts, 0) + ")";
    case Kind::aggregate: return print_aggregate(node);
    case Kind::window: return print_window(node);
    case Kind::row: return "(" + print_list(node.parts, 0) + ")";
    case Kind::in_list: return in_brackets(node.parts[0]) + " " + node.text + " (" + print_list(node.parts, 1) + ")";
    case Kind::in_query: return in_brackets(node.parts[0]) + " " + node.text + " (" + print(node.parts[1]) + ")";
    case Kind::exists: return node.text + " (" + print(node.parts[0]) + ")";
    case Kind::scalar: return "(" + print(node.parts[0]) + ")";
  }
  return {};
}

std::size_t width(const Node& query) {
  if (query.is(Kind::set_op)) return width(query.parts[0]);
  if (query.is(Kind::values)) return query.parts.front().parts.size();
  return query[Part::items].parts.size();
}

std::size_t size_of(const Node& node) {
  std::size_t size = 1;
  for (const auto& part : node.parts) size += size_of(part);
  return size;
}

void visit(Node& node, const std::function<void(Node&)>& visitor) {
  visitor(node);
  for (auto& part : node.parts) visit(part, visitor);
}

void visit(const Node& node, const std::function<void(const Node&)>& visitor) {
  visitor(node);
  for (const auto& part : node.parts) visit(part, visitor);
}

std::vector<std::string> aliases_of(const Node& from) {
  if (!from.is(Kind::join))
    return from.alias.empty() ? std::vector<std::string>{} : std::vector<std::string>{from.alias};
  auto all = aliases_of(from.parts[0]);
  for (auto& more : aliases_of(from.parts[1])) all.push_back(std::move(more));
  return all;
}

}  // namespace trustsql::families
