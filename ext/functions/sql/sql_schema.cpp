// sql_columns, sql_check, sql_error_kind: queries against a schema, and against each other.

#include "db/results/result_set.hpp"
#include "ext/adaptor/scalar.hpp"
#include "ext/adaptor/table.hpp"
#include "ext/options/schema_options.hpp"
#include "ext/registry.hpp"
#include "ext/services/host_dialect.hpp"
#include "score/set_match/error_kind.hpp"
#include "sql/parser.hpp"
#include "sql/query_check.hpp"
#include "sql/schema_use.hpp"

namespace trustsql::ext {

namespace {

std::string_view kind_of(const Table& table) {
  return table.kind == Table::Kind::view ? "view" : table.kind == Table::Kind::virtual_table ? "virtual" : "table";
}

// --- sql_columns -----------------------------------------------------------------------------------------------------

ResultSet rows_of(const std::vector<SchemaUse>& uses) {
  ResultSet rows({"schema", "tbl", "col", "clause", "type", "kind", "via"});
  const auto text_or_null = [](std::string_view text) {
    return text.empty() ? ValueView::null() : ValueView::of_text(text);
  };
  for (const auto& use : uses) {
    rows.append(ValueView::of_text(use.schema));
    rows.append(ValueView::of_text(use.table->name));
    rows.append(text_or_null(use.name));
    rows.append(ValueView::of_text(clause_name(use.clause)));
    rows.append(text_or_null(use.declared_type));
    rows.append(ValueView::of_text(kind_of(*use.table)));
    rows.append(use.via != nullptr ? ValueView::of_text(use.via->name) : ValueView::null());
  }
  return rows;
}

Result<ResultSet> sql_columns(Session& session, const SharedScope& scope, std::string_view sql,
                              const Options& options) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto catalog, catalog_of(session, scope, options));
  TRUSTSQL_ASSIGN_OR_RETURN(const auto query, parse_query(sql, built_in_dialect().grammar()));
  return with_dialect(session.host(), [&](const ResolveOptions& dialect) -> Result<ResultSet> {
    TRUSTSQL_ASSIGN_OR_RETURN(const auto resolution, resolve(query, *catalog, dialect));
    return rows_of(schema_uses(resolution));
  });
}

// --- sql_check -------------------------------------------------------------------------------------------------------

// Whether the running SQLite prepares `sql`, which check_query() rejects: new versions accept more than it knows, and
// compile-time options add to the grammar. A text in double quotes may stand for a missing column there, so nothing is
// concluded if there is one.
bool prepares(SandboxSource& source, std::string_view sql) {
  if (sql.find('"') != std::string_view::npos) return false;
  const auto sandbox = source.lease();
  return sandbox.ok() && (*sandbox)->prepare(sql).ok();
}

Result<std::optional<std::string>> sql_check(Session& session, const SharedScope& scope, std::string_view sql,
                                             const Options& options) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto source, source_of(session, scope, options));
  TRUSTSQL_ASSIGN_OR_RETURN(const auto catalog, source->catalog());
  auto problem = check_query(sql, *catalog, built_in_dialect());
  const bool host_may_resolve_it =
      problem && (problem->kind == "missing_function" || problem->kind == "function_arguments" ||
                  problem->kind == "missing_table" || problem->kind == "other");
  if (host_may_resolve_it) {
    TRUSTSQL_ASSIGN_OR_RETURN(auto dialect, HostDialect::read(session.host()));
    problem = check_query(sql, *catalog, dialect.options());
    if (problem && dialect.failure()) return *dialect.failure();
  }
  if (problem && prepares(*source, sql)) problem.reset();
  return problem ? std::optional(to_json(*problem)) : std::nullopt;
}

// --- sql_error_kind --------------------------------------------------------------------------------------------------

Result<std::optional<std::string_view>> sql_error_kind(std::string_view gold, std::string_view prediction) {
  const ParseOptions grammar = built_in_dialect().grammar();
  const auto gold_query = parse_query(gold, grammar);
  if (!gold_query.ok()) return invalid_argument("the gold query is not a query: " + gold_query.error().message);
  const auto predicted_query = parse_query(prediction, grammar);
  const auto kind = predicted_query.ok() ? error_kind(*gold_query, *predicted_query) : ErrorKind::others;
  return kind ? std::optional(error_kind_name(*kind)) : std::nullopt;
}

}  // namespace

std::span<const FunctionSpec> sql_schema_functions() {
  static constexpr FunctionSpec functions[] = {
      table<sql_columns>(
          {.name = "sql_columns",
           .signature = "sql_columns(sql [, opts])",
           .summary = "The tables and columns that a query uses, each once for every clause in which it occurs. Names "
                      "are resolved as in SQLite, including aliases, *, USING, views and common table expressions. via "
                      "is the view in whose definition it is used, NULL for the query's own text; col is NULL for a "
                      "table of which no column is named. A query that does not prepare is an error.",
           .example =
               "SELECT group_concat(tbl || '.' || col, ' ') FROM sql_columns('SELECT x.a FROM t AS x WHERE b > 1', "
               "'{\"schema\":\"CREATE TABLE t(a, b)\"}'); -- t.a t.b",
           .columns = "schema TEXT, tbl TEXT, col TEXT, clause TEXT, type TEXT, kind TEXT, via TEXT",
           .options = schema_options,
           .entry_point = EntryPoint::offline,
           .effect = Effect::state}),
      scalar<sql_check>({.name = "sql_check",
                         .signature = "sql_check(sql [, opts])",
                         .summary = "NULL if the query prepares, else a JSON object: kind, message (SQLite's), line "
                                    "and column, name; for a missing or ambiguous column tables (all tables with a "
                                    "column of that name, DART-SQL's Listing 3) and in_scope (those of them that the "
                                    "query uses); nearest, the existing names with the most similar spelling.",
                         .example =
                             "SELECT json_extract(sql_check('SELECT nam FROM t', '{\"schema\":\"CREATE TABLE t(id, "
                             "name)\"}'), '$.nearest[0]'); -- t.name",
                         .options = schema_options,
                         .entry_point = EntryPoint::offline,
                         .effect = Effect::state}),
      scalar<sql_error_kind>(
          {.name = "sql_error_kind",
           .signature = "sql_error_kind(gold, pred)",
           .summary = "What is wrong with a predicted query, by where its text differs from that of the gold query "
                      "(DART-SQL's Table 4): 'values', 'conditions' (WHERE, HAVING), 'table/column' (names, selected "
                      "columns), 'others'. NULL if no difference is found, or if either is NULL.",
           .example =
               "SELECT sql_error_kind('SELECT a FROM t WHERE b = 1', 'SELECT a FROM t WHERE b = 2'); -- values"}),
  };
  return functions;
}

}  // namespace trustsql::ext
