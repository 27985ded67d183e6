#include "sql/functions.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace trustsql {

namespace {

using Returns = SqlFunction::Returns;

constexpr TypeSet integer = types::integer;
constexpr TypeSet real = types::real;
constexpr TypeSet text = types::text;
constexpr TypeSet blob = types::blob;
constexpr TypeSet number = types::number;
constexpr TypeSet null = types::null;

constexpr int any = -1;

constexpr SqlFunction scalar(std::string_view name, int min, int max, TypeSet result,
                             Returns returns = Returns::types) {
  using Subtype = SqlFunction::Subtype;
  const bool returns_argument = returns != Returns::types && returns != Returns::null_if_any &&
                                returns != Returns::sum && returns != Returns::total;
  return {.name = name,
          .min_arguments = min,
          .max_arguments = max,
          .returns = returns,
          .types = result,
          .strict_arguments = returns == Returns::null_if_any || returns == Returns::arguments ? any : 0,
          .subtype = returns_argument ? Subtype::passed_on : Subtype::none};
}
// The result may be the first argument.
constexpr SqlFunction returning_first(SqlFunction function) {
  function.subtype = SqlFunction::Subtype::passed_on;
  return function;
}
constexpr SqlFunction reading_subtype(SqlFunction function) {
  function.reads_subtype = true;
  return function;
}
// The result is JSON.
constexpr SqlFunction json(SqlFunction function) {
  function.subtype = SqlFunction::Subtype::json;
  return function;
}
// In addition, arguments may be JSON or texts.
constexpr SqlFunction of_json(SqlFunction function) { return json(reading_subtype(function)); }
// NULL if an argument is NULL, else of these types.
constexpr SqlFunction strict(std::string_view name, int min, int max, TypeSet result) {
  return scalar(name, min, max, result, Returns::null_if_any);
}
// NULL if one of the first so many arguments is NULL, or of `any`, and perhaps for other arguments.
constexpr SqlFunction strict_in(int arguments, SqlFunction function) {
  function.strict_arguments = arguments;
  return function;
}
// NULL if an argument is NULL, and for some other arguments.
constexpr SqlFunction partial(std::string_view name, int min, int max, TypeSet result) {
  return strict_in(any, scalar(name, min, max, null | result));
}
constexpr SqlFunction varying(std::string_view name, int arguments, TypeSet result) {
  SqlFunction function = scalar(name, arguments, arguments, result);
  function.deterministic = false;
  return function;
}
constexpr SqlFunction date(std::string_view name, int min, int max, TypeSet result) {
  SqlFunction function = strict_in(any, scalar(name, min, max, result));
  function.of_dates = true;
  return function;
}
constexpr SqlFunction aggregate(std::string_view name, int min, int max, TypeSet result,
                                Returns returns = Returns::types) {
  SqlFunction function = scalar(name, min, max, result, returns);
  function.kind = SqlFunction::Kind::window_aggregate;
  return function;
}
constexpr SqlFunction window(std::string_view name, int min, int max, TypeSet result,
                             Returns returns = Returns::types) {
  SqlFunction function = scalar(name, min, max, result, returns);
  function.kind = SqlFunction::Kind::window;
  return function;
}
constexpr SqlFunction since(int version, SqlFunction function) {
  function.since = version;
  return function;
}
// https://sqlite.org/percentile.html
constexpr SqlFunction ordered_set(std::string_view name, int arguments) {
  SqlFunction function = since(3047000, aggregate(name, arguments, arguments, null | real));
  function.ordered_set = true;
  return function;
}

// https://sqlite.org/lang_corefunc.html, lang_datefunc.html, lang_aggfunc.html, windowfunctions.html,
// lang_mathfunc.html, json1.html. The types were compared with what the functions return
// (tests/unit/sql/functions_test.cpp).
constexpr SqlFunction functions[] = {
    // core
    scalar("abs", 1, 1, number, Returns::null_if_any),
    varying("changes", 0, integer),
    scalar("char", 0, any, text),
    scalar("coalesce", 2, any, {}, Returns::first_not_null),
    since(3044000, scalar("concat", 1, any, text)),
    since(3044000, scalar("concat_ws", 2, any, null | text)),
    since(3038000, scalar("format", 0, any, null | text)),
    scalar("glob", 2, 2, null | integer),  // for a blob and NULL the result may be 0
    scalar("hex", 1, 1, text),
    scalar("ifnull", 2, 2, {}, Returns::first_not_null),
    scalar("iif", 3, 3, {}, Returns::branches),
    since(3048000, scalar("iif", 2, any, {}, Returns::branches)),
    since(3048000, scalar("if", 2, any, {}, Returns::branches)),
    strict("instr", 2, 2, integer),
    varying("last_insert_rowid", 0, integer),
    strict("length", 1, 1, integer),
    scalar("like", 2, 3, null | integer),
    strict_in(1, scalar("likelihood", 2, 2, {}, Returns::first_argument)),
    strict_in(1, scalar("likely", 1, 1, {}, Returns::first_argument)),
    varying("load_extension", 1, types::any),
    varying("load_extension", 2, types::any),
    strict("lower", 1, 1, text),
    partial("ltrim", 1, 2, text),
    scalar("match", 2, 2, types::any),  // fails unless a virtual table overrides it
    scalar("max", 2, any, {}, Returns::arguments),
    scalar("min", 2, any, {}, Returns::arguments),
    strict_in(1, scalar("nullif", 2, 2, null, Returns::first_argument)),
    since(3043000, partial("octet_length", 1, 1, integer)),
    scalar("printf", 0, any, null | text),
    scalar("quote", 1, 1, text | integer),  // an integer as it is before SQLite 3.39
    varying("random", 0, integer),
    varying("randomblob", 1, blob),
    strict_in(2, returning_first(scalar("replace", 3, 3, types::any))),
    partial("round", 1, 2, real),
    partial("rtrim", 1, 2, text),
    partial("sign", 1, 1, integer),
    scalar("soundex", 1, 1, text),
    scalar("sqlite_compileoption_get", 1, 1, null | text),
    scalar("sqlite_compileoption_used", 1, 1, null | integer),
    varying("sqlite_log", 2, null),
    scalar("sqlite_source_id", 0, 0, text),
    scalar("sqlite_version", 0, 0, text),
    partial("substr", 2, 3, text | blob),
    partial("substring", 2, 3, text | blob),
    reading_subtype(scalar("subtype", 1, 1, integer)),
    varying("total_changes", 0, integer),
    partial("trim", 1, 2, text),
    scalar("typeof", 1, 1, text),
    since(3041000, partial("unhex", 1, 2, blob)),
    partial("unicode", 1, 1, integer),
    since(3050000, scalar("unistr", 1, 1, null | text)),
    since(3050000, scalar("unistr_quote", 1, 1, text)),
    strict_in(1, scalar("unlikely", 1, 1, {}, Returns::first_argument)),
    strict("upper", 1, 1, text),
    scalar("zeroblob", 1, 1, blob),

    // dates
    date("current_date", 0, 0, text),
    date("current_time", 0, 0, text),
    date("current_timestamp", 0, 0, text),
    date("date", 0, any, null | text),
    date("datetime", 0, any, null | text),
    date("julianday", 0, any, null | real),
    date("strftime", 0, any, null | text),
    date("time", 0, any, null | text),
    since(3043000, date("timediff", 2, 2, null | text)),
    since(3038000, date("unixepoch", 0, any, null | number)),

    // mathematics
    partial("acos", 1, 1, real),
    partial("acosh", 1, 1, real),
    partial("asin", 1, 1, real),
    partial("asinh", 1, 1, real),
    partial("atan", 1, 1, real),
    partial("atan2", 2, 2, real),
    partial("atanh", 1, 1, real),
    partial("ceil", 1, 1, number),
    partial("ceiling", 1, 1, number),
    partial("cos", 1, 1, real),
    partial("cosh", 1, 1, real),
    partial("degrees", 1, 1, real),
    partial("exp", 1, 1, real),
    partial("floor", 1, 1, number),
    partial("ln", 1, 1, real),
    partial("log", 1, 2, real),
    partial("log10", 1, 1, real),
    partial("log2", 1, 1, real),
    partial("mod", 2, 2, real),
    scalar("pi", 0, 0, real),
    partial("pow", 2, 2, real),
    partial("power", 2, 2, real),
    partial("radians", 1, 1, real),
    partial("sin", 1, 1, real),
    partial("sinh", 1, 1, real),
    partial("sqrt", 1, 1, real),
    partial("tan", 1, 1, real),
    partial("tanh", 1, 1, real),
    partial("trunc", 1, 1, number),

    // JSON
    since(3038000, json(scalar("->", 2, 2, null | text))),
    since(3038000, scalar("->>", 2, 2, null | number | text)),
    json(scalar("json", 1, 1, null | text)),
    of_json(scalar("json_array", 0, any, text)),
    since(3053000, of_json(scalar("json_array_insert", 0, any, null | text))),
    scalar("json_array_length", 1, 2, null | integer),
    since(3042000, scalar("json_error_position", 1, 1, null | integer)),
    json(scalar("json_extract", 0, any, null | number | text)),
    of_json(aggregate("json_group_array", 1, 1, text)),
    of_json(aggregate("json_group_object", 2, 2, text)),
    of_json(scalar("json_insert", 0, any, null | text)),
    of_json(scalar("json_object", 0, any, text)),
    json(scalar("json_patch", 2, 2, null | text)),
    since(3046000, json(scalar("json_pretty", 1, 2, null | text))),
    of_json(scalar("json_quote", 1, 1, text)),
    json(scalar("json_remove", 0, any, null | text)),
    of_json(scalar("json_replace", 0, any, null | text)),
    of_json(scalar("json_set", 0, any, null | text)),
    scalar("json_type", 1, 2, null | text),
    scalar("json_valid", 1, 1, null | integer),
    since(3045000, scalar("json_valid", 2, 2, null | integer)),
    since(3045000, json(scalar("jsonb", 1, 1, null | blob))),
    since(3045000, of_json(scalar("jsonb_array", 0, any, blob))),
    since(3053000, of_json(scalar("jsonb_array_insert", 0, any, null | blob))),
    since(3045000, json(scalar("jsonb_extract", 0, any, types::any))),
    since(3045000, of_json(aggregate("jsonb_group_array", 1, 1, text | blob))),  // a text over no rows before 3.53
    since(3045000, of_json(aggregate("jsonb_group_object", 2, 2, text | blob))),
    since(3045000, of_json(scalar("jsonb_insert", 0, any, null | blob))),
    since(3045000, of_json(scalar("jsonb_object", 0, any, blob))),
    since(3045000, json(scalar("jsonb_patch", 2, 2, null | blob))),
    since(3045000, json(scalar("jsonb_remove", 0, any, null | blob))),
    since(3045000, of_json(scalar("jsonb_replace", 0, any, null | blob))),
    since(3045000, of_json(scalar("jsonb_set", 0, any, null | blob))),

    // aggregates
    aggregate("avg", 1, 1, real, Returns::sum),
    aggregate("count", 0, 1, integer),
    aggregate("group_concat", 1, 2, null | text),
    aggregate("max", 1, 1, {}, Returns::one_of_group),
    aggregate("min", 1, 1, {}, Returns::one_of_group),
    ordered_set("median", 1),
    ordered_set("percentile", 2),
    ordered_set("percentile_cont", 2),
    ordered_set("percentile_disc", 2),
    since(3044000, aggregate("string_agg", 2, 2, null | text)),
    aggregate("sum", 1, 1, number, Returns::sum),
    aggregate("total", 1, 1, real, Returns::total),

    // window functions
    window("cume_dist", 0, 0, real),
    window("dense_rank", 0, 0, integer),
    window("first_value", 1, 1, null, Returns::first_argument),
    window("lag", 1, 3, null, Returns::row_or_default),
    window("last_value", 1, 1, null, Returns::first_argument),
    window("lead", 1, 3, null, Returns::row_or_default),
    window("nth_value", 2, 2, null, Returns::first_argument),
    window("ntile", 1, 1, integer),
    window("percent_rank", 0, 0, real),
    window("rank", 0, 0, integer),
    window("row_number", 0, 0, integer),
};

struct ByName {
  bool operator()(const SqlFunction& a, const SqlFunction& b) const { return a.name < b.name; }
  bool operator()(const SqlFunction& a, std::string_view b) const { return a.name < b; }
  bool operator()(std::string_view a, const SqlFunction& b) const { return a < b.name; }
};

}  // namespace

FunctionTable::FunctionTable(std::vector<SqlFunction> functions) : functions_(std::move(functions)) {
  std::stable_sort(functions_.begin(), functions_.end(), ByName());
}

FunctionTable FunctionTable::built_in(int version) {
  constexpr int exact_sums_version = 3'043'000;
  std::vector<SqlFunction> available;
  for (const auto& function : functions) {
    if (function.since > version) continue;
    available.push_back(function);
    available.back().adds_reals = version < exact_sums_version && (function.name == "avg" || function.name == "total");
  }
  return FunctionTable(std::move(available));
}

const FunctionTable& FunctionTable::latest() {
  static const FunctionTable table = built_in(std::numeric_limits<int>::max());
  return table;
}

bool FunctionTable::has_ordered_set(std::string_view name) const {
  return std::ranges::any_of(named(name), &SqlFunction::ordered_set);
}

bool FunctionTable::is_date_function(std::string_view name) const {
  return std::ranges::any_of(named(name), &SqlFunction::of_dates);
}

std::span<const SqlFunction> FunctionTable::named(std::string_view name) const {
  char lower[255];  // the longest name that sqlite3_create_function takes
  if (name.size() > sizeof lower) return {};
  std::transform(name.begin(), name.end(), lower, [](char c) { return to_lower_ascii(c); });
  const auto [begin, end] =
      std::equal_range(functions_.begin(), functions_.end(), std::string_view(lower, name.size()), ByName());
  return {begin, end};
}

const SqlFunction* FunctionTable::find(std::string_view name, int arguments) const {
  for (const auto& function : named(name)) {
    if (arguments >= function.min_arguments && (function.max_arguments < 0 || arguments <= function.max_arguments))
      return &function;
  }
  return nullptr;
}

}  // namespace trustsql
