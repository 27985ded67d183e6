#include "sql/features.hpp"

#include <algorithm>
#include <string_view>

#include "base/text.hpp"
#include "sql/ast_walk.hpp"
#include "sql/functions.hpp"

namespace trustsql {

namespace {

// Whether the call aggregates rows; a window function does not.
bool is_aggregate_call(const ast::Call& call) {
  if (call.over) return false;
  const SqlFunction* function = FunctionTable::latest().find(call.name.text, static_cast<int>(call.arguments.size()));
  return function != nullptr && function->is_aggregate();
}

// Whether it is one of the core functions that process or create texts: substr, upper, replace, printf ...
bool is_text_function(const ast::Name& name) {
  constexpr std::string_view functions[] = {"char",      "concat", "concat_ws", "format",  "glob",    "hex",
                                            "instr",     "length", "like",      "lower",   "ltrim",   "octet_length",
                                            "printf",    "quote",  "replace",   "rtrim",   "soundex", "substr",
                                            "substring", "trim",   "unhex",     "unicode", "upper"};
  return std::ranges::any_of(functions,
                             [&](std::string_view function) { return equals_ignore_case(name.text, function); });
}

// Inside an aggregate or a window, DISTINCT counts as `distinct`, but ORDER BY does not count as `order_by`.
struct Features {
  bool where = false, join = false, group_by = false, order_by = false, limit = false, subquery = false,
       set_union = false;
  bool aggregation = false, count = false, average = false, min_max = false, sum = false, distinct = false,
       str_func = false, regex_filter = false, cast = false;
  bool having = false, outer_join = false, intersect = false, except = false, with = false, window = false,
       case_when = false, in = false, between = false, exists = false, null_test = false;

  void note(const ast::Query& query) {
    order_by = order_by || !query.order_by.empty();
    limit = limit || query.limit;
    with = with || query.with.has_value();
    subquery = subquery || query.with.has_value();
    for (std::size_t i = 1; i < query.arms.size(); ++i) {
      const auto op = query.arms[i].op;
      set_union = set_union || op == ast::SetOp::union_all || op == ast::SetOp::union_distinct;
      intersect = intersect || op == ast::SetOp::intersect;
      except = except || op == ast::SetOp::except;
    }
  }
  void note(const ast::Select& select) {
    where = where || select.where;
    group_by = group_by || !select.group_by.empty();
    having = having || select.having;
    distinct = distinct || select.distinct;
    note_from(select.from);
  }
  void note_from(const std::vector<ast::FromItem>& items) {
    join = join || items.size() > 1;
    for (std::size_t i = 1; i < items.size(); ++i) {
      using enum ast::JoinType;
      outer_join = outer_join || items[i].join == left || items[i].join == right || items[i].join == full;
    }
  }
  void note(const ast::Call& call) {
    const auto named = [&](std::string_view name) { return equals_ignore_case(call.name.text, name); };
    window = window || call.over;
    distinct = distinct || call.distinct;
    str_func = str_func || is_text_function(call.name);
    if (!call.over && !is_aggregate_call(call)) return;
    aggregation = aggregation || is_aggregate_call(call);
    count = count || named("count");
    average = average || named("avg");
    min_max = min_max || named("min") || named("max");
    sum = sum || named("sum") || named("total");
  }
};

}  // namespace

std::vector<std::pair<std::string_view, bool>> query_features(const ast::Query& query) {
  Features f;
  ast::walk(query, ast::Overloaded{
                       [&](const ast::Query& q) { f.note(q); },
                       [&](const ast::Select& s) { f.note(s); },
                       [&](const ast::JoinGroup& g) { f.note_from(g.items); },
                       [&](const ast::Call& c) { f.note(c); },
                       [&](const ast::Subquery&) { f.subquery = true; },
                       [&](const ast::DerivedTable&) { f.subquery = true; },
                       [&](const ast::Exists&) { f.subquery = f.exists = true; },
                       [&](const ast::In& in) {
                         f.in = true;
                         f.subquery = f.subquery || std::holds_alternative<ast::Box<ast::Query>>(in.set);
                       },
                       [&](const ast::Binary& b) { f.str_func = f.str_func || b.op == ast::BinaryOp::concat; },
                       [&](const ast::Like& l) { f.regex_filter = f.regex_filter || l.op != ast::LikeOp::match; },
                       [&](const ast::Cast&) { f.cast = true; },
                       [&](const ast::Case&) { f.case_when = true; },
                       [&](const ast::Between&) { f.between = true; },
                       [&](const ast::IsNull&) { f.null_test = true; },
                   });
  return {{"where", f.where},
          {"join", f.join},
          {"group_by", f.group_by},
          {"order_by", f.order_by},
          {"limit", f.limit},
          {"subquery", f.subquery},
          {"union", f.set_union},
          {"aggregation", f.aggregation},
          {"count", f.count},
          {"average", f.average},
          {"min_max", f.min_max},
          {"sum", f.sum},
          {"distinct", f.distinct},
          {"str_func", f.str_func},
          {"regex_filter", f.regex_filter},
          {"cast", f.cast},
          {"having", f.having},
          {"outer_join", f.outer_join},
          {"intersect", f.intersect},
          {"except", f.except},
          {"with", f.with},
          {"window", f.window},
          {"case", f.case_when},
          {"in", f.in},
          {"between", f.between},
          {"exists", f.exists},
          {"null_test", f.null_test}};
}

}  // namespace trustsql
