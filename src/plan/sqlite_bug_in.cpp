// IN with a list or a subquery that SQLite gets wrong.
#include <algorithm>
#include <span>

#include "db/catalog/catalog.hpp"
#include "plan/equal_columns.hpp"
#include "plan/sqlite_bug_patterns.hpp"
#include "plan/sqlite_bug_search.hpp"
#include "plan/types.hpp"

namespace trustsql::plan {

namespace {

// Whether SQLite may use an index of a table instead of running the subquery: its columns are plain columns of one
// table. It leaves out ORDER BY.
bool may_be_an_index(const Rel& rel) {
  if (const auto* n = rel.as<Derived>()) return may_be_an_index(*n->input);
  if (const auto* n = rel.as<Sort>()) return may_be_an_index(*n->input);
  const auto* n = rel.as<Project>();
  if (n == nullptr) return rel.is<Scan>();
  return may_be_an_index(*n->input) &&
         std::all_of(n->items.begin(), n->items.end(), [](const ProjectItem& item) { return item.expr.is<Column>(); });
}

}  // namespace

namespace {

// Whether x IN (...) in the operator converts an x that is a column for which `counts` holds.
template <class Counts>
bool converts_column_by_in(const Rel& rel, const Plan& plan, const Counts& counts) {
  const auto converts_column = [&](const Expr& operand, const Comparison& how) {
    const auto* id = column_id(operand);
    return id != nullptr && counts(*id) && converts(operand, how.affinity, plan);
  };
  return any_value_within(rel, [&](const Expr& expr) {
    if (const auto* in = expr.as<InList>()) return converts_column(*in->operand, in->how);
    const auto* in = expr.as<InSubquery>();
    return in != nullptr && in->operands.size() == 1 && in->how.size() == 1 &&
           converts_column(in->operands.front(), in->how.front());
  });
}

// The same for any column, in the operator or below it: SQLite may merge subqueries in FROM.
bool converts_column_below(const Rel& rel, const Plan& plan) {
  bool found = converts_column_by_in(rel, plan, [](AttributeId) { return true; });
  for_each_rel(rel, [&](const Rel& input) { found = found || converts_column_below(input, plan); });
  return found;
}

}  // namespace

namespace {

// The columns of the aggregation in the same SELECT; none if there is none.
AttributeSet aggregated_columns(const Rel& rel) {
  AttributeSet columns;
  const auto* aggregate = aggregate_below(rel);
  if (aggregate == nullptr) return columns;
  for (const auto& key : aggregate->keys) columns.add(key.id);
  for (const auto& call : aggregate->calls) columns.add(call.id);
  return columns;
}

}  // namespace

bool converts_aggregated_value(const Rel& rel, const Plan& plan) {
  if (rel.is<Aggregate>()) return converts_column_below(rel, plan);
  const auto columns = aggregated_columns(rel);
  return converts_column_by_in(rel, plan, [&columns](AttributeId id) { return columns.contains(id); });
}

namespace {

// Whether x = y in a subquery of the operator converts an x that is a column from outside the subquery for which
// `counts` holds. SQLite does so in place where it looks x up in an index of y, which it may make itself.
template <class Counts>
bool converts_outer_column(const Rel& rel, const Plan& plan, const Counts& counts) {
  return any_value(rel, [&](const Expr& expr) {
    bool found = false;
    for_each_rel(expr, [&](const Rel& subquery) {
      const auto outside = free_attributes(subquery);
      walk(subquery, [&](const Compare& compare) {
        if (compare.op != CompareOp::equal && compare.op != CompareOp::is) return;
        for (const auto* side : {&*compare.left, &*compare.right}) {
          const auto* id = column_id(*side);
          found = found || (id != nullptr && outside.contains(*id) && counts(*id) &&
                            converts(*side, compare.how.affinity, plan));
        }
      });
    });
    return found;
  });
}

// The same in the operator or below it.
bool converts_outer_column_below(const Rel& rel, const Plan& plan) {
  bool found = converts_outer_column(rel, plan, [](AttributeId) { return true; });
  for_each_rel(rel, [&](const Rel& input) { found = found || converts_outer_column_below(input, plan); });
  return found;
}

}  // namespace

bool looks_up_aggregated_value(const Rel& rel, const Plan& plan) {
  if (rel.is<Aggregate>()) return converts_outer_column_below(rel, plan);
  const auto columns = aggregated_columns(rel);
  return converts_outer_column(rel, plan, [&columns](AttributeId id) { return columns.contains(id); });
}

bool is_row_in_with_conversion(const Rel& rel, const Plan& plan) {
  return any_value(rel, [&](const Expr& expr) {
    const auto* in = expr.as<InSubquery>();
    if (in == nullptr || in->how.size() < 2) return false;
    for (std::size_t i = 0; i < in->how.size(); ++i) {
      const bool converted = in->operands.size() == in->how.size()
                                 ? converts(in->operands[i], in->how[i].affinity, plan)
                                 : in->how[i].affinity != Affinity::none;
      if (converted || !in->how[i].is_binary()) return true;
    }
    return false;
  });
}

bool is_row_in_index(const Rel& rel, const Plan& plan) {
  // If an outer join fills a column with NULLs, SQLite knows that it may be NULL, and checks.
  const auto is_declared_non_null = [&](const Expr& operand) {
    const auto* id = column_id(operand);
    return id != nullptr ? !plan.attributes[*id].types.may_be_null() : is_non_null(operand, plan, {});
  };
  return any_value(rel, [&](const Expr& expr) {
    const auto* in = expr.as<InSubquery>();
    if (in == nullptr || in->how.size() < 2 || !may_be_an_index(*in->rel)) return false;
    // The affinities are applied in the order of the index.
    const auto has_other_affinity = [&](const Comparison& how) { return how.affinity != in->how.front().affinity; };
    if (std::any_of(in->how.begin(), in->how.end(), has_other_affinity)) return true;
    if (in->operands.size() < in->how.size()) return true;
    const auto non_null = std::count_if(in->operands.begin(), in->operands.end(), is_declared_non_null);
    return non_null > 0 && static_cast<std::size_t>(non_null) < in->operands.size();
  });
}

bool is_in_with_real_affinity(const Rel& rel, const Plan& plan) {
  // Or a text that is converted to an integer.
  const auto may_be_integer = [&](const Expr& expr) {
    return (types_of(expr, plan, {}) & types::integer) != TypeSet() || converts(expr, Affinity::numeric, plan);
  };
  return any_value(rel, [&](const Expr& expr) {
    const auto* in = expr.as<InSubquery>();
    if (in == nullptr) return false;
    const auto columns = outputs(*in->rel);
    for (std::size_t i = 0; i < columns.size() && i < in->operands.size(); ++i) {
      const Expr right = column(columns[i]);
      const Expr& left = in->operands[i];
      if (affinity_of(left, plan) == Affinity::real && may_be_integer(right)) return true;
      if (affinity_of(right, plan) == Affinity::real && may_be_integer(left)) return true;
    }
    return false;
  });
}

bool is_in_under_other_collation(const Rel& rel, const Plan& plan) {
  // Only COLLATE makes the comparison of a column have another collation than the column: beside the column, where
  // SQLite knows what to do, or in the subquery, which a plan does not tell apart. An expression has no collation, but
  // an index on it has.
  const auto is_column_searched_for = [&](const Attribute& attribute, const Comparison& how) {
    if (how.collation == attribute.collation) return false;
    return attribute.table == nullptr ||
           (attribute.position >= 0 &&
            attribute.table->columns[static_cast<std::size_t>(attribute.position)].is_indexed);
  };
  const auto is_expression_searched_for = [&](const Expr& operand, const Comparison& how) {
    bool indexed = false;
    bool binary = how.is_binary();
    references(operand).for_each([&](AttributeId id) {
      const auto& attribute = plan.attributes[id];
      binary = binary && attribute.collation == binary_collation;
      // Columns of subqueries may be expressions.
      indexed = indexed || attribute.table == nullptr || attribute.table->has_index_on_expression;
    });
    return indexed && !binary;
  };
  return any_value(rel, [&](const Expr& expr) {
    const auto* in = expr.as<InSubquery>();
    for (std::size_t i = 0; in != nullptr && i < in->how.size() && i < in->operands.size(); ++i) {
      const auto* id = column_id(in->operands[i]);
      if (id != nullptr ? is_column_searched_for(plan.attributes[*id], in->how[i])
                        : is_expression_searched_for(in->operands[i], in->how[i]))
        return true;
    }
    return false;
  });
}

bool is_in_descending_index(const Rel& rel, const Plan& plan) {
  return any_value(rel, [&](const Expr& expr) {
    const auto* in = expr.as<InSubquery>();
    if (in == nullptr || !may_be_an_index(*in->rel)) return false;
    const auto results = outputs(*in->rel);
    return std::any_of(results.begin(), results.end(), [&](AttributeId id) {
      const auto& attribute = plan.attributes[id];
      return attribute.types.may_be_null() && attribute.table != nullptr && attribute.table->has_descending_index;
    });
  });
}

// Answers for the whole plan, at its root.
bool scans_index_for_in(const Rel& rel, const Plan& plan) {
  if (&rel != &plan.root) return false;
  std::vector<AttributeId> operands;
  const auto add = [&operands](const Expr& expr) {
    if (const auto* id = column_id(expr)) operands.push_back(*id);
  };
  walk(plan.root, [&](const InSubquery& in) { std::for_each(in.operands.begin(), in.operands.end(), add); });
  walk(plan.root, [&](const InList& in) {
    if (in.items.size() > 1) add(*in.operand);
  });
  // SQLite makes IN of a choice: x = 1 OR x = 2.
  walk(plan.root, [&](const Or& choice) {
    const auto is_equality = [](const Expr& part) {
      const auto* compare = part.as<Compare>();
      return part.is<InList>() || (compare != nullptr && compare->op == CompareOp::equal);
    };
    if (!std::all_of(choice.terms.begin(), choice.terms.end(), is_equality)) return;
    for (const auto& part : choice.terms) {
      if (const auto* list = part.as<InList>()) add(*list->operand);
      const auto* compare = part.as<Compare>();
      if (compare == nullptr) continue;
      add(*compare->left);
      add(*compare->right);
    }
  });
  if (operands.empty()) return false;
  EqualColumns equal(plan);
  const auto add_tables = [&](AttributeId id, std::vector<const Table*>& tables) {
    (void)equal.any(id, [&](AttributeId each) {
      const auto& attribute = plan.attributes[each];
      const bool indexed = attribute.table != nullptr && attribute.position >= 0 &&
                           attribute.table->columns[static_cast<std::size_t>(attribute.position)].is_indexed;
      if (indexed) tables.push_back(attribute.table);
      return false;
    });
  };
  std::vector<const Table*> searched;
  for (const auto id : operands) add_tables(id, searched);
  if (searched.empty()) return false;
  // Every index ends with the rowid.
  const auto is_rowid = [&](AttributeId id) {
    const auto& attribute = plan.attributes[id];
    return attribute.table != nullptr &&
           (attribute.position < 0 ||
            attribute.table->columns[static_cast<std::size_t>(attribute.position)].is_rowid_alias);
  };
  const auto is_searched = [&](const Expr& expr) {
    std::vector<const Table*> tables;
    references(expr).for_each([&](AttributeId id) {
      add_tables(id, tables);
      (void)equal.any(id, [&](AttributeId each) {
        if (is_rowid(each)) tables.push_back(plan.attributes[each].table);
        return false;
      });
    });
    return std::find_first_of(tables.begin(), tables.end(), searched.begin(), searched.end()) != tables.end();
  };
  bool found = false;
  walk(plan.root, [&](const Aggregate& aggregate) {
    for (const auto& call : aggregate.calls)
      found = found || ((call.name == "min" || call.name == "max") && call.arguments.size() == 1 &&
                        is_searched(call.arguments.front()));
  });
  walk(plan.root, [&](const Compare& compare) {
    const bool range = compare.op != CompareOp::equal && compare.op != CompareOp::is &&
                       compare.op != CompareOp::not_equal && compare.op != CompareOp::is_not;
    found = found || (range && (is_searched(*compare.left) || is_searched(*compare.right)));
  });
  walk(plan.root, [&](const Between& between) {
    found = found || is_searched(*between.operand) || is_searched(*between.low) || is_searched(*between.high);
  });
  walk(plan.root, [&](const IsNull& test) { found = found || (test.negated && is_searched(*test.operand)); });
  walk(plan.root, [&](const Like& like) { found = found || is_searched(*like.operand); });
  walk(plan.root, [&](const Function& call) {
    found = found || ((call.name == "like" || call.name == "glob") && call.arguments.size() > 1 &&
                      is_searched(call.arguments[1]));
  });
  walk(plan.root, [&](const Limit& limit) {
    walk(*limit.input, [&](const Sort& sort) {
      for (const auto& key : sort.keys) found = found || is_searched(key.expr);
    });
  });
  return found;
}

std::span<const SqliteBug> bugs_of_in() {
  static constexpr SqliteBug bugs[] = {
      SqliteBug{
          .name = "in_converts_aggregated_value",
          .what =
              "x IN (...) above an aggregation applies the affinity of the comparison to x itself, so all later uses "
              "of x see the converted value.",
          .versions = "3.37 to 3.40.1",
          .schema = "CREATE TABLE u(a); CREATE TABLE v(b INT); INSERT INTO u VALUES ('2')",
          .query = "SELECT typeof(a) FROM u GROUP BY a HAVING a NOT IN (SELECT b FROM v)",
          .correct = "SELECT typeof(a) FROM u GROUP BY a",
          .matches = converts_aggregated_value,
      },
      SqliteBug{
          .name = "row_in_with_conversion",
          .what =
              "If a column of a row value is NULL, IN compares the other columns without their affinity and with the "
              "collation of the left side; it also looks up converted values in an index of unconverted ones.",
          .versions = "3.37 to 3.40.1",
          .schema = "CREATE TABLE w(p INT, q TEXT, r); INSERT INTO w VALUES (0, '0', NULL)",
          .query = "SELECT (r, q) IN (VALUES (1.5, p)) FROM w",
          .correct = "SELECT (r, q) = (1.5, p) FROM w",
          .matches = is_row_in_with_conversion,
      },
      SqliteBug{
          .name = "row_in_index",
          .what =
              "A row value IN the columns of an index, in another order than in the index, is searched for although "
              "one of its columns is NULL.",
          .versions = "3.37 to 3.40.1",
          .schema = "CREATE TABLE c(cid, sid, PRIMARY KEY (sid, cid)); INSERT INTO c VALUES (3, NULL); "
                    "CREATE TABLE n(name NOT NULL, age); INSERT INTO n VALUES (3, NULL)",
          .query = "SELECT name FROM n WHERE (name, age) IN (SELECT cid, sid FROM c)",
          .correct = "SELECT name FROM n JOIN c ON name = cid AND age = sid",
          .matches = is_row_in_index,
      },
      SqliteBug{
          .name = "in_with_real_affinity",
          .what = "IN applies the affinity REAL to an integer that it compares with a REAL column, and so considers it "
                  "equal to a real that it is not equal to.",
          .versions = "3.37 to 3.40.1",
          .schema = "CREATE TABLE t(x REAL); INSERT INTO t VALUES (9007199254740992.0); CREATE TABLE u(y INT); INSERT "
                    "INTO u VALUES (9007199254740993)",
          .query = "SELECT x FROM t WHERE x IN (SELECT +y FROM u)",
          .correct = "SELECT x FROM t, u WHERE x = y",
          .matches = is_in_with_real_affinity,
      },
      SqliteBug{
          .name = "in_under_other_collation",
          .what = "x IN (SELECT y COLLATE ...) is looked up in an index of x, which has another collation.",
          .versions = "3.37 to 3.54.1",
          .schema = "CREATE TABLE p(w TEXT UNIQUE); INSERT INTO p VALUES ('A'); CREATE TABLE q(w TEXT); INSERT INTO q "
                    "VALUES ('a')",
          .query = "SELECT w FROM p WHERE w IN (SELECT w COLLATE NOCASE FROM q)",
          .correct = "SELECT w FROM p",
          .matches = is_in_under_other_collation,
      },
      SqliteBug{
          .name = "in_descending_index",
          .what = "x IN (SELECT y ...) is 0 instead of NULL if y is looked up in a descending index, where the NULLs "
                  "come last.",
          .versions = "3.37 to 3.53.2",
          .schema = "CREATE TABLE x(a); INSERT INTO x VALUES (5); CREATE TABLE y(b); INSERT INTO y VALUES (1), (NULL); "
                    "CREATE INDEX yb ON y(b DESC)",
          .query = "SELECT a FROM x WHERE a NOT IN (SELECT b FROM y)",
          .correct = "SELECT a FROM x WHERE NOT EXISTS (SELECT 1 FROM y WHERE a = b OR b IS NULL)",
          .matches = is_in_descending_index,
      },
      SqliteBug{
          .name = "lookup_converts_aggregated_value",
          .what = "A subquery that looks up an aggregated value of the query around it in an index converts the value "
                  "itself, so all later uses see the converted value.",
          .versions = "3.40.1; not in 3.54.1",
          .schema = "CREATE TABLE t(id INTEGER PRIMARY KEY, n TEXT); CREATE TABLE v(b INT); CREATE INDEX vb ON v(b); "
                    "INSERT INTO t VALUES (1, '2.0'); INSERT INTO v VALUES (2)",
          .query = "SELECT typeof(n) FROM t GROUP BY id HAVING EXISTS (SELECT 1 FROM v WHERE b = n)",
          .correct = "SELECT typeof(n) FROM t WHERE EXISTS (SELECT 1 FROM v WHERE b = n)",
          .matches = looks_up_aggregated_value,
      },
      SqliteBug{
          .name = "in_scans_index",
          .what =
              "x IN (SELECT ...) scans an index of x from one value to the next, and so misses rows where the index "
              "is read backwards or another condition limits it, if ANALYZE has been run.",
          .versions = "3.40.1; not in 3.54.1",
          .schema = "CREATE TABLE w(e INT, f TEXT); CREATE INDEX we ON w(e, f); CREATE TABLE y(b INT); INSERT INTO w "
                    "VALUES (1, '1'), (1, 'a'), (2, 'A'), (0, 'b'); INSERT INTO y VALUES (1), (2); ANALYZE",
          .query = "SELECT max(e) FROM w WHERE e IN (SELECT b FROM y)",
          .correct = "SELECT max(b) FROM y",
          .matches = scans_index_for_in,
      },
  };
  return bugs;
}

}  // namespace trustsql::plan
