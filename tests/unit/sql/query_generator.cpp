#include "unit/sql/query_generator.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace trustsql::testing_support {

const char* QueryGenerator::schema() {
  return R"(
    CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT, c REAL NOT NULL, d);
    CREATE TABLE u(a INT, e TEXT COLLATE NOCASE, f NUMERIC, b BLOB);
    CREATE TABLE w(a TEXT COLLATE RTRIM, b INT NOT NULL, g);
    CREATE TABLE s(i INT NOT NULL, r REAL, n TEXT, q ANY) STRICT;
    CREATE VIEW v AS SELECT a, b AS bee, c + 1 AS cc, count(*) OVER () AS n FROM t;
    CREATE VIEW v2(p, q) AS SELECT a, max(e) FROM u GROUP BY a UNION SELECT b, a FROM w;
    INSERT INTO t VALUES (1, 'a', 1, NULL), (2, '2', 2.5, 'A'), (3, NULL, -1e300, x'61'), (4, '10 ', 4, 10), (-5, 'abc', 0, '2.0');
    INSERT INTO u VALUES (1, 'ABC', '2', 'a'), (2, 'a', 'x', 2), (NULL, '2.0', 2.5, NULL), ('y', NULL, NULL, x'61'), (2.5, '10', 1e300, '2');
    INSERT INTO w VALUES ('a ', 1, 'a'), (2, 2, 2), (NULL, '10', x''), ('abc', 'abc', 1e999), ('10', 4, -9223372036854775808);
    INSERT INTO s VALUES (1, 2, 'a', 'A'), (2, NULL, NULL, NULL), (3, 2.5, '2', 2), (10, -1, 'abc ', x'61');
  )";
}

namespace {

using Names = std::vector<std::string>;

const Names& literals() {
  static const Names values = {"0",
                               "1",
                               "2",
                               "-1",
                               "2.5",
                               "1e300",
                               "'a'",
                               "'A'",
                               "'abc'",
                               "'ABC '",
                               "'2'",
                               "'10'",
                               "'2.0'",
                               "NULL",
                               "x'61'",
                               "x'32'",
                               "9223372036854775807",
                               "''",
                               "TRUE",
                               "false",
                               "' 2 '"};
  return values;
}

std::string parenthesised(std::string text) { return "(" + std::move(text) + ")"; }

}  // namespace

std::string QueryGenerator::literal() { return one_of(literals()); }

std::string QueryGenerator::expression() {
  Scope scope;
  scope.sources = {{"t", {"a", "b", "c", "d"}}, {"u", {"a", "e", "f", "b"}}, {"w", {"a", "b", "g"}}};
  return expr(-1, scope);
}

std::string QueryGenerator::column(const Scope& scope) {
  const Scope* from = &scope;
  while (from->outer != nullptr && chance(from->sources.empty() ? 0.9 : 0.15)) from = from->outer;
  const bool wrong_name = mistake();
  if (from->sources.empty() && !wrong_name) return literal();
  if (wrong_name) {
    static const Names wrong = {"nope",  "a",  "b",  "x.a",    "t.a",      "u.e",   "\"nope\"",
                                "rowid", "k1", "k2", "w.nope", "main.t.b", "[true]"};
    return one_of(wrong);
  }
  const Source& source = one_of(from->sources);
  const std::string name = chance(0.03) ? "rowid" : one_of(source.columns);
  return chance(0.25) ? name : source.name + "." + name;
}

// depth < 0: no subqueries, and depths below -1 limit the nesting.
std::string QueryGenerator::expr(int depth, const Scope& scope) {
  const int below = depth - (chance(0.6) ? 1 : 0);
  const auto sub = [&] { return expr(below < -3 ? -4 : below, scope); };
  if (depth <= -4 || chance(0.35)) return chance(0.75) ? column(scope) : literal();
  static const Names arithmetic = {"+", "-", "*", "/", "%", "||", "&", "|", "<<", ">>"};
  static const Names comparison = {"=", "<", "<=", ">", ">=", "<>", "IS", "IS NOT", "==", "!="};
  static const Names collations = {"NOCASE", "RTRIM", "BINARY", "nocase"};
  static const Names types = {"INT", "TEXT", "REAL", "BLOB", "NUMERIC", "VARCHAR(10)", "", "DATE"};
  switch (pick(19)) {
    case 0:
    case 1: return parenthesised(sub() + " " + one_of(arithmetic) + " " + sub());
    case 2:
    case 3: return parenthesised(sub() + " " + one_of(comparison) + " " + sub());
    case 4: return parenthesised(sub() + (chance(0.5) ? " AND " : " OR ") + sub());
    case 5:
      return parenthesised(std::string(chance(0.5) ? "- " : chance(0.5) ? "+ " : chance(0.5) ? "~ " : "NOT ") + sub());
    case 6: return parenthesised(sub() + (chance(0.5) ? " IS NULL" : " NOTNULL"));
    case 7: return parenthesised(sub() + (chance(0.3) ? " NOT" : "") + " BETWEEN " + sub() + " AND " + sub());
    case 8:
      return parenthesised(sub() + (chance(0.3) ? " NOT" : "") + " IN (" + sub() + (chance(0.7) ? ", " + sub() : "") +
                           ")");
    case 9: return parenthesised(sub() + " LIKE " + sub());
    case 10:
      return "CASE " + (chance(0.5) ? sub() : "") + " WHEN " + sub() + " THEN " + sub() +
             (chance(0.6) ? " ELSE " + sub() : "") + " END";
    case 11: return "CAST(" + sub() + " AS " + one_of(types) + ")";
    case 12: return parenthesised(sub() + " COLLATE " + one_of(collations));
    case 13:
      return parenthesised("(" + sub() + ", " + sub() + ") " + one_of(comparison) + " (" + sub() + ", " + sub() +
                           (mistake() ? ", 1)" : ")"));
    case 14:
    case 15: return subquery_expr(depth, scope);
    default: return call(below, scope);
  }
}

std::string QueryGenerator::subquery_expr(int depth, const Scope& scope) {
  if (depth <= 0) return call(depth, scope);
  const int columns = mistake() ? 2 : 1;
  const auto query = parenthesised(this->query(depth - 1, &scope, columns));
  switch (pick(4)) {
    case 0: return "EXISTS " + query;
    case 1: return parenthesised(expr(-2, scope) + (chance(0.3) ? " NOT IN " : " IN ") + query);
    case 2: return parenthesised("(" + expr(-2, scope) + ", 1) IN " + parenthesised(this->query(depth - 1, &scope, 2)));
    default: return query;
  }
}

std::string QueryGenerator::call(int depth, const Scope& scope) {
  const bool may_aggregate = scope.aggregates || mistake();
  if (may_aggregate && chance(0.4)) return aggregate(depth, scope);
  if ((scope.windows || mistake()) && chance(0.3)) return window(depth, scope);
  const auto sub = [&] { return expr(std::min(depth - 1, -2), scope); };
  if (mistake()) return chance(0.5) ? "nope(" + sub() + ")" : "abs(" + sub() + ", " + sub() + ")";
  static const Names unary = {"abs",  "lower", "upper", "length", "typeof", "hex",  "quote",  "unicode",
                              "trim", "round", "sign",  "likely", "ceil",   "sqrt", "soundex"};
  static const Names binary = {"ifnull", "nullif", "coalesce", "max", "min",  "instr",
                               "substr", "trim",   "mod",      "pow", "glob", "like"};
  switch (pick(3)) {
    case 0: return one_of(unary) + parenthesised(sub());
    case 1: return one_of(binary) + parenthesised(sub() + ", " + sub());
    default:
      return (chance(0.5)   ? "iif"
              : chance(0.5) ? "coalesce"
                            : "max") +
             parenthesised(sub() + ", " + sub() + ", " + sub());
  }
}

std::string QueryGenerator::aggregate(int depth, const Scope& scope) {
  Scope inside = scope;
  inside.aggregates = inside.windows = false;
  static const Names names = {"sum", "min", "max", "avg", "total", "count", "group_concat"};
  std::string call = chance(0.2) ? "count(*)"
                                 : one_of(names) + "(" + (chance(0.15) ? "DISTINCT " : "") +
                                       expr(std::min(depth - 1, 1), inside) + ")";
  if (chance(0.1)) call += " FILTER (WHERE " + expr(-2, inside) + ")";
  return call;
}

std::string QueryGenerator::window(int depth, const Scope& scope) {
  Scope inside = scope;
  inside.windows = false;
  static const Names names = {"row_number()", "rank()", "lag(", "first_value(", "sum(", "max(", "count(", "lead("};
  std::string call = one_of(names);
  if (call.back() == '(') call += expr(std::min(depth - 1, -2), inside) + ")";
  call += " OVER (";
  if (chance(0.5)) call += "PARTITION BY " + expr(-2, inside) + " ";
  if (chance(0.5)) call += "ORDER BY " + expr(-2, inside);
  return call + ")";
}

std::string QueryGenerator::query(int depth, const Scope* outer, int columns, bool named) {
  if (columns == 0) columns = 1 + pick(3);
  const auto visible = common_tables_.size();
  std::string text = depth > 1 && chance(0.15) ? with(depth, outer) : "";
  if (!named && chance(0.04)) {
    text += "VALUES ";
    for (int row = 0, rows = 1 + pick(2); row <= rows; ++row) {
      text += row > 0 ? ", (" : "(";
      for (int i = 0; i < columns; ++i) text += (i > 0 ? ", " : "") + literal();
      text += ")";
    }
  } else {
    std::vector<std::string> names;
    const int arms = chance(0.15) ? 2 + pick(2) : 1;
    static const Names set_ops = {" UNION ", " UNION ALL ", " INTERSECT ", " EXCEPT "};
    for (int i = 0; i < arms; ++i) {
      if (i > 0) text += one_of(set_ops);
      const int width = arms > 1 && mistake() ? columns + 1 : columns;
      text += select(depth, outer, width, arms == 1 && !named, named && i == 0, names);
    }
    if (arms > 1 && chance(0.4)) {
      const bool by_name = !names.empty() && chance(0.5);
      text += " ORDER BY " + (by_name ? one_of(names) : std::to_string(1 + pick(columns + (mistake() ? 1 : 0))));
      // If the last arm is grouped, SQLite moves its GROUP BY behind the compound query, a bug of SQLite.
      if (!last_is_grouped_ && outer == nullptr && chance(0.2)) text += " COLLATE NOCASE";
    }
  }
  if (chance(0.1)) text += " LIMIT " + std::to_string(pick(4));
  common_tables_.resize(visible);
  return text;
}

std::string QueryGenerator::with(int depth, const Scope* outer) {
  std::string text = "WITH ";
  const auto name = "k" + std::to_string(1 + pick(2));
  if (chance(0.3)) {
    text += "RECURSIVE " + name + "(i, j) AS (SELECT 1, " + literal() + " UNION" + (chance(0.7) ? " ALL" : "") +
            " SELECT i + 1, " + (chance(0.5) ? "j" : "i || j") + " FROM " + name + " WHERE i < 4) ";
    common_tables_.push_back({name, {"i", "j"}});
  } else {
    text += name + "(p, q) AS (" + query(depth - 2, outer, mistake() ? 3 : 2) + ") ";
    common_tables_.push_back({name, {"p", "q"}});
  }
  return text;
}

std::string QueryGenerator::select(int depth, const Scope* outer, int columns, bool ordered, bool named,
                                   std::vector<std::string>& names) {
  Scope scope;
  scope.outer = outer;
  std::string from_clause;
  const int items = chance(0.08) ? 0 : 1 + (chance(0.4) ? 1 + pick(2) : 0);
  if (items > 0) from_clause = " FROM " + from(depth, outer, scope.sources, items);
  const bool grouped = chance(0.25);
  const bool aggregates = grouped || chance(0.15);

  std::string text = chance(0.1) ? "SELECT DISTINCT " : "SELECT ";
  std::vector<std::string> exprs;
  std::vector<std::string> aliases;
  for (int i = 0; i < columns; ++i) {
    Scope inside = scope;
    inside.aggregates = aggregates;
    // With both, SQLite takes a term of GROUP BY that stands for a column with a number in it for a column's number.
    inside.windows = !grouped && chance(0.2);
    std::string item = aggregates && i == 0 && !grouped ? aggregate(depth, inside) : expr(depth - 1, inside);
    exprs.push_back(item);
    if (named || chance(0.4)) {
      aliases.push_back(named ? "c" + std::to_string(i + 1) : chance(0.3) ? "a" : "x" + std::to_string(++names_ % 3));
      item += " AS " + aliases.back();
      names.push_back(aliases.back());
    }
    text += (i > 0 ? ", " : "") + item;
  }
  if (chance(0.08) && outer == nullptr) text += ", *";
  text += from_clause;

  // Names of result columns can be used in the clauses that follow.
  Scope clause = scope;
  if (!aliases.empty() && chance(0.3)) clause.sources.push_back({"", aliases});
  const auto fix = [](std::string part) {
    for (auto position = part.find(" .x"); position != part.npos; position = part.find(" .x"))
      part.erase(position + 1, 1);
    return part;
  };
  if (chance(0.4)) text += " WHERE " + expr(depth - 1, scope);
  if (grouped) {
    const bool number = chance(0.1);
    text += " GROUP BY " + (number                            ? std::to_string(1 + pick(columns))
                            : chance(0.3) && !aliases.empty() ? one_of(aliases)
                                                              : expr(-2, scope));
    if (chance(0.3)) text += ", " + expr(-3, scope);
  }
  if (grouped ? chance(0.4) : mistake()) {
    Scope inside = scope;
    inside.aggregates = true;
    text += " HAVING " + (!aliases.empty() && chance(0.3) ? one_of(aliases) : expr(depth - 1, inside));
  }
  if (ordered && items > 0 && chance(0.3)) {
    Scope inside = scope;
    inside.outer = mistake() ? outer : nullptr;
    inside.aggregates = aggregates;
    text += order_by(depth, inside, columns, aliases);
    if (chance(0.2)) text += ", " + one_of(exprs);
  }
  last_is_grouped_ = grouped;
  return fix(text);
}

std::string QueryGenerator::order_by(int depth, const Scope& scope, int columns,
                                     const std::vector<std::string>& names) {
  std::string term;
  if (!names.empty() && chance(0.4)) {
    term = one_of(names) + (chance(0.3) ? " + 1" : "");
  } else if (chance(0.3)) {
    term = std::to_string(1 + pick(columns + (mistake() ? 1 : 0)));
  } else {
    term = expr(depth - 2, scope);
  }
  return " ORDER BY " + term + (chance(0.2) ? " COLLATE NOCASE" : "") + (chance(0.3) ? " DESC" : "");
}

std::string QueryGenerator::from(int depth, const Scope* outer, std::vector<Source>& sources, int items) {
  std::string text;
  static const Names joins = {
      ", ",           " JOIN ",      " LEFT JOIN ",         " NATURAL JOIN ", " CROSS JOIN ",
      " RIGHT JOIN ", " FULL JOIN ", " NATURAL LEFT JOIN ", " JOIN ",         " NATURAL FULL JOIN "};
  for (int i = 0; i < items; ++i) {
    const std::string join = i == 0 ? "" : one_of(joins);
    std::vector<Source> added;
    std::string item;
    if (depth > 0 && items > 1 && chance(0.12)) {
      item = parenthesised(from(depth - 1, outer, added, 1 + pick(2)));
      if (chance(0.2)) {
        item += " AS z" + std::to_string(i);
        if (added.size() == 1) added.front().name = "z" + std::to_string(i);
      }
    } else {
      added.emplace_back();
      item = source(depth, outer, added.back());
    }
    text += join + item;
    if (i > 0 && join.find("NATURAL") == join.npos && chance(0.8)) text += join_condition(depth, outer, sources, added);
    sources.insert(sources.end(), added.begin(), added.end());
  }
  return text;
}

std::string QueryGenerator::source(int depth, const Scope* outer, Source& source) {
  static const std::vector<Source> tables = {{"t", {"a", "b", "c", "d"}},
                                             {"u", {"a", "e", "f", "b"}},
                                             {"w", {"a", "b", "g"}},
                                             {"s", {"i", "r", "n", "q"}},
                                             {"v", {"a", "bee", "cc", "n"}},
                                             {"v2", {"p", "q"}},
                                             {"json_each('[1,\"a\",null]')", {"key", "value", "type"}}};
  std::string text;
  if (depth > 0 && chance(0.2)) {
    const bool named = chance(0.8);
    text = "(" + query(depth - 1, outer, 2, named) + ")";
    source.columns = named ? Names{"c1", "c2"} : Names{"a", "x1", "column1"};
  } else if (!common_tables_.empty() && chance(0.6)) {
    source = one_of(common_tables_);
    text = source.name;
  } else if (mistake()) {
    source = {"nope", {"a"}};
    text = source.name;
  } else {
    source = one_of(tables);
    text = source.name;
  }
  const auto end = source.name.find('(');
  if (end != source.name.npos) source.name.resize(end);
  if (source.name.empty() || chance(0.5)) {
    source.name = "q" + std::to_string(++names_ % 5);
    text += " AS " + source.name;
  }
  return text;
}

std::string QueryGenerator::join_condition(int depth, const Scope* outer, const std::vector<Source>& left,
                                           const std::vector<Source>& right) {
  if (chance(0.4)) {
    static const Names shared = {"a", "b", "a, b", "b"};
    if (mistake()) return " USING (nope)";
    return " USING (" + one_of(shared) + ")";
  }
  Scope scope;
  scope.outer = outer;
  scope.sources = left;
  scope.sources.insert(scope.sources.end(), right.begin(), right.end());
  return " ON " + expr(std::min(depth - 1, 0), scope);
}

}  // namespace trustsql::testing_support
