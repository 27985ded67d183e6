// sql_parse, sql_format, sql_skeleton, sql_hardness, sql_features: functions of the text of a query alone.

#include "base/text.hpp"
#include "ext/adaptor/scalar.hpp"
#include "ext/registry.hpp"
#include "ext/services/host_dialect.hpp"
#include "score/set_match/hardness.hpp"
#include "sql/ast_json.hpp"
#include "sql/features.hpp"
#include "sql/parser.hpp"
#include "sql/printer.hpp"
#include "sql/skeleton.hpp"

namespace trustsql::ext {

namespace {

// Parses `sql` by the grammar of the running SQLite.
Result<ast::Query> parse(std::string_view sql) { return parse_query(sql, built_in_dialect().grammar()); }

Result<std::string> sql_parse(std::string_view sql) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto query, parse(sql));
  return to_json(query);
}

constexpr Option<PrintStyle> style_option = {
    .key = "style",
    .description = "`canonical`: one line; `pretty`: a line for each clause if the query does not fit on one line.",
    .default_value = PrintStyle::canonical,
    .choices = {{"canonical", PrintStyle::canonical}, {"pretty", PrintStyle::pretty}}};
constexpr auto format_options = option_table(style_option);

Result<std::string> sql_format(std::string_view sql, const Options& options) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto query, parse(sql));
  return print_query(query, options.get(style_option));
}

Result<std::string> sql_skeleton(std::string_view sql) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto query, parse(sql));
  return query_skeleton(query);
}

Result<std::string_view> sql_hardness(std::string_view sql, OptionalArg<std::string_view> scheme) {
  const auto name = scheme.value.value_or("spider");
  if (name != "spider" && name != "trustsql")
    return invalid_argument("unknown scheme " + quote_for_message(name, 40) + "; the schemes are spider, trustsql");
  TRUSTSQL_ASSIGN_OR_RETURN(const auto query, parse(sql));
  return name == "spider" ? spider_hardness(query) : trustsql_hardness(query);
}

Result<std::string> sql_features(std::string_view sql) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto query, parse(sql));
  std::string json;
  for (const auto& [name, used] : query_features(query)) {
    json += json.empty() ? '{' : ',';
    json += '"';
    json += name;
    json += used ? "\":true" : "\":false";
  }
  return json += '}';
}

}  // namespace

std::span<const FunctionSpec> sql_syntax_functions() {
  static constexpr FunctionSpec functions[] = {
      scalar<sql_parse>(
          {.name = "sql_parse",
           .signature = "sql_parse(sql)",
           .summary = "The syntax tree of a query as JSON; an error names the line and column of a syntax error.",
           .example = "SELECT json_extract(sql_parse('SELECT 1 AS one'), '$.arms[0].body.items[0].alias'); -- one"}),
      scalar<sql_format>(
          {.name = "sql_format",
           .signature = "sql_format(sql [, opts])",
           .summary = "The query in canonical spelling: keywords in capitals, AS written, no needless parentheses, "
                      "quotes or comments.",
           .example = "SELECT sql_format('select a x from [t] where (a==1)'); -- SELECT a AS x FROM t WHERE a = 1",
           .options = format_options}),
      scalar<sql_skeleton>(
          {.name = "sql_skeleton",
           .signature = "sql_skeleton(sql)",
           .summary = "TrustSQL's SQL structure: the query without its data values, in canonical spelling, aliases "
                      "normalised.",
           .example = "SELECT sql_skeleton('SELECT x.a FROM t AS x WHERE x.b = 1'); -- SELECT a FROM t WHERE b = ?"}),
      scalar<sql_hardness>(
          {.name = "sql_hardness",
           .signature = "sql_hardness(sql [, scheme])",
           .summary = "How hard a query is: scheme 'spider' (default) as in Spider's evaluator (easy, medium, hard, "
                      "extra), 'trustsql' as in TrustSQL's Appendix B.2 (easy: one table, medium: joins, hard: nesting "
                      "or set operators).",
           .example = "SELECT sql_hardness('SELECT a FROM t JOIN u USING (b)', 'trustsql'); -- medium"}),
      scalar<sql_features>({.name = "sql_features",
                            .signature = "sql_features(sql)",
                            .summary = "JSON object: which keywords and constructs a query uses at any depth "
                                       "(FuncEvalGMN's Table 6, and more), each true or false.",
                            .example = "SELECT json_extract(sql_features('SELECT max(a) FROM t'), '$.min_max'); -- 1"}),
  };
  return functions;
}

}  // namespace trustsql::ext
