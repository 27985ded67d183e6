#include "unit/equiv/families/query_maker.hpp"

namespace trustsql::families {

namespace {

const char* const comparisons[] = {"=", "=", "=", "=", "<", "<=", ">", "<>", "IS", "IS NOT"};

Scope operator+(Scope a, const Scope& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

void visit_expr(Node& expr, const QueryMaker& maker, const Scope& scope, const ScopedVisitor& visitor) {
  if (is_query(expr)) {
    visit_scoped(expr, maker, scope, visitor);
    return;
  }
  visitor(expr, scope);
  for (auto& part : expr.parts) visit_expr(part, maker, scope, visitor);
}

void visit_from(Node& from, const QueryMaker& maker, const Scope& outer, const ScopedVisitor& visitor) {
  visitor(from, outer);
  if (from.is(Kind::derived)) visit_scoped(from.parts[0], maker, outer, visitor);
  if (!from.is(Kind::join)) return;
  visit_from(from.parts[0], maker, outer, visitor);
  visit_from(from.parts[1], maker, outer, visitor);
  visit_expr(from.parts[2], maker, outer + maker.sources_of(from), visitor);
}

}  // namespace

void visit_scoped(Node& query, const QueryMaker& maker, const Scope& outer, const ScopedVisitor& visitor) {
  visitor(query, outer);
  if (!query.is(Kind::select)) {
    for (auto& part : query.parts) visit_expr(part, maker, outer, visitor);
    return;
  }
  if (!query[Part::from].is(Kind::none)) visit_from(query[Part::from], maker, outer, visitor);
  const auto scope = outer + maker.sources_of(query[Part::from]);
  for (const auto part : {Part::items, Part::where, Part::group, Part::having, Part::order})
    visit_expr(query[part], maker, scope, visitor);
}

Scope QueryMaker::sources_of(const Node& from) const {
  if (from.is(Kind::join)) return sources_of(from.parts[0]) + sources_of(from.parts[1]);
  Source source{from.alias, {}};
  if (from.is(Kind::table)) {
    for (const auto& column : schema_.find(from.text)->columns) source.columns.push_back(column.name);
  } else if (from.is(Kind::derived)) {
    for (std::size_t i = 1; i <= width(from.parts[0]); ++i) source.columns.push_back("c" + std::to_string(i));
  } else if (from.is(Kind::recursive)) {
    source.columns = {"c1"};
  } else {
    return {};
  }
  return {std::move(source)};
}

Node QueryMaker::table() {
  Node node = make(Kind::table, picker_.of(schema_.tables).name);
  node.alias = alias();
  return node;
}

Node QueryMaker::join(Node left, Node right) {
  static const char* const types[] = {"JOIN", "LEFT JOIN", "LEFT JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"};
  const auto of_left = sources_of(left);
  const auto of_right = sources_of(right);
  Node condition = binary("=", column({picker_.of(of_left)}), column({picker_.of(of_right)}));
  if (picker_.chance(15)) condition = conjunction(std::move(condition), predicate(of_left + of_right, 0));
  // A pattern that an index may be searched for.
  if (picker_.chance(8)) condition = binary("LIKE", column({picker_.of(of_right)}), literal("'a%'"));
  return make(Kind::join, picker_.of(types), {std::move(left), std::move(right), std::move(condition)});
}

Node QueryMaker::recursive() {
  Node of_step = table();
  const auto scope = sources_of(of_step);
  Node value = picker_.chance(80) ? column(scope) : expr(scope, 1);
  Node key = column(scope);
  Node node = make(Kind::recursive, {}, {subquery({}, 1, 0), std::move(of_step), std::move(value), std::move(key)});
  node.alias = alias();
  return node;
}

Node QueryMaker::from(int depth) {
  if (picker_.chance(3)) return recursive();
  if (depth == 0 || picker_.chance(30)) {
    if (depth == 0 || !picker_.chance(15)) return table();
    Node node = make(Kind::derived, {}, {subquery({}, 1 + picker_.below(2), depth - 1)});
    node.alias = alias();
    return node;
  }
  return join(from(depth - 1), from(depth - 1));
}

Node QueryMaker::column(const Scope& scope) {
  if (scope.empty()) return value();
  const auto& source = picker_.chance(70) ? scope.back() : picker_.of(scope);
  return column_of(source.alias, picker_.of(source.columns));
}

Node QueryMaker::value() { return picker_.chance(8) ? literal("NULL") : literal(picker_.of(values_)); }

Node QueryMaker::expr(const Scope& scope, int depth) {
  if (depth == 0 || picker_.chance(60)) return picker_.chance(75) ? column(scope) : value();
  static const char* const casts[] = {"INTEGER", "TEXT", "REAL", "NUMERIC", "BLOB"};
  static const char* const functions[] = {"abs",  "typeof", "length", "lower",     "upper",
                                          "trim", "round",  "json",   "json_array"};
  static const char* const pairs[] = {"coalesce", "ifnull", "nullif", "max", "min", "pow"};
  static const char* const operators[] = {"+", "-", "*", "||", "/", "%"};
  switch (picker_.below(9)) {
    case 0: return make(Kind::prefix, "+", {column(scope)});
    case 1: return make(Kind::cast, picker_.of(casts), {expr(scope, depth - 1)});
    case 2:
      if (picker_.chance(10))
        return make(Kind::call, "replace",
                    {expr(scope, depth - 1), picker_.chance(60) ? literal("''") : value(), value()});
      return make(Kind::call, picker_.of(functions), {expr(scope, depth - 1)});
    case 3: return make(Kind::call, picker_.of(pairs), {expr(scope, depth - 1), expr(scope, depth - 1)});
    case 4: return binary(picker_.of(operators), expr(scope, depth - 1), expr(scope, depth - 1));
    case 5:
      return make(Kind::case_when, {}, {predicate(scope, depth - 1), expr(scope, depth - 1), expr(scope, depth - 1)});
    case 6: return make(Kind::scalar, {}, {subquery(scope, 1, depth - 1)});
    case 7: return make(Kind::prefix, "-", {column(scope)});
    default: return predicate(scope, depth - 1);
  }
}

Node QueryMaker::predicate(const Scope& scope, int depth) {
  static const char* const tests[] = {"IS NULL", "IS NOT NULL", "IS TRUE", "IS NOT TRUE", "IS FALSE", "IS NOT FALSE"};
  static const char* const collations[] = {"NOCASE", "RTRIM", "BINARY"};
  static const char* const patterns[] = {"a%", "1%", "%1", "1.0e%", "1.0e+%", "I%", "-In%", "_", "%"};
  const auto kind = picker_.below(depth > 0 ? 15 : 6);
  const auto row = [&] { return make(Kind::row, {}, {column(scope), expr(scope, depth - 1)}); };
  switch (kind) {
    case 0:
    case 1: return binary(picker_.of(comparisons), column(scope), picker_.chance(60) ? column(scope) : value());
    case 2:
      // x IS (y IN ()) asks whether x is false.
      if (picker_.chance(10))
        return binary(picker_.chance(50) ? "IS" : "IS NOT", column(scope),
                      make(Kind::in_list, picker_.chance(50) ? "IN" : "NOT IN", {column(scope)}));
      return make(Kind::postfix, picker_.of(tests), {column(scope)});
    case 3:
      return make(Kind::in_list, picker_.chance(70) ? "IN" : "NOT IN",
                  {column(scope), value(), picker_.chance(50) ? value() : column(scope)});
    case 4: {
      Node left = column(scope);
      if (picker_.chance(30)) left = make(Kind::collate, picker_.of(collations), {std::move(left)});
      return binary(picker_.of(comparisons), std::move(left), value());
    }
    case 5: {
      std::string pattern = picker_.of(patterns);
      const bool glob = picker_.chance(50);
      for (auto& c : pattern)
        if (glob && (c == '%' || c == '_')) c = c == '%' ? '*' : '?';
      return binary(std::string(picker_.chance(80) ? "" : "NOT ") + (glob ? "GLOB" : "LIKE"), column(scope),
                    literal("'" + pattern + "'"));
    }
    case 6: return make(Kind::prefix, "NOT", {predicate(scope, depth - 1)});
    case 7: return binary(picker_.chance(60) ? "AND" : "OR", predicate(scope, depth - 1), predicate(scope, depth - 1));
    case 8:
      return make(Kind::between, picker_.chance(70) ? "BETWEEN" : "NOT BETWEEN",
                  {column(scope), value(), expr(scope, depth - 1)});
    case 9:
    case 10:
      return make(Kind::in_query, picker_.chance(60) ? "IN" : "NOT IN",
                  {expr(scope, depth - 1), subquery(scope, 1, depth - 1)});
    case 11: return make(Kind::exists, picker_.chance(60) ? "EXISTS" : "NOT EXISTS", {subquery(scope, 1, depth - 1)});
    case 12: return make(Kind::in_query, picker_.chance(60) ? "IN" : "NOT IN", {row(), subquery(scope, 2, depth - 1)});
    case 13: return binary(picker_.of(comparisons), row(), row());
    default: return binary(picker_.of(comparisons), expr(scope, depth - 1), expr(scope, depth - 1));
  }
}

Node QueryMaker::subquery(const Scope& scope, std::size_t columns, int depth) {
  if (picker_.chance(8)) {
    std::vector<Node> values;
    for (std::size_t i = 0; i < columns; ++i) values.push_back(picker_.chance(60) ? value() : column(scope));
    return make(Kind::values, {}, {make(Kind::row, {}, std::move(values))});
  }
  Node source = from(depth > 0 && picker_.chance(30) ? 1 : 0);
  const auto inner = sources_of(source);
  std::vector<Node> items;
  const bool grouped = picker_.chance(12);
  const bool aggregated = columns == 1 && picker_.chance(12);
  for (std::size_t i = 0; i < columns; ++i) {
    items.push_back(aggregated           ? aggregate(inner)
                    : picker_.chance(85) ? column(inner)
                                         : expr(inner, depth > 0 ? 1 : 0));
  }
  Node where;
  if (!scope.empty() && picker_.chance(30))
    where = binary(picker_.chance(80) ? "=" : "<", column(inner), column(scope));
  if (picker_.chance(25)) where = conjunction(std::move(where), predicate(inner, depth > 0 ? depth - 1 : 0));
  Node query = select_of(std::move(items), std::move(source), std::move(where));
  if (picker_.chance(12)) query.text = "DISTINCT";
  if (grouped && !aggregated) query[Part::group].parts = query[Part::items].parts;
  if (picker_.chance(8)) {
    static const char* const operations[] = {"UNION", "UNION ALL", "INTERSECT", "EXCEPT"};
    query = make(Kind::set_op, picker_.of(operations), {std::move(query), subquery(scope, columns, 0)});
  }
  return query;
}

Node QueryMaker::aggregate(const Scope& scope) {
  static const char* const functions[] = {"count", "count", "sum", "min", "max", "avg", "total"};
  Node node = make(Kind::aggregate, picker_.of(functions), {picker_.chance(85) ? column(scope) : expr(scope, 1), {}});
  if (node.text == "count" && picker_.chance(50)) node.parts[0] = {};
  if (!node.parts[0].is(Kind::none) && picker_.chance(15)) node.alias = "DISTINCT";
  if (picker_.chance(10)) node.parts[1] = predicate(scope, 0);
  return node;
}

Node QueryMaker::outer_joins() {
  Node source = join(from(1 + static_cast<int>(picker_.below(2))), from(static_cast<int>(picker_.below(3))));
  const auto scope = sources_of(source);
  const auto pick = [&] { return column({picker_.of(scope)}); };
  std::vector<Node> items{pick()};
  if (picker_.chance(40)) items.push_back(pick());
  Node query = select_of(std::move(items), std::move(source));
  if (picker_.chance(30)) query[Part::where] = predicate(scope, picker_.chance(30) ? 1 : 0);
  return query;
}

Node QueryMaker::membership() {
  Node source = table();
  const auto scope = sources_of(source);
  Node query = select_of({column(scope)}, std::move(source));
  Node test;
  const bool rows = picker_.chance(35);
  if (rows) {
    test = make(Kind::in_query, "IN", {make(Kind::row, {}, {column(scope), column(scope)}), subquery(scope, 2, 1)});
  } else {
    test = make(Kind::in_query, "IN", {picker_.chance(80) ? column(scope) : expr(scope, 1), subquery(scope, 1, 1)});
  }
  if (picker_.chance(40)) test.text = "NOT IN";
  if (picker_.chance(15)) test = make(Kind::prefix, "NOT", {std::move(test)});
  if (picker_.chance(15)) {
    query[Part::items].parts.push_back(std::move(test));
  } else {
    query[Part::where] = std::move(test);
  }
  return query;
}

Node QueryMaker::aggregated() {
  Node source = from(picker_.chance(50) ? 1 : 0);
  const auto scope = sources_of(source);
  Node query = select_of({aggregate(scope)}, std::move(source));
  if (picker_.chance(50)) {
    const Node key = picker_.chance(85) ? column(scope) : expr(scope, 1);
    query[Part::group].parts.push_back(key);
    if (picker_.chance(60)) query[Part::items].parts.insert(query[Part::items].parts.begin(), key);
    if (picker_.chance(40)) {
      Node left = picker_.chance(50) ? key : aggregate(scope);
      if (picker_.chance(30)) {
        query[Part::having] =
            make(Kind::in_query, picker_.chance(50) ? "IN" : "NOT IN", {std::move(left), subquery({}, 1, 0)});
      } else {
        query[Part::having] = binary(picker_.of(comparisons), std::move(left), value());
      }
    }
  }
  if (picker_.chance(40)) query[Part::where] = predicate(scope, 1);
  if (picker_.chance(20)) {
    auto& argument = query[Part::items].parts.back().parts[0];
    if (!argument.is(Kind::none)) argument = predicate(scope, 1);
  }
  return query;
}

Node QueryMaker::simple() {
  Node source = from(picker_.chance(40) ? 1 : 0);
  const auto scope = sources_of(source);
  std::vector<Node> items{expr(scope, picker_.chance(30) ? 2 : 0)};
  if (picker_.chance(40)) items.push_back(expr(scope, 1));
  Node query = select_of(std::move(items), std::move(source), predicate(scope, 2));
  if (picker_.chance(25)) query.text = "DISTINCT";
  if (picker_.chance(25)) query[Part::order].parts = query[Part::items].parts;
  return query;
}

Node QueryMaker::compound() {
  static const char* const operations[] = {"UNION", "UNION ALL", "INTERSECT", "EXCEPT"};
  const std::size_t columns = 1 + picker_.below(2);
  Node query = make(Kind::set_op, picker_.of(operations), {subquery({}, columns, 1), subquery({}, columns, 1)});
  if (picker_.chance(20))
    query = make(Kind::set_op, picker_.of(operations), {std::move(query), subquery({}, columns, 0)});
  return query;
}

Node QueryMaker::least() {
  Node source = table();
  const auto scope = sources_of(source);
  Node inner_source = table();
  const auto inner = sources_of(inner_source);
  Node where;
  if (picker_.chance(60)) where = binary("=", column(inner), column(scope));
  if (picker_.chance(20)) where = conjunction(std::move(where), predicate(inner, 0));
  const Node argument = column(inner);
  Node sub = select_of({make(Kind::aggregate, picker_.chance(50) ? "min" : "max", {argument, {}})},
                       std::move(inner_source), std::move(where));
  Node scalar = make(Kind::scalar, {}, {std::move(sub)});
  Node query = select_of({column(scope)}, std::move(source));
  if (picker_.chance(50)) {
    query[Part::items].parts.push_back(std::move(scalar));
  } else {
    query[Part::where] = binary(picker_.of(comparisons), column(scope), std::move(scalar));
  }
  return query;
}

Node QueryMaker::windows() {
  static const char* const functions[] = {"row_number", "rank", "dense_rank",  "sum", "count",
                                          "min",        "max",  "first_value", "lag"};
  Node source = from(picker_.chance(30) ? 1 : 0);
  const auto scope = sources_of(source);
  Node window =
      make(Kind::window, picker_.of(functions),
           {column(scope), picker_.chance(50) ? column(scope) : Node{}, picker_.chance(70) ? column(scope) : Node{}});
  Node query = select_of({column(scope), std::move(window)}, std::move(source));
  if (picker_.chance(30)) query[Part::where] = predicate(scope, 1);
  return query;
}

Node QueryMaker::query() {
  switch (picker_.below(20)) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4: return outer_joins();
    case 5:
    case 6:
    case 7:
    case 8:
    case 9: return membership();
    case 10:
    case 11:
    case 12: return aggregated();
    case 13:
    case 14:
    case 15: return simple();
    case 16:
    case 17: return compound();
    case 18: return picker_.chance(50) ? windows() : least();
    default: return least();
  }
}

}  // namespace trustsql::families
