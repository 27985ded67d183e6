// Edits of whole queries: DISTINCT, grouping, aggregates, set operations, order, derived tables.
#include "unit/equiv/families/edits.hpp"

namespace trustsql::families {

namespace {

const char* const operations[] = {"UNION", "UNION ALL", "INTERSECT", "EXCEPT"};

bool toggle_distinct(Edit& edit) {
  auto* place = edit.find(Kind::select);
  if (place == nullptr) return false;
  auto& text = place->node->text;
  text = text.empty() ? "DISTINCT" : "";
  return true;
}

bool toggle_group(Edit& edit) {
  auto* place = edit.find([](const Node& node) { return node.is(Kind::select) && !node[Part::from].is(Kind::none); });
  if (place == nullptr) return false;
  Node& node = *place->node;
  auto& keys = node[Part::group].parts;
  if (!keys.empty()) {
    if (edit.picker.chance(50)) {
      keys.pop_back();
      if (keys.empty() && edit.picker.chance(50)) node[Part::having] = Node{};
    } else {
      keys.push_back(edit.maker.column(edit.maker.sources_of(node[Part::from])));
    }
    return true;
  }
  for (const auto& item : node[Part::items].parts) {
    if (item.is(Kind::column) || edit.picker.chance(30)) keys.push_back(item);
  }
  return !keys.empty();
}

// Conditions move between WHERE and HAVING, or are dropped.
bool where_and_having(Edit& edit) {
  auto* place = edit.find([](const Node& node) {
    return node.is(Kind::select) && (!node[Part::where].is(Kind::none) || !node[Part::having].is(Kind::none));
  });
  if (place == nullptr) return false;
  Node& node = *place->node;
  const auto kind = edit.picker.below(3);
  if (kind == 0) {
    (edit.picker.chance(50) ? node[Part::where] : node[Part::having]) = Node{};
  } else if (!node[Part::having].is(Kind::none)) {
    node[Part::where] = conjunction(node[Part::where], node[Part::having]);
    node[Part::having] = Node{};
  } else if (!node[Part::group].parts.empty()) {
    node[Part::having] = node[Part::where];
    node[Part::where] = Node{};
  } else {
    return false;
  }
  return true;
}

bool add_where(Edit& edit) {
  auto* place = edit.find([](const Node& node) { return node.is(Kind::select) && !node[Part::from].is(Kind::none); });
  if (place == nullptr) return false;
  const auto scope = edit.maker.sources_of((*place->node)[Part::from]);
  Node& where = (*place->node)[Part::where];
  const Node column = edit.maker.column(scope);
  where = conjunction(
      where, edit.picker.chance(50) ? make(Kind::postfix, "IS NOT NULL", {column}) : edit.maker.predicate(scope, 0));
  return true;
}

bool other_set_operation(Edit& edit) {
  auto* place = edit.find(Kind::set_op);
  if (place == nullptr) return false;
  Node& node = *place->node;
  switch (edit.picker.below(4)) {
    case 0: std::swap(node.parts[0], node.parts[1]); break;
    case 1: {
      Node kept = node.parts[edit.picker.below(2)];
      node = std::move(kept);
      break;
    }
    default: node.text = edit.picker.of(operations);
  }
  return true;
}

bool make_set_operation(Edit& edit) {
  auto* place = edit.find(Kind::select);
  if (place == nullptr) return false;
  Node& node = *place->node;
  Node other;
  switch (edit.picker.below(3)) {
    case 0: other = node; break;
    case 1: other = select_of(std::vector<Node>(width(node), literal("NULL"))); break;
    default:
      other = node;
      if (other.is(Kind::select)) other[Part::where] = Node{};
  }
  node = make(Kind::set_op, edit.picker.of(operations), {node, std::move(other)});
  return true;
}

// A INTERSECT B, A EXCEPT B as conditions on A; A UNION B of one FROM as an OR.
bool set_operation_to_condition(Edit& edit) {
  auto* place = edit.find(
      [](const Node& node) { return node.is(Kind::set_op) && (node.text == "INTERSECT" || node.text == "EXCEPT"); });
  if (place == nullptr) return false;
  Node& node = *place->node;
  const bool except = node.text == "EXCEPT";
  Node left = node.parts[0];
  Node right = node.parts[1];
  if (!is_plain(left)) {
    Node derived = derived_of(std::move(left), edit.maker);
    auto columns = columns_of_derived(derived);
    left = select_of(std::move(columns), std::move(derived));
  }
  const auto items = left[Part::items].parts;
  Node condition;
  if (edit.picker.chance(50)) {
    Node operand = items.size() == 1 ? items.front() : make(Kind::row, {}, items);
    condition = make(Kind::in_query, except ? "NOT IN" : "IN", {std::move(operand), std::move(right)});
  } else {
    Node derived = derived_of(std::move(right), edit.maker);
    const auto columns = columns_of_derived(derived);
    Node where;
    for (std::size_t i = 0; i < items.size(); ++i)
      where = conjunction(std::move(where), binary(edit.picker.chance(70) ? "IS" : "=", columns[i], items[i]));
    condition = make(Kind::exists, except ? "NOT EXISTS" : "EXISTS",
                     {select_of({literal("1")}, std::move(derived), std::move(where))});
  }
  left[Part::where] = conjunction(left[Part::where], std::move(condition));
  left.text = "DISTINCT";
  node = std::move(left);
  return true;
}

// SELECT c1 ... FROM (query).
bool derive(Edit& edit) {
  auto* place = edit.find([](const Node& node) { return node.is(Kind::select) || node.is(Kind::set_op); });
  if (place == nullptr) return false;
  Node derived = derived_of(*place->node, edit.maker);
  auto columns = columns_of_derived(derived);
  Node query = select_of(std::move(columns), std::move(derived));
  if (edit.picker.chance(15)) query.text = "DISTINCT";
  *place->node = std::move(query);
  return true;
}

bool toggle_order(Edit& edit) {
  if (!edit.root.is(Kind::select)) return false;
  auto& order = edit.root[Part::order].parts;
  if (order.empty()) {
    order = edit.root[Part::items].parts;
  } else if (edit.picker.chance(50)) {
    order.clear();
  } else {
    order.push_back(edit.picker.of(order));
    if (edit.picker.chance(50)) order.erase(order.begin());
  }
  return true;
}

// (SELECT min(x) FROM ...) and (SELECT x FROM ... ORDER BY x LIMIT 1).
bool least_otherwise(Edit& edit) {
  auto* place = edit.find([](const Node& node) {
    if (!node.is(Kind::select) || node[Part::items].parts.size() != 1 || !node[Part::group].parts.empty()) return false;
    const Node& item = node[Part::items].parts.front();
    return item.is(Kind::aggregate) && (item.text == "min" || item.text == "max") && item.parts[1].is(Kind::none);
  });
  if (place == nullptr) return false;
  Node& node = *place->node;
  const Node item = node[Part::items].parts.front();
  const Node argument = item.parts[0];
  node[Part::items].parts = {argument};
  node[Part::order].parts = {item.text == "max" ? make(Kind::postfix, "DESC", {argument}) : argument};
  node[Part::limit] = literal("1");
  if (edit.picker.chance(70))
    node[Part::where] = conjunction(node[Part::where], make(Kind::postfix, "IS NOT NULL", {argument}));
  return true;
}

bool other_aggregate(Edit& edit) {
  auto* place = edit.find(Kind::aggregate);
  if (place == nullptr) return false;
  static const char* const functions[] = {"count", "sum", "min", "max", "avg", "total"};
  Node& node = *place->node;
  Node& argument = node.parts[0];
  switch (edit.picker.below(7)) {
    case 0:
      node.text = edit.picker.of(functions);
      if (node.text != "count" && argument.is(Kind::none)) argument = edit.maker.column(place->scope);
      break;
    case 1:
      if (argument.is(Kind::none)) {
        argument = edit.maker.column(place->scope);
      } else if (node.text == "count") {
        argument = Node{};
        node.alias.clear();
      } else {
        return false;
      }
      break;
    case 2:
      if (argument.is(Kind::none)) return false;
      node.alias = node.alias.empty() ? "DISTINCT" : "";
      break;
    case 3:
      if (argument.is(Kind::none) || !node.parts[1].is(Kind::none)) return false;
      node.parts[1] = make(Kind::postfix, "IS NOT NULL", {argument});
      break;
    case 4:
      if (node.parts[1].is(Kind::none)) return false;
      if (edit.picker.chance(50)) {
        argument = make(Kind::case_when, {},
                        {node.parts[1], argument.is(Kind::none) ? literal("1") : argument, literal("NULL")});
      }
      node.parts[1] = Node{};
      break;
    case 5:
      if (!argument.is(Kind::none)) return false;
      node.text = edit.picker.chance(50) ? "sum" : "count";
      argument = literal("1");
      break;
    default: node = make(Kind::call, edit.picker.chance(50) ? "coalesce" : "ifnull", {node, literal("0")});
  }
  return true;
}

// SELECT sum(x) FROM ... as SELECT sum(c1) FROM (SELECT x FROM ...).
bool aggregate_of_derived(Edit& edit) {
  auto* place = edit.find([](const Node& node) {
    return node.is(Kind::select) && node[Part::items].parts.size() == 1 && node[Part::group].parts.empty() &&
           node[Part::having].is(Kind::none) && node[Part::items].parts[0].is(Kind::aggregate) &&
           !node[Part::items].parts[0].parts[0].is(Kind::none);
  });
  if (place == nullptr) return false;
  Node& node = *place->node;
  Node item = node[Part::items].parts[0];
  if (!item.parts[1].is(Kind::none)) return false;
  Node inner = select_of({item.parts[0]}, node[Part::from], node[Part::where]);
  if (!item.alias.empty() && edit.picker.chance(70)) {
    inner.text = "DISTINCT";
    item.alias.clear();
  }
  Node derived = derived_of(std::move(inner), edit.maker);
  item.parts[0] = columns_of_derived(derived).front();
  node = select_of({std::move(item)}, std::move(derived));
  return true;
}

// DISTINCT and GROUP BY of all columns.
bool distinct_and_group(Edit& edit) {
  auto* place = edit.find([](const Node& node) {
    return node.is(Kind::select) && node.text == "DISTINCT" && node[Part::group].parts.empty();
  });
  if (place == nullptr) return false;
  Node& node = *place->node;
  node.text.clear();
  node[Part::group].parts = node[Part::items].parts;
  return true;
}

bool other_window(Edit& edit) {
  auto* place = edit.find(Kind::window);
  if (place == nullptr) return false;
  static const char* const functions[] = {"row_number", "rank", "dense_rank", "sum",
                                          "count",      "min",  "max",        "first_value"};
  Node& node = *place->node;
  const auto part_index = edit.picker.below(3);
  if (part_index == 0) {
    node.text = edit.picker.of(functions);
  } else {
    Node& part = node.parts[part_index];
    part = part.is(Kind::none) ? edit.maker.column(place->scope) : Node{};
  }
  return true;
}

constexpr EditFunction query_edit_functions[] = {toggle_distinct,
                                                 toggle_group,
                                                 where_and_having,
                                                 add_where,
                                                 other_set_operation,
                                                 make_set_operation,
                                                 set_operation_to_condition,
                                                 derive,
                                                 toggle_order,
                                                 least_otherwise,
                                                 least_otherwise,
                                                 other_aggregate,
                                                 aggregate_of_derived,
                                                 distinct_and_group,
                                                 other_window};

}  // namespace

std::span<const EditFunction> query_edits() { return query_edit_functions; }

}  // namespace trustsql::families
