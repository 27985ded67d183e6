// Values that SQLite computes, keeps or reads wrongly.
#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "base/text.hpp"
#include "db/catalog/catalog.hpp"
#include "plan/sqlite_bug_patterns.hpp"
#include "plan/sqlite_bug_search.hpp"
#include "plan/types.hpp"

namespace trustsql::plan {

// Only a number or a blob is no text that stays what it is.
bool replaces_nothing(const Rel& rel, const Plan& plan) {
  return any_value(rel, [&](const Expr& expr) {
    const auto* call = expr.as<Function>();
    if (call == nullptr || call->name != "replace" || call->arguments.size() != 3) return false;
    const auto* pattern = call->arguments[1].as<Literal>();
    const auto* text = pattern == nullptr ? nullptr : std::get_if<std::string>(&pattern->value);
    const bool is_text = pattern != nullptr && !std::holds_alternative<Blob>(pattern->value);
    if (is_text && (text == nullptr || !text->empty())) return false;
    return (types_of(call->arguments[0], plan, {}) & (types::number | types::blob)) != TypeSet();
  });
}

bool tests_bare_column_for_null(const Rel& rel, const Plan& plan) {
  const auto* aggregate = aggregate_below(rel);
  if (aggregate == nullptr || aggregate->grouped) return false;
  const auto is_bare = [&](const Expr& operand) {
    const auto* id = column_id(operand);
    return id != nullptr && !plan.attributes[*id].types.may_be_null() &&
           std::any_of(aggregate->calls.begin(), aggregate->calls.end(),
                       [id](const AggregateCall& call) { return call.is_bare() && call.id == *id; });
  };
  return any_value_within(rel, [&](const Expr& expr) {
    const auto* test = expr.as<IsNull>();
    if (test == nullptr) return false;
    const Expr* operand = test->operand.get();
    while (const auto* minus = operand->as<Unary>()) operand = minus->operand.get();
    return is_bare(*operand);
  });
}

bool takes_constant_of_no_rows(const Rel& rel, const Plan& plan) {
  const auto* aggregate = rel.as<Aggregate>();
  if (aggregate == nullptr || aggregate->grouped) return false;
  return std::any_of(aggregate->calls.begin(), aggregate->calls.end(), [&](const AggregateCall& call) {
    bool found = false;
    if (call.is_bare())
      references(call.arguments.front()).for_each([&](AttributeId id) {
        found = found || plan.attributes[id].table == nullptr;
      });
    return found;
  });
}

namespace {

// Whether the operator reads a column of a table for which `holds`.
template <class Holds>
bool reads_column(const Rel& rel, const Plan& plan, const Holds& holds) {
  const auto* scan = rel.as<Scan>();
  if (scan == nullptr || scan->table == nullptr) return false;
  const auto columns = outputs(rel);
  return std::any_of(columns.begin(), columns.end(), [&](AttributeId id) {
    const int position = plan.attributes[id].position;
    return position >= 0 && holds(scan->table->columns[static_cast<std::size_t>(position)]);
  });
}

}  // namespace

bool reads_hidden_nulls(const Rel& rel, const Plan& plan) {
  return reads_column(rel, plan, [](const trustsql::Column& column) { return column.may_hide_nulls; });
}

namespace {

// Whether a default may be an integer that is no real: it has as many digits as 2^53, is written in hexadecimal, or is
// cast.
bool may_be_no_real(std::string_view expression) {
  constexpr std::size_t most_digits = 15;
  if (contains_ignore_case(expression, "cast")) return true;  // to an integer: 2^63 - 1 of 1e20
  std::size_t digits = 0;
  for (std::size_t i = 0; i < expression.size(); ++i) {
    digits = expression[i] >= '0' && expression[i] <= '9' ? digits + 1 : 0;
    const bool hexadecimal =
        expression[i] == '0' && i + 1 < expression.size() && to_lower_ascii(expression[i + 1]) == 'x';
    if (digits > most_digits || hexadecimal) return true;
  }
  return false;
}

}  // namespace

bool reads_integer_defaults(const Rel& rel, const Plan& plan) {
  return reads_column(rel, plan, [](const trustsql::Column& column) {
    return column.affinity == Affinity::real && column.default_value && may_be_no_real(*column.default_value);
  });
}

// Before 3.44 (Builder::build_from()); no other column of texts may hold an integer.
bool reads_truth_defaults(const Rel& rel, const Plan& plan) {
  const auto* scan = rel.as<Scan>();
  if (scan == nullptr || scan->table == nullptr) return false;
  const auto columns = outputs(rel);
  return std::any_of(columns.begin(), columns.end(), [&](AttributeId id) {
    const auto& attribute = plan.attributes[id];
    return attribute.position >= 0 && attribute.affinity == Affinity::text &&
           attribute.types.contains(ValueType::integer);
  });
}

bool keeps_hidden_column(const Rel& rel, const Plan& plan) {
  const auto* scan = rel.as<Scan>();
  const auto* function = rel.as<TableFunction>();
  const auto* table = scan != nullptr ? scan->table : function != nullptr ? function->table : nullptr;
  if (table == nullptr) return false;
  const auto columns = outputs(rel);
  const bool reads = std::any_of(columns.begin(), columns.end(), [&](AttributeId id) {
    const auto& attribute = plan.attributes[id];
    return attribute.position >= 0 && table->columns[static_cast<std::size_t>(attribute.position)].hidden &&
           attribute.affinity == Affinity::numeric;
  });
  bool keeps = false;
  if (reads) walk(plan.root, [&keeps](const Derived&) { keeps = true; });
  return keeps;
}

bool reads_virtual_real(const Rel& rel, const Plan& plan) {
  return reads_column(rel, plan, [](const trustsql::Column& column) {
    return column.generated == trustsql::Column::Generated::virtual_ && column.affinity == Affinity::real;
  });
}

bool reads_index_on_virtual_column(const Rel& rel, const Plan&) {
  const auto* scan = rel.as<Scan>();
  return scan != nullptr && scan->table != nullptr && scan->table->has_index_on_virtual_column;
}

bool reads_index_on_expression(const Rel& rel, const Plan&) {
  const auto* scan = rel.as<Scan>();
  return scan != nullptr && scan->table != nullptr && scan->table->has_index_on_expression;
}

bool slides_window(const Rel& rel, const Plan& plan) {
  const auto* window = rel.as<Window>();
  if (window == nullptr) return false;
  return std::any_of(window->calls.begin(), window->calls.end(), [&](const WindowCall& call) {
    if (!call.frame || call.frame->start.kind == ast::FrameBound::Kind::unbounded_preceding) return false;
    if (call.name == "min" || call.name == "max") return static_cast<bool>(call.filter);
    if (call.name == "sum" || call.name == "total" || call.name == "avg")
      return call.arguments.empty() ||
             (types_of(call.arguments.front(), plan, {}) & (types::real | types::text | types::blob)) != TypeSet();
    return call.name == "group_concat" || call.name == "string_agg" || call.name.starts_with("json");
  });
}

std::span<const SqliteBug> bugs_of_values() {
  static constexpr SqliteBug bugs[] = {
      SqliteBug{
          .name = "index_on_virtual_column",
          .what = "An index on a virtual generated column answers for the expression of the column too, with the "
                  "affinity of the column; later versions store integers in it for a column that copies a REAL one.",
          .versions = "3.37 to 3.54.1",
          .schema =
              "CREATE TABLE s(k TEXT, g INT AS (k || '')); INSERT INTO s(k) VALUES ('1'); CREATE INDEX sg ON s(g); "
              "CREATE TABLE x(k TEXT); INSERT INTO x VALUES ('1')",
          .query = "SELECT k FROM s WHERE g = 1 AND k || '' = '1'",
          .correct = "SELECT k FROM x",
          .matches = reads_index_on_virtual_column,
      },
      SqliteBug{
          .name = "replace_of_nothing",
          .what = "replace(x, '', y) of a number x is that number and its text at once; the kind of comparison decides "
                  "what "
                  "it is equal to.",
          .versions = "3.37 to 3.40.1; not in 3.50.4",
          .schema = "CREATE TABLE n(k INT, w TEXT); INSERT INTO n VALUES (7, '7')",
          .query = "SELECT w FROM n WHERE w = replace(k, '', '')",
          .correct = "SELECT w FROM n WHERE w = CAST(k AS TEXT)",
          .matches = replaces_nothing,
      },
      SqliteBug{
          .name = "null_test_of_bare_column",
          .what = "Of no rows, a column beside an aggregate is NULL; IS NULL says that it is not, if it is NOT NULL.",
          .versions = "3.37 to 3.40.1; not in 3.50.4",
          .schema = "CREATE TABLE b(k INT NOT NULL)",
          .query = "SELECT count(*), k IS NULL FROM b",
          .correct = "SELECT c, k IS NULL FROM (SELECT count(*) AS c, k FROM b)",
          .matches = tests_bare_column_for_null,
      },
      SqliteBug{
          .name = "hidden_nulls",
          .what = "ALTER TABLE adds a column NOT NULL with a default such as -NULL, which is NULL in the rows that are "
                  "there; IS NULL says that it is not.",
          .versions = "3.37 to 3.50.4",
          .schema = "CREATE TABLE t(a); INSERT INTO t VALUES (1); ALTER TABLE t ADD x INT NOT NULL DEFAULT (-NULL); "
                    "CREATE TABLE y(a, x); INSERT INTO y VALUES (1, NULL)",
          .query = "SELECT a FROM t WHERE x IS NULL",
          .correct = "SELECT a FROM y WHERE x IS NULL",
          .matches = reads_hidden_nulls,
      },
      SqliteBug{
          .name = "integer_default_of_reals",
          .what =
              "ALTER TABLE adds a REAL column whose default is an integer that is no real; an index has the integer "
              "in the rows that were there, and the table the nearest real.",
          .versions = "3.40.1",
          .schema = "CREATE TABLE t(id INTEGER PRIMARY KEY); INSERT INTO t VALUES (1); "
                    "ALTER TABLE t ADD r REAL DEFAULT 9007199254740993; CREATE INDEX tr ON t(r); "
                    "CREATE TABLE y(id, r REAL); INSERT INTO y VALUES (1, 9007199254740993)",
          .query = "SELECT id FROM t WHERE r = 9007199254740992",
          .correct = "SELECT id FROM y WHERE r = 9007199254740992",
          .matches = reads_integer_defaults,
      },
      SqliteBug{
          .name = "index_on_expression",
          .what = "An index on an expression answers for the expression: under another collation, without the mark of "
                  "JSON, or, where ANALYZE has been run, with rowids in the place of its values.",
          .versions = "3.40.1",
          .schema =
              "CREATE TABLE t(x TEXT); CREATE INDEX tx ON t(x || ''); INSERT INTO t VALUES ('B'); CREATE TABLE y(x "
              "TEXT); INSERT INTO y VALUES ('B')",
          .query = "SELECT x FROM t WHERE x || '' = 'A' OR x || '' = 'b' COLLATE NOCASE",
          .correct = "SELECT x FROM y",
          .matches = reads_index_on_expression,
      },
      SqliteBug{
          .name = "sliding_window",
          .what =
              "Where rows leave the frame of a window, min and max ignore FILTER, group_concat of empty texts is NULL, "
              "and sum, total and avg keep what infinite values and reals have left.",
          .versions = "3.40.1",
          .schema = "CREATE TABLE t(id INTEGER PRIMARY KEY, x INT, y INT); INSERT INTO t VALUES (1, 5, 0), (2, 3, 1)",
          .query = "SELECT max(x) FILTER (WHERE y) OVER (ORDER BY id ROWS CURRENT ROW) FROM t",
          .correct = "SELECT CASE WHEN y THEN x END FROM t",
          .matches = slides_window,
      },
      SqliteBug{
          .name = "truth_as_default_of_text",
          .what = "Of rows that were there before ALTER TABLE added it, a column of texts with the default TRUE or "
                  "FALSE holds an integer, which lookups in an index miss.",
          .versions = "3.40.1",
          .schema = "CREATE TABLE t(id INTEGER PRIMARY KEY); INSERT INTO t VALUES (1); ALTER TABLE t ADD COLUMN x TEXT "
                    "DEFAULT TRUE; CREATE INDEX tx ON t(x)",
          .query = "SELECT id FROM t WHERE x = '1'",
          .correct = "SELECT id FROM t",
          .matches = reads_truth_defaults,
      },
      SqliteBug{
          .name = "constant_of_no_rows",
          .what =
              "Of no rows, a column of a subquery beside an aggregate is NULL, but the constant that it stands for if "
              "SQLite merges the subquery.",
          .versions = "3.40.1",
          .schema = "CREATE TABLE v(id INT)",
          .query = "SELECT n, min(id) FROM (SELECT 'A' AS n, id FROM v)",
          .correct = "SELECT NULL, min(id) FROM v",
          .matches = takes_constant_of_no_rows,
      },
      SqliteBug{
          .name = "hidden_column_kept",
          .what =
              "A hidden column of a table-valued function has the affinity NUMERIC, by which its texts are converted "
              "only where a subquery or common table is kept.",
          .versions = "3.40.1; not in 3.54.1",
          .schema = "CREATE TABLE t(a)",
          .query = "WITH q AS MATERIALIZED (SELECT json FROM json_each('5')) SELECT typeof(json) FROM q",
          .correct = "SELECT typeof(json) FROM json_each('5')",
          .matches = keeps_hidden_column,
      },
      SqliteBug{
          .name = "virtual_real_kept",
          .what = "The value of a virtual generated column with the affinity REAL becomes an integer where it passes "
                  "through an expression and is kept in a temporary table.",
          .versions = "3.40.1; not in 3.54.1",
          .schema = "CREATE TABLE v(x INT, g REAL AS (x)); INSERT INTO v(x) VALUES (5)",
          .query = "WITH q AS MATERIALIZED (SELECT coalesce(g, 0.5) AS z FROM v) SELECT z / 2 FROM q",
          .correct = "SELECT x / 2.0 FROM v",
          .matches = reads_virtual_real,
      },
  };
  return bugs;
}

}  // namespace trustsql::plan
