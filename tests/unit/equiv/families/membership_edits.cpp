// Edits between the ways to test membership: IN, EXISTS, joins, row values, scalar subqueries, counts.
#include "unit/equiv/families/edits.hpp"

namespace trustsql::families {

namespace {

std::vector<Node> operands_of(const Node& node) { return node.is(Kind::row) ? node.parts : std::vector<Node>{node}; }

// xs[0] = ys[0] AND xs[1] = ys[1] ...
Node all_equal(const std::vector<Node>& xs, const std::vector<Node>& ys, const std::string& op = "=") {
  Node condition;
  for (std::size_t i = 0; i < xs.size() && i < ys.size(); ++i)
    condition = conjunction(std::move(condition), binary(op, xs[i], ys[i]));
  return condition;
}

void negate_if(bool negated, Node& node) {
  if (negated) node = make(Kind::prefix, "NOT", {std::move(node)});
}

// `query` with conditions that its items be equal to `operands`.
Node with_equal_items(Node query, const std::vector<Node>& operands, QueryMaker& maker, bool merge) {
  if (merge && is_plain(query)) {
    query[Part::where] = conjunction(query[Part::where], all_equal(query[Part::items].parts, operands));
    return query;
  }
  Node derived = derived_of(std::move(query), maker);
  const auto columns = columns_of_derived(derived);
  return select_of(columns, std::move(derived), all_equal(columns, operands));
}

bool in_to_exists(Edit& edit) {
  auto* place = edit.find(Kind::in_query);
  if (place == nullptr) return false;
  Node& node = *place->node;
  const bool negated = node.text != "IN";
  Node query = with_equal_items(node.parts[1], operands_of(node.parts[0]), edit.maker, edit.picker.chance(70));
  switch (edit.picker.below(4)) {
    case 0: {
      Node derived = derived_of(std::move(query), edit.maker);
      Node count = select_of({make(Kind::aggregate, "count", {Node{}, Node{}})}, std::move(derived));
      node = binary(negated ? "=" : ">", make(Kind::scalar, {}, {std::move(count)}), literal("0"));
      break;
    }
    case 1:
      node = make(Kind::exists, "EXISTS", {std::move(query)});
      negate_if(negated, node);
      break;
    default: node = make(Kind::exists, negated ? "NOT EXISTS" : "EXISTS", {std::move(query)}); break;
  }
  return true;
}

bool exists_to_in(Edit& edit) {
  auto* place = edit.find(Kind::exists);
  if (place == nullptr) return false;
  Node& node = *place->node;
  const bool negated = node.text != "EXISTS";
  Node query = node.parts[0];
  if (!is_plain(query)) return false;
  auto& where = query[Part::where];
  if (where.is(Kind::binary) && where.text == "=" && edit.picker.chance(70)) {
    const bool left = edit.picker.chance(50);
    const Node operand = where.parts[left ? 0 : 1];
    query[Part::items].parts = {where.parts[left ? 1 : 0]};
    where = Node{};
    node = make(Kind::in_query, negated ? "NOT IN" : "IN", {operand, std::move(query)});
  } else {
    query[Part::items].parts = {literal("1")};
    node = make(Kind::in_query, negated ? "NOT IN" : "IN", {literal("1"), std::move(query)});
  }
  return true;
}

bool in_and_equals(Edit& edit) {
  auto* place = edit.find([](const Node& node) {
    return node.is(Kind::in_query) || (node.is(Kind::binary) && (node.text == "=" || node.text == "<>"));
  });
  if (place == nullptr) return false;
  Node& node = *place->node;
  if (node.is(Kind::in_query)) {
    Node& query = node.parts[1];
    const bool negated = node.text != "IN";
    if (query.is(Kind::values) && query.parts.size() == 1) {
      Node right = query.parts[0].parts.size() == 1 ? query.parts[0].parts[0] : query.parts[0];
      node = binary(negated ? "<>" : "=", node.parts[0], std::move(right));
    } else {
      static const char* const comparisons[] = {"=", "<", ">", "<=", "IS", "<>"};
      node = binary(edit.picker.chance(70) ? (negated ? "<>" : "=") : edit.picker.of(comparisons), node.parts[0],
                    make(Kind::scalar, {}, {query}));
    }
    return true;
  }
  const bool negated = node.text != "=";
  Node& right = node.parts[1];
  if (right.is(Kind::scalar)) {
    node = make(Kind::in_query, negated ? "NOT IN" : "IN", {node.parts[0], right.parts[0]});
  } else if (right.is(Kind::row) || edit.picker.chance(40)) {
    Node row = right.is(Kind::row) ? right : make(Kind::row, {}, {right});
    Node query = edit.picker.chance(60) ? make(Kind::values, {}, {row}) : select_of(row.parts);
    node = make(Kind::in_query, negated ? "NOT IN" : "IN", {node.parts[0], std::move(query)});
  } else {
    node = make(Kind::in_list, negated ? "NOT IN" : "IN", {node.parts[0], right});
  }
  return true;
}

// (x, y) = (u, v) and x = u AND y = v; (x, y) IN (SELECT u, v ...) and x IN (SELECT u ... WHERE v = y).
bool split_row(Edit& edit) {
  auto* place = edit.find([](const Node& node) {
    return (node.is(Kind::in_query) || node.is(Kind::binary)) && node.parts[0].is(Kind::row) &&
           node.parts[0].parts.size() == 2;
  });
  if (place == nullptr) return false;
  Node& node = *place->node;
  const auto xs = node.parts[0].parts;
  if (node.is(Kind::binary)) {
    if (!node.parts[1].is(Kind::row)) return false;
    Node split = all_equal(xs, node.parts[1].parts, node.text == "IS" ? "IS" : "=");
    negate_if(node.text == "<>" || node.text == "IS NOT", split);
    node = std::move(split);
    return true;
  }
  const std::size_t keep = edit.picker.below(2);
  Node query = node.parts[1];
  if (query.is(Kind::values)) {
    Node any;
    for (const auto& row : query.parts)
      any = any.is(Kind::none) ? all_equal(xs, row.parts) : binary("OR", std::move(any), all_equal(xs, row.parts));
    negate_if(node.text != "IN", any);
    node = std::move(any);
    return true;
  }
  if (is_plain(query)) {
    auto& items = query[Part::items].parts;
    query[Part::where] = conjunction(query[Part::where], binary("=", items[1 - keep], xs[1 - keep]));
    items = {items[keep]};
  } else {
    Node derived = derived_of(std::move(query), edit.maker);
    const auto columns = columns_of_derived(derived);
    query = select_of({columns[keep]}, std::move(derived), binary("=", columns[1 - keep], xs[1 - keep]));
  }
  node = make(Kind::in_query, node.text, {xs[keep], std::move(query)});
  return true;
}

bool swap_row(Edit& edit) {
  auto* place = edit.find([](const Node& node) {
    return (node.is(Kind::in_query) || node.is(Kind::binary)) && node.parts[0].is(Kind::row) &&
           node.parts[0].parts.size() == 2;
  });
  if (place == nullptr) return false;
  Node& left = place->node->parts[0];
  Node& right = place->node->parts[1];
  if (right.is(Kind::select)) {
    std::swap(right[Part::items].parts[0], right[Part::items].parts[1]);
  } else if (right.is(Kind::values)) {
    for (auto& row : right.parts) std::swap(row.parts[0], row.parts[1]);
  } else if (right.is(Kind::row)) {
    std::swap(right.parts[0], right.parts[1]);
  } else {
    return false;
  }
  std::swap(left.parts[0], left.parts[1]);
  return true;
}

bool in_list_otherwise(Edit& edit) {
  auto* place = edit.find(Kind::in_list);
  if (place == nullptr || place->node->parts.size() < 2) return false;  // x IN ()
  Node& node = *place->node;
  const bool negated = node.text != "IN";
  const std::vector<Node> elements(node.parts.begin() + 1, node.parts.end());
  const Node operand = node.parts[0];
  switch (edit.picker.below(4)) {
    case 0: {
      Node any = binary("=", operand, elements.front());
      for (std::size_t i = 1; i < elements.size(); ++i)
        any = binary("OR", std::move(any), binary("=", operand, elements[i]));
      negate_if(negated, any);
      node = std::move(any);
      break;
    }
    case 1: {
      std::vector<Node> rows;
      for (const auto& element : elements) rows.push_back(make(Kind::row, {}, {element}));
      node = make(Kind::in_query, node.text, {operand, make(Kind::values, {}, std::move(rows))});
      break;
    }
    case 2: {
      Node query = select_of({elements.front()});
      for (std::size_t i = 1; i < elements.size(); ++i)
        query = make(Kind::set_op, edit.picker.chance(50) ? "UNION ALL" : "UNION",
                     {std::move(query), select_of({elements[i]})});
      node = make(Kind::in_query, node.text, {operand, std::move(query)});
      break;
    }
    default: node.parts.push_back(edit.picker.chance(50) ? edit.maker.value() : elements.front()); break;
  }
  return true;
}

bool negation(Edit& edit) {
  auto* place = edit.find(
      [](const Node& node) { return node.is(Kind::in_query) || node.is(Kind::in_list) || node.is(Kind::exists); });
  if (place == nullptr) return false;
  Node& node = *place->node;
  node.text = node.text.starts_with("NOT ") ? node.text.substr(4) : "NOT " + node.text;
  if (edit.picker.chance(70)) node = make(Kind::prefix, "NOT", {node});
  return true;
}

// A conjunct `x IN (query)` of a WHERE as a join.
bool in_to_join(Edit& edit) {
  auto* place = edit.find([](const Node& node) {
    return node.is(Kind::select) && !node[Part::from].is(Kind::none) && node[Part::where].is(Kind::in_query);
  });
  if (place == nullptr) return false;
  Node& node = *place->node;
  Node in = node[Part::where];
  Node query = in.parts[1];
  if (query.is(Kind::select) && edit.picker.chance(60)) query.text = "DISTINCT";
  Node derived = derived_of(std::move(query), edit.maker);
  const auto columns = columns_of_derived(derived);
  const bool negated = in.text != "IN";
  Node condition = all_equal(columns, operands_of(in.parts[0]));
  node[Part::from] =
      make(Kind::join, negated ? "LEFT JOIN" : "JOIN", {node[Part::from], std::move(derived), std::move(condition)});
  node[Part::where] = negated ? make(Kind::postfix, "IS NULL", {columns.front()}) : Node{};
  if (edit.picker.chance(30)) node.text = "DISTINCT";
  return true;
}

// The subquery of IN or EXISTS without its NULLs, or with one, or with duplicates.
bool other_members(Edit& edit) {
  auto* place = edit.find(Kind::in_query);
  if (place == nullptr) return false;
  Node& query = place->node->parts[1];
  const std::vector<Node> nulls(width(query), literal("NULL"));
  switch (edit.picker.below(6)) {
    case 0: query = make(Kind::set_op, "EXCEPT", {query, select_of(nulls)}); break;
    case 1:
      query = make(Kind::set_op, edit.picker.chance(50) ? "UNION" : "UNION ALL", {query, select_of(nulls)});
      break;
    case 2: query = make(Kind::set_op, edit.picker.chance(50) ? "UNION" : "INTERSECT", {query, query}); break;
    case 3:
      if (!query.is(Kind::select)) return false;
      query.text = query.text.empty() ? "DISTINCT" : "";
      break;
    case 4:
      if (!is_plain(query)) return false;
      query[Part::where] =
          conjunction(query[Part::where], make(Kind::postfix, "IS NOT NULL", {query[Part::items].parts.front()}));
      break;
    default: {
      Node derived = derived_of(query, edit.maker);
      auto columns = columns_of_derived(derived);
      query = select_of(std::move(columns), std::move(derived));
    }
  }
  return true;
}

constexpr EditFunction membership_edit_functions[] = {
    in_to_exists, in_to_exists,      exists_to_in, in_and_equals, in_and_equals, split_row,    split_row,
    swap_row,     in_list_otherwise, negation,     in_to_join,    other_members, other_members};

}  // namespace

std::span<const EditFunction> membership_edits() { return membership_edit_functions; }

}  // namespace trustsql::families
