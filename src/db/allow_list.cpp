#include "db/allow_list.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "db/sqlite_api.hpp"

namespace trustsql {

namespace {

// Where a function comes from, other than from the table of functions that all connections share.
enum class Origin : std::uint8_t {
  shared,  // that table
  module,  // registered with each connection by the full-text modules
  json,    // registered with each connection before 3.38.0
  icu,     // replaced in each connection by a library that was built with SQLITE_ENABLE_ICU
};

struct AllowedFunction {
  std::string_view name;  // lower case
  Origin origin = Origin::shared;
};

// The functions of SQLite (https://sqlite.org/lang_corefunc.html, lang_aggfunc, lang_mathfunc, lang_datefunc, json1,
// windowfunctions, fts3, fts5) but for those that
//   act or look outside the query:  fts3_tokenizer, load_extension, optimize, rtreecheck, sqlite_log
//   are about the host connection and would be silently wrong here:  changes, last_insert_rowid, total_changes
//   take quadratic time within one instruction, where no deadline reaches:  json_patch, jsonb_patch
// Sorted by name.
constexpr auto allowed_functions = std::to_array<AllowedFunction>({
    {"->", Origin::json},
    {"->>", Origin::json},
    {"abs"},
    {"acos"},
    {"acosh"},
    {"asin"},
    {"asinh"},
    {"atan"},
    {"atan2"},
    {"atanh"},
    {"avg"},
    {"bm25", Origin::module},
    {"ceil"},
    {"ceiling"},
    {"char"},
    {"coalesce"},
    {"concat"},
    {"concat_ws"},
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
    {"format"},
    {"glob"},
    {"group_concat"},
    {"hex"},
    {"highlight", Origin::module},
    {"if"},
    {"ifnull"},
    {"iif"},
    {"instr"},
    {"json", Origin::json},
    {"json_array", Origin::json},
    {"json_array_length", Origin::json},
    {"json_error_position"},
    {"json_extract", Origin::json},
    {"json_group_array", Origin::json},
    {"json_group_object", Origin::json},
    {"json_insert", Origin::json},
    {"json_object", Origin::json},
    {"json_pretty"},
    {"json_quote", Origin::json},
    {"json_remove", Origin::json},
    {"json_replace", Origin::json},
    {"json_set", Origin::json},
    {"json_type", Origin::json},
    {"json_valid", Origin::json},
    {"jsonb"},
    {"jsonb_array"},
    {"jsonb_extract"},
    {"jsonb_group_array"},
    {"jsonb_group_object"},
    {"jsonb_insert"},
    {"jsonb_object"},
    {"jsonb_remove"},
    {"jsonb_replace"},
    {"jsonb_set"},
    {"julianday"},
    {"lag"},
    {"last_value"},
    {"lead"},
    {"length"},
    {"like", Origin::icu},
    {"likelihood"},
    {"likely"},
    {"ln"},
    {"log"},
    {"log10"},
    {"log2"},
    {"lower", Origin::icu},
    {"ltrim"},
    {"match", Origin::module},
    {"matchinfo", Origin::module},
    {"max"},
    {"median"},
    {"min"},
    {"mod"},
    {"nth_value"},
    {"ntile"},
    {"nullif"},
    {"octet_length"},
    {"offsets", Origin::module},
    {"percent_rank"},
    {"percentile"},
    {"percentile_cont"},
    {"percentile_disc"},
    {"pi"},
    {"pow"},
    {"power"},
    {"printf"},
    {"quote"},
    {"radians"},
    {"random"},
    {"randomblob"},
    {"rank"},
    {"replace"},
    {"round"},
    {"row_number"},
    {"rtrim"},
    {"sign"},
    {"sin"},
    {"sinh"},
    {"snippet", Origin::module},
    {"soundex"},
    {"sqlite_compileoption_get"},
    {"sqlite_compileoption_used"},
    {"sqlite_source_id"},
    {"sqlite_version"},
    {"sqrt"},
    {"strftime"},
    {"string_agg"},
    {"substr"},
    {"substring"},
    {"subtype"},
    {"sum"},
    {"tan"},
    {"tanh"},
    {"time"},
    {"timediff"},
    {"total"},
    {"trim"},
    {"trunc"},
    {"typeof"},
    {"unhex"},
    {"unicode"},
    {"unistr"},
    {"unistr_quote"},
    {"unixepoch"},
    {"unlikely"},
    {"upper", Origin::icu},
    {"zeroblob"},
});

static_assert(std::ranges::is_sorted(allowed_functions, {}, &AllowedFunction::name));

constexpr std::string_view allowed_pragmas[] = {"foreign_key_list", "index_info", "index_list", "table_info", "table_list", "table_xinfo"};

// What SQLite's own virtual tables ask when they are connected or read, always without an argument.
constexpr std::string_view internal_pragmas[] = {"data_version", "page_size"};

// sqlite_stmt (the host's other statements are not in it, ours are), dbstat and fts3tokenize are left out on purpose.
constexpr const char* modules[] = {"fts3",      "fts4",       "fts4aux",    "fts5",  "fts5vocab", "json_each",
                                   "json_tree", "jsonb_each", "jsonb_tree", "rtree", "rtree_i32", nullptr};

const AllowedFunction* find(std::string_view name) {
  std::array<char, 32> lower{};
  if (name.size() > lower.size()) return nullptr;
  std::transform(name.begin(), name.end(), lower.begin(), [](char c) { return to_lower_ascii(c); });
  const std::string_view key(lower.data(), name.size());
  const auto* found = std::ranges::lower_bound(allowed_functions, key, {}, &AllowedFunction::name);
  return found != allowed_functions.end() && found->name == key ? found : nullptr;
}

}  // namespace

bool is_allowed_function(std::string_view name) { return find(name) != nullptr; }

bool is_replaced_builtin(std::string_view name) {
  const AllowedFunction* function = find(name);
  if (function == nullptr) return false;
  switch (function->origin) {
    case Origin::shared: return true;
    case Origin::module: return false;
    case Origin::json: return sqlite3_libversion_number() >= 3038000;
    case Origin::icu: return sqlite3_compileoption_used("ENABLE_ICU") == 0;
  }
  return true;
}

bool is_allowed_pragma(std::string_view name, bool has_argument) {
  const auto same = [&](std::string_view other) { return equals_ignore_case(name, other); };
  return std::ranges::any_of(allowed_pragmas, same) || (!has_argument && std::ranges::any_of(internal_pragmas, same));
}

const char* const* allowed_modules() { return modules; }

bool is_allowed_module(std::string_view name) {
  return std::any_of(std::begin(modules), std::end(modules) - 1, [&](const char* module) { return equals_ignore_case(name, module); });
}

}  // namespace trustsql
