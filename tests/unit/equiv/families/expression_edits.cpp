// Edits within expressions.
#include "unit/equiv/families/edits.hpp"

namespace trustsql::families {

namespace {

bool is_value(const Node& node) { return is_expr(node) && !node.is(Kind::row) && !node.is(Kind::list); }

bool other_constant(Edit& edit) {
  auto* place = edit.find(Kind::literal);
  if (place == nullptr) return false;
  *place->node = edit.maker.value();
  return true;
}

bool other_column(Edit& edit) {
  auto* place = edit.find(Kind::column);
  if (place == nullptr || place->scope.empty()) return false;
  *place->node = edit.maker.column(place->scope);
  return true;
}

// Wraps the value in something that often leaves it unchanged.
bool wrap_value(Edit& edit) {
  auto* place = edit.find([](const Node& node) {
    return node.is(Kind::column) || node.is(Kind::literal) || node.is(Kind::scalar) || node.is(Kind::call);
  });
  if (place == nullptr) return false;
  static const char* const casts[] = {"INTEGER", "TEXT", "REAL", "NUMERIC", "BLOB"};
  static const char* const collations[] = {"NOCASE", "RTRIM", "BINARY"};
  Node inner = std::move(*place->node);
  Node& node = *place->node;
  switch (edit.picker.below(13)) {
    case 0:
    case 1:
    case 2: node = make(Kind::prefix, "+", {inner}); break;
    case 3: node = make(Kind::cast, edit.picker.of(casts), {inner}); break;
    case 4: node = make(Kind::collate, edit.picker.of(collations), {inner}); break;
    case 5: node = make(Kind::call, "coalesce", {inner, inner}); break;
    case 6: node = make(Kind::call, "coalesce", {inner, edit.maker.value()}); break;
    case 7: node = make(Kind::case_when, {}, {make(Kind::postfix, "IS NULL", {inner}), literal("NULL"), inner}); break;
    case 8: node = binary("+", inner, literal("0")); break;
    case 9: node = binary("||", inner, literal("''")); break;
    case 10: node = make(Kind::scalar, {}, {select_of({inner})}); break;
    case 11: node = make(Kind::call, "nullif", {inner, edit.maker.value()}); break;
    default: node = make(Kind::call, edit.picker.chance(50) ? "min" : "max", {inner, inner}); break;
  }
  return true;
}

bool unwrap(Edit& edit) {
  auto* place = edit.find([](const Node& node) {
    return is_value(node) && !node.parts.empty() && is_value(node.parts.front()) && !node.is(Kind::aggregate) &&
           !node.is(Kind::window);
  });
  if (place == nullptr) return false;
  std::vector<Node> inner;
  for (auto& part : place->node->parts) {
    if (is_value(part)) inner.push_back(part);
  }
  Node kept = edit.picker.of(inner);
  *place->node = std::move(kept);
  return true;
}

bool other_operator(Edit& edit) {
  auto* place = edit.find(Kind::binary);
  if (place == nullptr) return false;
  static const char* const comparisons[] = {"=", "IS", "<", "<=", ">", ">=", "<>", "IS NOT"};
  static const char* const arithmetic[] = {"+", "-", "*", "/", "||"};
  auto& text = place->node->text;
  if (text == "AND" || text == "OR") {
    text = text == "AND" ? "OR" : "AND";
  } else {
    text = is_predicate(*place->node) ? edit.picker.of(comparisons) : edit.picker.of(arithmetic);
  }
  return true;
}

bool swap_operands(Edit& edit) {
  auto* place = edit.find(Kind::binary);
  if (place == nullptr) return false;
  auto& node = *place->node;
  std::swap(node.parts[0], node.parts[1]);
  for (const auto& [smaller, greater] : {std::pair("<", ">"), std::pair("<=", ">=")}) {
    if (node.text == smaller) {
      node.text = greater;
    } else if (node.text == greater) {
      node.text = smaller;
    }
  }
  return true;
}

// p in a test that tells NULL from false or does not.
bool wrap_predicate(Edit& edit) {
  auto* place = edit.find(is_predicate);
  if (place == nullptr) return false;
  static const char* const tests[] = {"IS TRUE", "IS NOT FALSE", "IS NOT TRUE", "IS FALSE", "IS NULL", "IS NOT NULL"};
  Node inner = std::move(*place->node);
  Node& node = *place->node;
  switch (edit.picker.below(9)) {
    case 0:
    case 1: node = make(Kind::prefix, "NOT", {inner}); break;
    case 2:
    case 3: node = make(Kind::postfix, edit.picker.of(tests), {inner}); break;
    case 4: node = binary("OR", inner, literal("NULL")); break;
    case 5: node = make(Kind::case_when, {}, {inner, literal("1"), literal("0")}); break;
    case 6: node = make(Kind::call, "coalesce", {inner, literal("0")}); break;
    case 7:
      node = binary(edit.picker.chance(50) ? "=" : "IS", inner, literal(edit.picker.chance(50) ? "0" : "1"));
      break;
    default: node = make(Kind::prefix, "NOT", {make(Kind::prefix, "NOT", {inner})}); break;
  }
  return true;
}

// NOT (p AND q) and NOT p OR NOT q; NOT (x = y) and x <> y; NOT (x IN ...) and x NOT IN ...
bool push_not(Edit& edit) {
  auto* place = edit.find([](const Node& node) { return node.is(Kind::prefix) && node.text == "NOT"; });
  if (place == nullptr) return false;
  Node inner = place->node->parts[0];
  static const std::pair<const char*, const char*> opposites[] = {{"=", "<>"},
                                                                  {"<", ">="},
                                                                  {">", "<="},
                                                                  {"IS", "IS NOT"},
                                                                  {"IN", "NOT IN"},
                                                                  {"EXISTS", "NOT EXISTS"},
                                                                  {"BETWEEN", "NOT BETWEEN"},
                                                                  {"IS NULL", "IS NOT NULL"},
                                                                  {"IS TRUE", "IS NOT TRUE"},
                                                                  {"IS FALSE", "IS NOT FALSE"},
                                                                  {"AND", "OR"}};
  bool has_opposite = false;
  for (const auto& [a, b] : opposites) {
    const bool is_a = inner.text == a;
    if (has_opposite || (!is_a && inner.text != b)) continue;
    inner.text = is_a ? b : a;
    has_opposite = true;
  }
  if (!has_opposite || !is_predicate(inner)) return false;
  if (inner.text == "AND" || inner.text == "OR") {
    for (auto& part : inner.parts) part = make(Kind::prefix, "NOT", {part});
  }
  *place->node = std::move(inner);
  return true;
}

bool between_and_comparisons(Edit& edit) {
  auto* place = edit.find(Kind::between);
  if (place == nullptr) return false;
  auto& node = *place->node;
  const bool negated = node.text != "BETWEEN";
  Node low = binary(negated ? "<" : ">=", node.parts[0], node.parts[1]);
  Node high = binary(negated ? ">" : "<=", node.parts[0], node.parts[2]);
  node = binary(negated ? "OR" : "AND", std::move(low), std::move(high));
  return true;
}

bool case_otherwise(Edit& edit) {
  auto* place = edit.find(Kind::case_when);
  if (place == nullptr) return false;
  auto& node = *place->node;
  if (edit.picker.chance(50)) {
    std::swap(node.parts[1], node.parts[2]);
    node.parts[0] = make(Kind::prefix, "NOT", {node.parts[0]});
  } else {
    node = make(Kind::call, "iif", node.parts);
  }
  return true;
}

// A conjunct that looks as if it were implied.
bool add_conjunct(Edit& edit) {
  auto* place = edit.find(is_predicate);
  if (place == nullptr) return false;
  std::vector<Node> columns;
  visit(static_cast<const Node&>(*place->node), [&](const Node& node) {
    if (node.is(Kind::column)) columns.push_back(node);
  });
  Node more;
  if (columns.empty() || edit.picker.chance(30)) {
    more = edit.maker.predicate(place->scope, 0);
  } else {
    const Node& column = edit.picker.of(columns);
    more = edit.picker.chance(50) ? make(Kind::postfix, "IS NOT NULL", {column})
                                  : binary(edit.picker.chance(50) ? "=" : "<=", column, column);
  }
  *place->node = binary(edit.picker.chance(75) ? "AND" : "OR", *place->node, std::move(more));
  return true;
}

bool distribute(Edit& edit) {
  auto* place = edit.find([](const Node& node) {
    return node.is(Kind::binary) && (node.text == "AND" || node.text == "OR") && node.parts[1].is(Kind::binary) &&
           node.parts[1].text == (node.text == "AND" ? "OR" : "AND");
  });
  if (place == nullptr) return false;
  auto& node = *place->node;
  const Node x = node.parts[0];
  const Node y = node.parts[1];
  node = binary(y.text, binary(node.text, x, y.parts[0]), binary(node.text, x, y.parts[1]));
  return true;
}

constexpr EditFunction expression_edit_functions[] = {
    other_constant,          other_column,   wrap_value,     wrap_value,     unwrap,
    other_operator,          swap_operands,  wrap_predicate, wrap_predicate, push_not,
    between_and_comparisons, case_otherwise, add_conjunct,   distribute};

}  // namespace

std::span<const EditFunction> expression_edits() { return expression_edit_functions; }

}  // namespace trustsql::families
