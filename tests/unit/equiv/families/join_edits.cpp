// Edits of FROM: joins that come and go at each depth and side, change their type, are reversed and derived.
#include <algorithm>

#include "unit/equiv/families/edits.hpp"

namespace trustsql::families {

namespace {

// The columns of dropped aliases are taken from `kept` instead.
void rewire(Edit& edit, const std::vector<std::string>& dropped, const Scope& kept) {
  visit(edit.root, [&](Node& node) {
    if (node.is(Kind::column) && std::ranges::find(dropped, node.alias) != dropped.end())
      node = edit.maker.column({edit.picker.of(kept)});
  });
}

bool other_type(Edit& edit) {
  auto* place = edit.find(Kind::join);
  if (place == nullptr) return false;
  static const char* const types[] = {"JOIN", "LEFT JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"};
  place->node->text = edit.picker.of(types);
  return true;
}

bool drop_side(Edit& edit) {
  auto* place = edit.find(Kind::join);
  if (place == nullptr) return false;
  Node& node = *place->node;
  const std::size_t keep = edit.picker.chance(70) ? 0 : 1;
  const auto dropped = aliases_of(node.parts[1 - keep]);
  const auto kept = edit.maker.sources_of(node.parts[keep]);
  Node side = node.parts[keep];
  node = std::move(side);
  rewire(edit, dropped, kept);
  return true;
}

bool add_side(Edit& edit) {
  auto* place = edit.find(is_from);
  if (place == nullptr) return false;
  Node& node = *place->node;
  Node joined =
      edit.picker.chance(60) ? edit.maker.join(node, edit.maker.table()) : edit.maker.join(edit.maker.table(), node);
  if (edit.picker.chance(40)) joined.text = "LEFT JOIN";
  // On an equality of columns of the same name, as in joins on keys.
  if (edit.picker.chance(30)) {
    const auto left = edit.maker.sources_of(joined.parts[0]);
    const auto right = edit.maker.sources_of(joined.parts[1]);
    const auto& of_left = edit.picker.of(left);
    const auto& name = edit.picker.of(of_left.columns);
    joined.parts[2] = binary("=", column_of(of_left.alias, name), column_of(right.front().alias, name));
  }
  node = std::move(joined);
  return true;
}

// Another instance of an existing table, joined on equality of all columns or one.
bool join_itself(Edit& edit) {
  auto* place = edit.find(Kind::table);
  if (place == nullptr) return false;
  Node& node = *place->node;
  Node again = node;
  again.alias = edit.maker.alias();
  Node condition;
  const auto sources = edit.maker.sources_of(node);
  for (const auto& name : sources.front().columns) {
    if (condition.is(Kind::none) || edit.picker.chance(50))
      condition =
          conjunction(std::move(condition), binary("=", column_of(node.alias, name), column_of(again.alias, name)));
  }
  node =
      make(Kind::join, edit.picker.chance(50) ? "JOIN" : "LEFT JOIN", {node, std::move(again), std::move(condition)});
  return true;
}

bool turn_round(Edit& edit) {
  auto* place = edit.find(Kind::join);
  if (place == nullptr) return false;
  Node& node = *place->node;
  std::swap(node.parts[0], node.parts[1]);
  if (node.text == "LEFT JOIN") {
    node.text = "RIGHT JOIN";
  } else if (node.text == "RIGHT JOIN") {
    node.text = "LEFT JOIN";
  }
  return true;
}

// (x JOIN y) JOIN z and x JOIN (y JOIN z), with unchanged types and conditions.
bool rotate(Edit& edit) {
  auto* place = edit.find([](const Node& node) {
    return node.is(Kind::join) && (node.parts[0].is(Kind::join) || node.parts[1].is(Kind::join));
  });
  if (place == nullptr) return false;
  Node node = *place->node;
  if (node.parts[1].is(Kind::join)) {
    Node inner = node.parts[1];
    *place->node = make(
        Kind::join, inner.text,
        {make(Kind::join, node.text, {node.parts[0], inner.parts[0], node.parts[2]}), inner.parts[1], inner.parts[2]});
  } else {
    Node inner = node.parts[0];
    *place->node = make(
        Kind::join, inner.text,
        {inner.parts[0], make(Kind::join, node.text, {inner.parts[1], node.parts[1], node.parts[2]}), inner.parts[2]});
  }
  return true;
}

// Conditions between ON and WHERE.
bool on_and_where(Edit& edit) {
  auto* place = edit.find([](const Node& node) { return node.is(Kind::select) && node[Part::from].is(Kind::join); });
  if (place == nullptr) return false;
  Node& query = *place->node;
  Node& join = query[Part::from];
  if (edit.picker.chance(50) && !join.parts[2].is(Kind::none)) {
    query[Part::where] = conjunction(query[Part::where], join.parts[2]);
    join.parts[2] = join.text == "JOIN" ? Node{} : literal("1");
  } else if (!query[Part::where].is(Kind::none)) {
    join.parts[2] = conjunction(join.parts[2], query[Part::where]);
    query[Part::where] = Node{};
  } else {
    return false;
  }
  return true;
}

// A part of FROM as a derived table of all its columns.
bool derive_part(Edit& edit) {
  auto* place = edit.find([](const Node& node) { return node.is(Kind::join) || node.is(Kind::table); });
  if (place == nullptr) return false;
  std::vector<Node> items;
  for (const auto& source : edit.maker.sources_of(*place->node)) {
    for (const auto& name : source.columns) items.push_back(column_of(source.alias, name));
  }
  Node derived = derived_of(select_of(items, *place->node), edit.maker);
  if (edit.picker.chance(15)) derived.parts[0].text = "DISTINCT";
  if (edit.picker.chance(15))
    derived.parts[0][Part::where] = edit.maker.predicate(edit.maker.sources_of(*place->node), 0);
  const auto columns = columns_of_derived(derived);
  *place->node = Node{};
  visit(edit.root, [&](Node& node) {
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (node == items[i]) {
        node = columns[i];
        return;
      }
    }
  });
  *place->node = std::move(derived);
  return true;
}

bool other_table(Edit& edit) {
  auto* place = edit.find(Kind::table);
  if (place == nullptr) return false;
  place->node->text = edit.picker.of(edit.maker.schema().tables).name;
  return true;
}

constexpr EditFunction join_edit_functions[] = {other_type, other_type,   drop_side,   drop_side,  add_side,
                                                add_side,   add_side,     join_itself, turn_round, rotate,
                                                rotate,     on_and_where, derive_part, other_table};

}  // namespace

std::span<const EditFunction> join_edits() { return join_edit_functions; }

}  // namespace trustsql::families
