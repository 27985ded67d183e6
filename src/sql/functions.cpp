#include "sql/functions.hpp"

#include <algorithm>
#include <initializer_list>

#include "base/text.hpp"

namespace trustsql {

namespace {

bool is_one_of(const ast::Name& name, std::initializer_list<std::string_view> names) {
  return std::any_of(names.begin(), names.end(), [&](std::string_view one) { return equals_ignore_case(name.text, one); });
}

}  // namespace

bool is_aggregate_call(const ast::Call& call) {
  if (call.over) return false;
  if (is_one_of(call.name, {"min", "max"})) return call.arguments.size() == 1;
  return is_one_of(call.name, {"count", "sum", "avg", "total", "group_concat", "string_agg", "json_group_array", "json_group_object",
                               "jsonb_group_array", "jsonb_group_object", "median", "percentile", "percentile_cont", "percentile_disc"});
}

bool is_text_function(const ast::Name& name) {
  return is_one_of(
      name, {"char",   "concat", "concat_ws", "format", "glob",    "hex",    "instr",     "length", "like",  "lower",   "ltrim", "octet_length",
             "printf", "quote",  "replace",   "rtrim",  "soundex", "substr", "substring", "trim",   "unhex", "unicode", "upper"});
}

}  // namespace trustsql
