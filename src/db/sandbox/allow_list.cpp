#include "db/sandbox/allow_list.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "db/sqlite/routines.hpp"
#include "db/sqlite/sqlite_api.hpp"

namespace trustsql {

namespace {

// Where a function is registered.
enum class Origin : std::uint8_t {
  shared,  // in the function table that all connections share
  module,  // with each connection, by the full-text modules
  json,    // before 3.38.0: with each connection
  icu,     // replaced in each connection if SQLite was built with SQLITE_ENABLE_ICU
};

struct AllowedFunction {
  std::string_view name;  // lower case
  int cost = 0;           // see function_cost()
  Origin origin = Origin::shared;
};

// The cost of processing one byte of an argument relative to copying it, as measured: 16 MB of JSON take some 150 to
// 300 ms, a strftime() format of 16 MB takes more than a second.
constexpr int parses_json = 32;
constexpr int formats_time = 128;

// The functions of SQLite (https://sqlite.org/lang_corefunc.html, lang_aggfunc, lang_mathfunc, lang_datefunc, json1,
// windowfunctions, fts3, fts5) except those that
//   act on or read anything outside the query:  fts3_tokenizer, load_extension, optimize, rtreecheck, sqlite_log
//   concern the host connection and would be silently wrong here:  changes, last_insert_rowid, total_changes
//   take quadratic time within one instruction, during which no deadline is enforced:  json_patch, jsonb_patch,
//     json_array_insert, jsonb_array_insert
// Sorted by name.
constexpr auto allowed_functions = std::to_array<AllowedFunction>({
    {"->", parses_json, Origin::json},
    {"->>", parses_json, Origin::json},
    {"abs"},
    {"acos"},
    {"acosh"},
    {"asin"},
    {"asinh"},
    {"atan"},
    {"atan2"},
    {"atanh"},
    {"avg"},
    {"bm25", 0, Origin::module},
    {"ceil"},
    {"ceiling"},
    {"char", 1},
    {"coalesce"},
    {"concat", 1},
    {"concat_ws", 1},
    {"cos"},
    {"cosh"},
    {"count"},
    {"cume_dist"},
    {"current_date"},
    {"current_time"},
    {"current_timestamp"},
    {"date"},
    {"datetime"},
    {"degrees"},
    {"dense_rank"},
    {"exp"},
    {"first_value"},
    {"floor"},
    {"format", 1},
    {"glob", 4},
    {"group_concat", 1},
    {"hex", 1},
    {"highlight", 1, Origin::module},
    {"if"},
    {"ifnull"},
    {"iif"},
    {"instr", 1},
    {"json", parses_json, Origin::json},
    {"json_array", 1, Origin::json},
    {"json_array_length", parses_json, Origin::json},
    {"json_error_position", parses_json},
    {"json_extract", parses_json, Origin::json},
    {"json_group_array", 1, Origin::json},
    {"json_group_object", 1, Origin::json},
    {"json_insert", parses_json, Origin::json},
    {"json_object", 1, Origin::json},
    {"json_pretty", parses_json},
    {"json_quote", 1, Origin::json},
    {"json_remove", parses_json, Origin::json},
    {"json_replace", parses_json, Origin::json},
    {"json_set", parses_json, Origin::json},
    {"json_type", parses_json, Origin::json},
    {"json_valid", parses_json, Origin::json},
    {"jsonb", parses_json},
    {"jsonb_array", 1},
    {"jsonb_extract", parses_json},
    {"jsonb_group_array", 1},
    {"jsonb_group_object", 1},
    {"jsonb_insert", parses_json},
    {"jsonb_object", 1},
    {"jsonb_remove", parses_json},
    {"jsonb_replace", parses_json},
    {"jsonb_set", parses_json},
    {"julianday"},
    {"lag"},
    {"last_value"},
    {"lead"},
    {"length"},
    {"like", 4, Origin::icu},
    {"likelihood"},
    {"likely"},
    {"ln"},
    {"log"},
    {"log10"},
    {"log2"},
    {"lower", 1, Origin::icu},
    {"ltrim", 1},
    {"match", 0, Origin::module},
    {"matchinfo", 0, Origin::module},
    {"max"},
    {"median"},
    {"min"},
    {"mod"},
    {"nth_value"},
    {"ntile"},
    {"nullif"},
    {"octet_length"},
    {"offsets", 0, Origin::module},
    {"percent_rank"},
    {"percentile"},
    {"percentile_cont"},
    {"percentile_disc"},
    {"pi"},
    {"pow"},
    {"power"},
    {"printf", 1},
    {"quote", 1},
    {"radians"},
    {"random"},
    {"randomblob", 1},
    {"rank"},
    {"replace", 1},
    {"round"},
    {"row_number"},
    {"rtrim", 1},
    {"sign"},
    {"sin"},
    {"sinh"},
    {"snippet", 1, Origin::module},
    {"soundex", 1},
    {"sqlite_compileoption_get"},
    {"sqlite_compileoption_used"},
    {"sqlite_source_id"},
    {"sqlite_version"},
    {"sqrt"},
    {"strftime", formats_time},
    {"string_agg", 1},
    {"substr", 1},
    {"substring", 1},
    {"subtype"},
    {"sum"},
    {"tan"},
    {"tanh"},
    {"time"},
    {"timediff"},
    {"total"},
    {"trim", 1},
    {"trunc"},
    {"typeof"},
    {"unhex", 1},
    {"unicode"},
    {"unistr", 1},
    {"unistr_quote", 1},
    {"unixepoch"},
    {"unlikely"},
    {"upper", 1, Origin::icu},
    {"zeroblob", 1},
});

static_assert(std::ranges::is_sorted(allowed_functions, {}, &AllowedFunction::name));

constexpr std::string_view allowed_pragmas[] = {"foreign_key_list", "index_info", "index_list",
                                                "table_info",       "table_list", "table_xinfo"};

// Pragmas that SQLite's own virtual tables run when they are connected or read, always without an argument.
constexpr std::string_view internal_pragmas[] = {"data_version", "page_size"};

// sqlite_stmt (which lists the sandbox's statements, not the host's), dbstat and fts3tokenize are deliberately not
// allowed.
constexpr const char* modules[] = {"fts3",      "fts4",       "fts4aux",    "fts5",  "fts5vocab", "json_each",
                                   "json_tree", "jsonb_each", "jsonb_tree", "rtree", "rtree_i32", nullptr};

const AllowedFunction* find(std::string_view name) {
  std::array<char, 32> lower{};
  if (name.size() > lower.size()) return nullptr;
  std::transform(name.begin(), name.end(), lower.begin(), [](char c) { return to_lower_ascii(c); });
  const std::string_view key(lower.data(), name.size());
  const auto* candidate = std::ranges::lower_bound(allowed_functions, key, {}, &AllowedFunction::name);
  return candidate != allowed_functions.end() && candidate->name == key ? candidate : nullptr;
}

}  // namespace

std::optional<int> function_cost(std::string_view name) {
  const AllowedFunction* function = find(name);
  return function == nullptr ? std::nullopt : std::optional(function->cost);
}

namespace {

bool has_full_text() {
  return std::ranges::any_of(std::to_array({"ENABLE_FTS3", "ENABLE_FTS4", "ENABLE_FTS5"}), may_be_compiled_with);
}

}  // namespace

bool is_replaced_builtin(std::string_view name) {
  const AllowedFunction* function = find(name);
  if (function == nullptr) return false;
  switch (function->origin) {
    case Origin::shared: return true;
    case Origin::module: return !has_full_text();
    case Origin::json: return sqlite3_libversion_number() >= 3038000;
    case Origin::icu: return !may_be_compiled_with("ENABLE_ICU");
  }
  return true;
}

bool is_allowed_pragma(std::string_view name, bool has_argument) {
  const auto same = [&](std::string_view other) { return equals_ignore_case(name, other); };
  return std::ranges::any_of(allowed_pragmas, same) || (!has_argument && std::ranges::any_of(internal_pragmas, same));
}

const char* const* allowed_modules() { return modules; }

bool is_allowed_module(std::string_view name) {
  return std::any_of(std::begin(modules), std::end(modules) - 1,
                     [&](const char* module) { return equals_ignore_case(name, module); });
}

}  // namespace trustsql
