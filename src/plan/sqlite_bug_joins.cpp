// Joins that SQLite gets wrong.
#include <algorithm>
#include <span>

#include "db/catalog/catalog.hpp"
#include "plan/constants.hpp"
#include "plan/sqlite_bug_patterns.hpp"
#include "plan/sqlite_bug_search.hpp"
#include "plan/sqlite_bugs.hpp"

namespace trustsql::plan {

namespace {

bool is_right_or_full(const Join& join) { return join.type == JoinType::right || join.type == JoinType::full; }

// Whether `holds(join)` for a join in this FROM clause, or in that of a subquery that SQLite may make part of it.
template <class Holds>
bool has_join(const Rel& rel, const Holds& holds) {
  const auto* n = rel.as<Join>();
  if (n != nullptr && holds(*n)) return true;
  if (n == nullptr && !rel.is<Project>() && !rel.is<Filter>() && !rel.is<Derived>() && !rel.is<Apply>()) return false;
  bool found = false;
  for_each_rel(rel, [&](const Rel& input) { found = found || has_join(input, holds); });
  return found;
}

bool has_table_function(const Rel& rel) {
  bool found = rel.is<TableFunction>();
  if (rel.is<Join>() || rel.is<Apply>() || rel.is<Project>())
    for_each_rel(rel, [&](const Rel& input) { found = found || has_table_function(input); });
  return found;
}

}  // namespace

bool has_condition_without_columns(const Rel& rel) {
  if (const auto* n = rel.as<Project>()) return has_condition_without_columns(*n->input);
  const auto in_either_side = [](const Rel& left, const Rel& right, const std::vector<Expr>& on, bool inner) {
    const auto columns = output_set(left) | output_set(right);
    const auto is_without = [&](const Expr& conjunct) { return !references(conjunct).intersects(columns); };
    return (inner && std::any_of(on.begin(), on.end(), is_without)) || has_condition_without_columns(left) ||
           has_condition_without_columns(right);
  };
  if (const auto* n = rel.as<Join>()) return in_either_side(*n->left, *n->right, n->on, n->type == JoinType::inner);
  if (const auto* n = rel.as<Apply>()) return in_either_side(*n->left, *n->right, n->on, n->type == ApplyType::lateral);
  return false;
}

bool selects_from_right_join(const Rel& rel) {
  if (const auto* n = rel.as<Project>()) return selects_from_right_join(*n->input);
  if (const auto* n = rel.as<Filter>()) return selects_from_right_join(*n->input);
  if (const auto* n = rel.as<Apply>()) return selects_from_right_join(*n->left);
  const auto* n = rel.as<Join>();
  return n != nullptr &&
         (is_right_or_full(*n) || selects_from_right_join(*n->left) || selects_from_right_join(*n->right));
}

bool computes_subquery_once(const Rel& rel, const Plan& plan) {
  if (const auto* n = rel.as<Derived>()) return computes_subquery_once(*n->input, plan);
  if (const auto* n = rel.as<Sort>()) return computes_subquery_once(*n->input, plan);
  if (const auto* n = rel.as<Filter>()) return computes_subquery_once(*n->input, plan);
  const auto* project = rel.as<Project>();
  if (project == nullptr) return false;
  return std::any_of(project->items.begin(), project->items.end(),
                     [&plan](const ProjectItem& item) {
                       const auto* scalar = item.expr.as<ScalarSubquery>();
                       const auto* exists = item.expr.as<Exists>();
                       return (scalar != nullptr && free_attributes_but_null_tests(*scalar->rel, plan).empty()) ||
                              (exists != nullptr && free_attributes_but_null_tests(*exists->rel, plan).empty());
                     }) ||
         computes_subquery_once(*project->input, plan);
}

bool is_right_join_after_constant(const Rel& rel, const Plan&) {
  const auto* n = rel.as<Join>();
  return n != nullptr && is_right_or_full(*n) && has_condition_without_columns(*n->left);
}

bool is_right_join_of_table_function(const Rel& rel, const Plan&) {
  const auto* n = rel.as<Join>();
  return n != nullptr && is_right_or_full(*n) && (has_table_function(*n->left) || has_table_function(*n->right));
}

bool is_right_join_in_union_all(const Rel& rel, const Plan&) {
  const auto* derived = rel.as<Derived>();
  if (derived == nullptr) return false;
  const Rel* input = derived->input.get();
  while (const auto* sort = input->as<Sort>()) input = sort->input.get();
  const auto* n = input->as<SetOp>();
  return n != nullptr && n->op == ast::SetOp::union_all &&
         std::any_of(n->inputs.begin(), n->inputs.end(), selects_from_right_join);
}

bool is_left_join_after_right_join(const Rel& rel, const Plan&) {
  const auto* n = rel.as<Join>();
  if (n == nullptr || n->type != JoinType::inner || n->on.empty()) return false;
  return has_join(*n->left, is_right_or_full) &&
         has_join(*n->right, [](const Join& join) { return join.type == JoinType::left; });
}

bool is_left_join_of_subquery_value(const Rel& rel, const Plan& plan) {
  const auto* n = rel.as<Join>();
  if (n == nullptr) return false;
  const bool fills_left = n->type == JoinType::right || n->type == JoinType::full;
  const bool fills_right = n->type == JoinType::left || n->type == JoinType::full;
  return (fills_left && computes_subquery_once(*n->left, plan)) ||
         (fills_right && computes_subquery_once(*n->right, plan));
}

namespace {

// Whether LIKE, applied to a column that may have an index, is part of a condition in `rel`, a side of a join, or of a
// subquery in FROM that SQLite may merge.
bool has_like_of_indexed_column(const Rel& rel, const Plan& plan) {
  const auto may_be_indexed = [&](const Expr& operand) {
    const auto* id = column_id(operand);
    if (id == nullptr) return false;
    const auto& attribute = plan.attributes[*id];
    if (attribute.table == nullptr || attribute.position < 0) return true;
    const auto& column = attribute.table->columns[static_cast<std::size_t>(attribute.position)];
    return column.is_indexed || column.is_rowid_alias;
  };
  const bool here = any_value(rel, [&](const Expr& expr) {
    if (const auto* like = expr.as<Like>()) return like->op == ast::LikeOp::like && may_be_indexed(*like->operand);
    const auto* call = expr.as<Function>();
    return call != nullptr && call->name == "like" && call->arguments.size() >= 2 && may_be_indexed(call->arguments[1]);
  });
  bool below = false;
  if (rel.is<Join>() || rel.is<Derived>() || rel.is<Project>() || rel.is<Filter>())
    for_each_rel(rel, [&](const Rel& input) { below = below || has_like_of_indexed_column(input, plan); });
  return here || below;
}

}  // namespace

bool is_outer_join_of_pattern(const Rel& rel, const Plan& plan) {
  const auto* n = rel.as<Join>();
  return n != nullptr && n->type != JoinType::inner && has_like_of_indexed_column(rel, plan);
}

// This includes joins elsewhere in the query, since SQLite moves conditions into subqueries, and columns of subqueries
// into conditions.
bool is_row_in_beside_right_join(const Rel& rel, const Plan& plan) {
  const bool has_row_in = any_value(rel, [](const Expr& expr) {
    const auto* in = expr.as<InSubquery>();
    return in != nullptr && in->how.size() > 1;
  });
  bool found = false;
  if (has_row_in) walk(plan.root, [&](const Join& join) { found = found || is_right_or_full(join); });
  return found;
}

namespace {

// The columns of tables that an outer join of this FROM clause may fill with NULLs, and that have an index.
void add_filled_columns(const Rel& rel, const Plan& plan, bool filled, AttributeSet& columns) {
  if (const auto* join = rel.as<Join>()) {
    const bool fills_left = join->type == JoinType::right || join->type == JoinType::full;
    const bool fills_right = join->type == JoinType::left || join->type == JoinType::full;
    add_filled_columns(*join->left, plan, filled || fills_left, columns);
    add_filled_columns(*join->right, plan, filled || fills_right, columns);
    return;
  }
  if (rel.is<Scan>()) {
    for (const auto id : outputs(rel)) {
      const auto& attribute = plan.attributes[id];
      const bool indexed = attribute.table != nullptr && attribute.position >= 0 &&
                           attribute.table->columns[static_cast<std::size_t>(attribute.position)].is_indexed;
      if (filled && indexed) columns.add(id);
    }
    return;
  }
  for_each_rel(rel, [&](const Rel& input) { add_filled_columns(input, plan, filled, columns); });
}

}  // namespace

bool is_distinct_of_outer_join(const Rel& rel, const Plan& plan) {
  const auto* aggregate = rel.as<Aggregate>();
  const bool distinct =
      rel.is<Distinct>() ||
      (aggregate != nullptr &&
       (aggregate->of_distinct || std::any_of(aggregate->calls.begin(), aggregate->calls.end(),
                                              [](const AggregateCall& call) { return call.distinct; })));
  if (!distinct) return false;
  AttributeSet columns;
  add_filled_columns(rel, plan, false, columns);
  return !columns.empty();
}

// SQLite also takes over the order of a subquery in FROM.
bool sorts_distinct_with_nulls_behind(const Rel& rel, const Plan&) {
  const auto puts_nulls_behind = [](const Sort& sort) {  // at the end where the greatest values come
    return std::any_of(sort.keys.begin(), sort.keys.end(),
                       [](const SortKey& key) { return key.nulls_first == key.descending; });
  };
  const auto is_distinct = [](const Rel& each) {
    const auto* aggregate = each.as<Aggregate>();
    return each.is<Distinct>() || (aggregate != nullptr && aggregate->of_distinct);
  };
  bool distinct = is_distinct(rel);
  bool behind = rel.is<Sort>() && puts_nulls_behind(*rel.as<Sort>());
  if (!distinct && !behind) return false;
  walk(rel, [&](const Rel& below) {
    distinct = distinct || is_distinct(below);
    behind = behind || (below.is<Sort>() && puts_nulls_behind(*below.as<Sort>()));
  });
  return distinct && behind;
}

// Whether an aggregate of DISTINCT values has a FILTER, over a table with an index.
bool filters_distinct_values(const Rel& rel, const Plan& plan) {
  const auto* aggregate = rel.as<Aggregate>();
  if (aggregate == nullptr || std::none_of(aggregate->calls.begin(), aggregate->calls.end(),
                                           [](const AggregateCall& call) { return call.distinct && call.filter; }))
    return false;
  bool indexed = false;
  walk(*aggregate->input, [&](const Rel& below) {
    if (!below.is<Scan>()) return;
    for (const auto id : outputs(below)) {
      const auto& attribute = plan.attributes[id];
      indexed = indexed || (attribute.table != nullptr && attribute.position >= 0 &&
                            attribute.table->columns[static_cast<std::size_t>(attribute.position)].is_indexed);
    }
  });
  return indexed;
}

// Whether an outer join that SQLite may leave out stands beside another join, under an order that goes down somewhere,
// or over a table with an index that does.
bool sorts_after_outer_join(const Rel& rel, const Plan&) {
  const auto* sort = rel.as<Sort>();
  const auto* window = rel.as<Window>();
  if (sort == nullptr && window == nullptr) return false;
  const auto descends = [](const SortKey& key) { return key.descending; };
  bool falls = sort != nullptr && std::any_of(sort->keys.begin(), sort->keys.end(), descends);
  if (window != nullptr)
    for (const auto& call : window->calls)
      falls = falls || std::any_of(call.order_by.begin(), call.order_by.end(), descends);
  int joins = 0;
  bool outer = false;
  const Rel& input = sort != nullptr ? *sort->input : *window->input;
  walk(input, [&](const Join& join) {
    ++joins;
    outer = outer || join.type == JoinType::left || join.type == JoinType::right || join.type == JoinType::full;
  });
  walk(input, [&](const Scan& scan) { falls = falls || (scan.table != nullptr && scan.table->has_descending_index); });
  return falls && outer && joins > 1;
}

namespace {

// Whether a column of `rel`, a side of an outer join or what it contains, is made of columns of an outer query alone.
bool passes_on_outer_value(const Rel& rel) {
  if (const auto* project = rel.as<Project>()) {
    const auto inside = output_set(*project->input);
    for (const auto& item : project->items) {
      const auto used = references(item.expr);
      if (!used.empty() && !used.intersects(inside)) return true;
    }
  }
  if (!rel.is<Derived>() && !rel.is<Project>() && !rel.is<Filter>() && !rel.is<Sort>() && !rel.is<Join>()) return false;
  bool found = false;
  for_each_rel(rel, [&](const Rel& input) { found = found || passes_on_outer_value(input); });
  return found;
}

}  // namespace

bool is_outer_join_of_outer_column(const Rel& rel, const Plan&) {
  const auto* n = rel.as<Join>();
  if (n == nullptr) return false;
  const bool fills_left = n->type == JoinType::right || n->type == JoinType::full;
  const bool fills_right = n->type == JoinType::left || n->type == JoinType::full;
  return (fills_left && passes_on_outer_value(*n->left)) || (fills_right && passes_on_outer_value(*n->right));
}

std::span<const SqliteBug> bugs_of_joins() {
  static constexpr SqliteBug bugs[] = {
      SqliteBug{
          .name = "right_join_after_constant",
          .what =
              "A condition without columns to the left of a RIGHT or FULL JOIN is applied to the whole join if it is "
              "not true.",
          .versions = "3.39 to 3.40.1",
          .schema = "CREATE TABLE x(a); CREATE TABLE y(b); CREATE TABLE z(c); INSERT INTO z VALUES (1)",
          .query = "SELECT * FROM x JOIN y ON 1 = 2 FULL JOIN z",
          .correct = "SELECT NULL, NULL, c FROM z",
          .matches = is_right_join_after_constant,
      },
      SqliteBug{
          .name = "right_join_of_table_function",
          .what = "A table-valued function in a RIGHT or FULL JOIN gives wrong rows, or none.",
          .versions = "3.39 to 3.40.1",
          .schema = "",  // found with random queries; no small example is known
          .query = "",
          .correct = "",
          .matches = is_right_join_of_table_function,
      },
      SqliteBug{
          .name = "right_join_in_union_all",
          .what = "In a UNION ALL subquery, the WHERE of a SELECT is lost if a later SELECT reads from a RIGHT JOIN.",
          .versions = "3.39 to 3.40.1",
          .schema = "CREATE TABLE x(a); CREATE TABLE y(b); CREATE TABLE z(c); INSERT INTO x VALUES (1), (2)",
          .query = "SELECT * FROM (SELECT a FROM x WHERE a > 1 UNION ALL SELECT b FROM y RIGHT JOIN z)",
          .correct = "SELECT a FROM x WHERE a > 1",
          .matches = is_right_join_in_union_all,
      },
      SqliteBug{
          .name = "left_join_after_right_join",
          .what =
              "A condition that joins a RIGHT JOIN with (a LEFT JOIN b) is lost where SQLite leaves b out, of which "
              "each row of a has one match at most and no column is used.",
          .versions = "3.39 to 3.40.1",
          .schema = "CREATE TABLE x(a); CREATE TABLE y(b); INSERT INTO y VALUES (0); CREATE TABLE z(c UNIQUE)",
          .query = "SELECT y1.b FROM x RIGHT JOIN y ON 1 JOIN (y AS y1 LEFT JOIN z ON c = y1.b) ON y.b",
          .correct = "SELECT y1.b FROM y JOIN y AS y1 ON y.b",
          .matches = is_left_join_after_right_join,
      },
      SqliteBug{
          .name = "right_join_of_row_in",
          .what =
              "Above a RIGHT or FULL JOIN, a row without a match that passes (x, y) IN (SELECT ...) is returned once "
              "for each row of the subquery that has its x.",
          .versions = "3.39 to 3.40.1",
          .schema =
              "CREATE TABLE x(a); CREATE TABLE y(b INTEGER PRIMARY KEY); CREATE TABLE z(c INT, d INT); INSERT INTO "
              "y VALUES "
              "(1); INSERT INTO z VALUES (1, 1), (1, 2)",
          .query = "SELECT b FROM x RIGHT JOIN y WHERE (b, b) IN (SELECT c, d FROM z)",
          .correct = "SELECT b FROM y WHERE (b, b) IN (SELECT c, d FROM z)",
          .matches = is_row_in_beside_right_join,
      },
      SqliteBug{
          .name = "left_join_of_subquery_value",
          .what =
              "A subquery that is a column of a subquery in FROM, which a LEFT JOIN reads, is NULL in all rows after "
              "the first that has no match.",
          .versions = "3.37 to 3.40.1; not in 3.54.1",
          .schema =
              "CREATE TABLE x(a); INSERT INTO x VALUES (1), (0), (1); CREATE TABLE y(b); INSERT INTO y VALUES (1)",
          .query = "SELECT c FROM x LEFT JOIN (SELECT (SELECT 1) AS c FROM y) ON a",
          .correct = "SELECT c FROM x LEFT JOIN (SELECT 1 AS c FROM y) ON a",
          .matches = is_left_join_of_subquery_value,
      },
      SqliteBug{
          .name = "outer_join_of_pattern",
          .what = "Rows without a match are lost where x LIKE 'p%', the condition of an outer join, is looked up in an "
                  "index "
                  "of x under NOCASE, or as a rowid.",
          .versions = "3.40.1; not in 3.37.2, 3.50.4",
          .schema = "CREATE TABLE b(k); CREATE TABLE w(k TEXT COLLATE NOCASE UNIQUE); INSERT INTO b VALUES (1)",
          .query = "SELECT b.k FROM b LEFT JOIN w ON w.k LIKE 'a%'",
          .correct = "SELECT k FROM b",
          .matches = is_outer_join_of_pattern,
      },
      SqliteBug{
          .name = "distinct_of_outer_join",
          .what =
              "DISTINCT skips rows in an index of the table that an outer join fills with NULLs, and returns rows of "
              "NULLs and values that do not match, if ANALYZE has been run.",
          .versions = "3.40.1; not in 3.54.1",
          .schema = "CREATE TABLE y(b INTEGER PRIMARY KEY, q TEXT); CREATE TABLE w(e INT, f TEXT); CREATE INDEX wi ON "
                    "w(e, f); INSERT INTO y VALUES (1, 'zzz'), (2, '3'); WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL "
                    "SELECT i + 1 FROM n WHERE i < 999) INSERT INTO w SELECT i % 2, i FROM n; ANALYZE",
          .query = "SELECT DISTINCT b, e FROM y LEFT JOIN w ON f = q",
          .correct = "SELECT b, e FROM y LEFT JOIN w ON f = q GROUP BY b, e",
          .matches = is_distinct_of_outer_join,
      },
      SqliteBug{
          .name = "distinct_with_filter",
          .what =
              "An aggregate of DISTINCT values with a FILTER, read from an index after ANALYZE, skips the other rows "
              "of a value although FILTER has left the first one out.",
          .versions = "3.40.1",
          .schema =
              "CREATE TABLE w(e INT, f INT, g INT); CREATE INDEX we ON w(e, f); WITH RECURSIVE n(i) AS (SELECT 0 UNION "
              "ALL SELECT i + 1 FROM n WHERE i < 39) INSERT INTO w SELECT i % 2, i / 2, 0 FROM n; ANALYZE",
          .query = "SELECT count(DISTINCT e) FILTER (WHERE f > 5) FROM w",
          .correct = "SELECT count(DISTINCT e) FROM w WHERE f > 5",
          .matches = filters_distinct_values,
      },
      SqliteBug{
          .name = "distinct_with_nulls_behind",
          .what = "SELECT DISTINCT ... ORDER BY x NULLS LAST, or x DESC NULLS FIRST, ends before the NULLs, or behind "
                  "them, where the rows are read in the order of an index and, after ANALYZE, equal ones are skipped.",
          .versions = "3.40.1",
          .schema =
              "CREATE TABLE w(f INT); CREATE INDEX wi ON w(f); WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i "
              "+ 1 FROM n WHERE i < 39) INSERT INTO w SELECT i % 2 FROM n; INSERT INTO w VALUES (NULL); ANALYZE",
          .query = "SELECT DISTINCT f FROM w ORDER BY f NULLS LAST",
          .correct = "SELECT f FROM w GROUP BY f ORDER BY f NULLS LAST",
          .matches = sorts_distinct_with_nulls_behind,
      },
      SqliteBug{
          .name = "order_after_omitted_join",
          .what = "Behind a LEFT JOIN that SQLite leaves out, since nothing uses its columns, a table is read in the "
                  "direction that ORDER BY asks of another one.",
          .versions = "3.40.1; not in 3.54.1",
          .schema = "CREATE TABLE a(id INTEGER PRIMARY KEY, k INT); CREATE TABLE u(c INTEGER PRIMARY KEY, v); CREATE "
                    "TABLE c(id INTEGER PRIMARY KEY); INSERT INTO a VALUES (1, 1); INSERT INTO c VALUES (1), (2)",
          .query = "SELECT a.id, c.id FROM a LEFT JOIN u ON u.c = a.k JOIN c ORDER BY a.id, c.id DESC",
          .correct = "SELECT a.id, c.id FROM a JOIN c ORDER BY a.id, c.id DESC",
          .matches = sorts_after_outer_join,
      },
      SqliteBug{
          .name = "outer_join_of_outer_column",
          .what =
              "A column of an outer query that a subquery in FROM passes on keeps its value where an outer join fills "
              "the columns of that subquery with NULLs.",
          .versions = "3.40.1; not in 3.54.1",
          .schema =
              "CREATE TABLE o(a); CREATE TABLE y(b); CREATE TABLE z(c); INSERT INTO o VALUES (1), (2); INSERT INTO "
              "y VALUES (0)",
          .query =
              "SELECT n FROM (SELECT count(*) AS n FROM o) AS s WHERE EXISTS (SELECT 1 FROM y LEFT JOIN (SELECT s.n "
              "AS c FROM z) AS q ON b = 1 WHERE q.c IS NULL)",
          .correct = "SELECT count(*) FROM o",
          .matches = is_outer_join_of_outer_column,
      },
  };
  return bugs;
}

}  // namespace trustsql::plan
