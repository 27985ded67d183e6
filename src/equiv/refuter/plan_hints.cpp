// What a plan tells about the values of the columns that it reads: ValuePools::learn().
#include <algorithm>
#include <array>
#include <charconv>
#include <span>

#include "base/text.hpp"
#include "equiv/refuter/preimages.hpp"
#include "equiv/refuter/value_origins.hpp"
#include "equiv/refuter/value_pools.hpp"
#include "plan/query_plan.hpp"
#include "plan/walk.hpp"
#include "sql/functions.hpp"

namespace trustsql::equiv {

using namespace plan;

namespace {

constexpr std::int64_t max_place = 100;  // in a text
constexpr int max_days_apart = 1000;

constexpr std::array<std::string_view, 7> functions_of_numbers = {"abs",  "round",   "sign", "floor",
                                                                  "ceil", "ceiling", "mod"};
constexpr std::array<std::string_view, 12> functions_of_texts = {
    "substr", "substring", "length", "trim", "ltrim", "rtrim", "instr", "replace", "hex", "unicode", "upper", "lower"};

bool is_named(std::string_view name, std::span<const std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

bool is_time(const Expr& expr) {
  const auto* function = expr.as<Function>();
  return function != nullptr && FunctionTable::latest().is_date_function(function->name);
}

// Whether `expr` is a difference of times, such as CAST(julianday(a) - julianday(b) AS INTEGER).
bool is_time_span(const Expr& expr) {
  if (const auto* n = expr.as<Cast>()) return is_time_span(*n->operand);
  if (const auto* n = expr.as<Function>())
    return is_named(n->name, functions_of_numbers) && !n->arguments.empty() && is_time_span(n->arguments.front());
  const auto* n = expr.as<Binary>();
  return n != nullptr && n->op == ast::BinaryOp::subtract && (is_time(*n->left) || is_time(*n->right));
}

// The days that a modifier such as '+1 month' adds, at least and at most; nothing if it adds none.
std::vector<int> days_in(const Expr& modifier) {
  const auto* text = literal_as<std::string>(modifier);
  if (text == nullptr) return {};
  const char* begin = text->data();
  const char* end = begin + text->size();
  if (begin != end && *begin == '+') ++begin;
  int count = 0;
  const auto read = std::from_chars(begin, end, count);
  if (read.ec != std::errc() || count <= -max_days_apart || count >= max_days_apart) return {};
  const auto unit = trim(std::string_view(read.ptr, static_cast<std::size_t>(end - read.ptr)));
  if (unit == "day" || unit == "days") return {count, count + 1};
  if (unit == "month" || unit == "months") return {30 * count, 31 * count};
  if (unit == "year" || unit == "years") return {365 * count, 366 * count};
  return {};
}

int decimals_of(const Function& round) {
  const auto* digits = round.arguments.size() < 2 ? nullptr : literal_as<std::int64_t>(round.arguments[1]);
  return digits == nullptr ? 0 : static_cast<int>(std::clamp<std::int64_t>(*digits, 0, 15));
}

// A GLOB pattern as one of LIKE.
std::string like_pattern(std::string glob) {
  std::ranges::replace(glob, '*', '%');
  std::ranges::replace(glob, '?', '_');
  return glob;
}

// The pattern without its wildcards.
std::string text_that_matches(const std::string& pattern) {
  std::string text;
  for (const char c : pattern) {
    if (c != '%' && c != '*') text += c == '_' || c == '?' ? 'x' : c;
  }
  return text;
}

}  // namespace

// Collects what a plan compares.
class PlanReader {
 public:
  PlanReader(ValuePools& pools, const Plan& plan) : pools_(pools), origins_(plan, pools.model_) {}

  void read(const Rel& rel) {
    for_each_rel(rel, [&](const Rel& input) { read(input); });
    for_each_expr(rel, [&](const Expr& expr) { read(expr); });
    if (const auto* filter = rel.as<Filter>()) test(filter->conjuncts);
    if (const auto* join = rel.as<Join>()) test(join->on);
    if (const auto* function = rel.as<TableFunction>()) read(*function);
    if (const auto* set = rel.as<SetOp>()) {
      const auto first = outputs(set->inputs.front());
      for (const auto& input : set->inputs) {
        const auto ids = outputs(input);
        for (std::size_t i = 0; i < std::min(first.size(), ids.size()); ++i) pair(column(first[i]), column(ids[i]));
      }
    } else if (const auto* aggregate = rel.as<Aggregate>()) {
      for (const auto& call : aggregate->calls) {
        if (call.name == "sum" || call.name == "avg" || call.name == "total") numeric(call.arguments.front());
      }
    }
  }

 private:
  std::optional<int> origin(const Expr& expr) const {
    const auto origin = origins_.of(expr);
    if (!origin || origin->part) return std::nullopt;
    return pools_.id(origin->table, origin->column);
  }

  struct Place {
    int id = 0;
    JsonPart part{};
  };
  std::optional<Place> place_in_document(const Expr& expr) const {
    auto origin = origins_.of(expr);
    if (!origin || !origin->part) return std::nullopt;
    return Place{pools_.id(origin->table, origin->column), *std::move(origin->part)};
  }

  void use(const Expr& expr, const ColumnUse& use) {
    if (const auto id = origin(expr)) pools_.add_use(*id, use);
  }
  void numeric(const Expr& expr) {
    use(expr, {.numeric = true});
    if (const auto place = place_in_document(expr)) pools_.documents(place->id).calculate(place->part.path);
  }

  // A column that is taken for a truth value.
  void test(const Expr& condition) {
    if (column_id(condition) == nullptr) return;
    if (const auto id = origin(condition)) pools_.add_constant(*id, std::int64_t{0});
  }
  void test(const std::vector<Expr>& conditions) {
    for (const auto& condition : conditions) test(condition);
  }

  // Of each column in `expr`.
  void use_all(const Expr& expr, const ColumnUse& each) {
    if (column_id(expr)) use(expr, each);
    for_each_expr(expr, [&](const Expr& operand) { use_all(operand, each); });
  }

  void pair(const Expr& a, const Expr& b) {
    const auto left = origin(a);
    const auto right = origin(b);
    if (left && right) pools_.join(*left, *right);
    if (const auto* value = literal_value(b); value != nullptr && left) add(*left, a, *value);
    if (const auto* value = literal_value(a); value != nullptr && right) add(*right, b, *value);
    hold(a, b);
    hold(b, a);
  }

  // `constant`, if it is one, may be in the part of a document that `expr` takes its value from.
  void hold(const Expr& expr, const Expr& constant) {
    const auto* value = literal_value(constant);
    const auto place = value == nullptr ? std::nullopt : place_in_document(expr);
    if (!place) return;
    auto& shape = pools_.documents(place->id);
    const auto& path = place->part.path;
    const auto* text = std::get_if<std::string>(value);
    const auto* integer = std::get_if<std::int64_t>(value);
    const auto* function = expr.as<Function>();
    const bool is_length = function != nullptr && function->name == "json_array_length";
    if (place->part.is_key && text != nullptr) {
      auto member = path;
      member.push_back(JsonStep::to_member(*text));
      shape.read(member);
    } else if ((place->part.is_key || is_length) && integer != nullptr) {
      shape.list(path, static_cast<std::size_t>(std::clamp<std::int64_t>(*integer, 0, max_place)));
    } else {
      shape.hold(path, *value);
      for (const auto& each : preimages(expr, *value)) shape.hold(path, each);
    }
  }

  void read(const TableFunction& function) {
    const auto access = json_access(function);
    if (access) read(*access, 2);
  }

  void read_json(const Expr& expr, const JsonAccess& access) {
    const auto* function = expr.as<Function>();
    read(access, function != nullptr && function->name == "json_array_length" ? 2 : 0);
    if (function == nullptr) return;
    // Several paths, or what json_set() changes.
    for (std::size_t i = 1; i < function->arguments.size(); ++i) {
      const auto* text = literal_as<std::string>(function->arguments[i]);
      auto path = text == nullptr ? std::nullopt : parse_json_path(*text);
      if (path) read({access.document, *std::move(path)});
    }
  }

  // `elements`: of what is read element by element.
  void read(const JsonAccess& access, std::size_t elements = 0) {
    const auto origin = origins_.of(*access.document);
    if (!origin) return;
    auto path = origin->part ? origin->part->path : JsonPath();
    path.insert(path.end(), access.path.begin(), access.path.end());
    auto& shape = pools_.documents(pools_.id(origin->table, origin->column));
    if (elements > 0) {
      shape.list(path, elements);
    } else {
      shape.read(path);
    }
  }

  void add(int id, const Expr& expr, const Value& constant) {
    if (const auto* days = std::get_if<std::int64_t>(&constant); days != nullptr && is_time_span(expr)) {
      if (-max_days_apart < *days && *days < max_days_apart) {
        const auto apart = static_cast<int>(*days);
        use_all(expr, {.dated = true, .days = {apart, apart + 1}});
      }
      return;
    }
    pools_.add_constant(id, constant);
    for (const auto& value : preimages(expr, constant)) pools_.add_constant(id, value);
  }

  void read(const Function& function) {
    const auto& arguments = function.arguments;
    if (arguments.empty()) return;
    if (FunctionTable::latest().is_date_function(function.name)) {
      ColumnUse dated{.dated = true};
      for (const auto& argument : arguments) dated.add({.days = days_in(argument)});
      use(arguments[function.name == "strftime" && arguments.size() > 1 ? 1 : 0], dated);
      return;
    }
    if (is_named(function.name, functions_of_numbers)) {
      numeric(arguments.front());
      if (function.name == "round") use_all(arguments.front(), {.decimals = decimals_of(function)});
      return;
    }
    if (is_named(function.name, functions_of_texts)) {
      std::int64_t longest = 0;
      for (std::size_t i = 1; i < arguments.size(); ++i) {
        const auto* place = literal_as<std::int64_t>(arguments[i]);
        if (place != nullptr) longest += std::clamp<std::int64_t>(*place, -max_place, max_place);
      }
      use(arguments.front(), {.worded = true, .longest = static_cast<std::size_t>(std::abs(longest))});
      if (function.name.starts_with("substr")) return;
    }
    for (std::size_t i = 1; i < arguments.size(); ++i) pair(arguments.front(), arguments[i]);
  }

  void read(const Expr& expr) {
    for_each_expr(expr, [&](const Expr& operand) { read(operand); });
    for_each_rel(expr, [&](const Rel& rel) { read(rel); });
    if (const auto* n = expr.as<Compare>()) pair(*n->left, *n->right);
    if (const auto* n = expr.as<And>()) test(n->terms);
    if (const auto* n = expr.as<Or>()) test(n->terms);
    if (const auto* n = expr.as<Not>()) test(*n->operand);
    if (const auto* n = expr.as<IsTruth>()) test(*n->operand);
    if (const auto* n = expr.as<Case>(); n != nullptr && !n->operand) {
      for (const auto& branch : n->branches) test(*branch.condition);
    }
    if (const auto* n = expr.as<Like>()) {
      const auto id = origin(*n->operand);
      const auto* pattern = literal_as<std::string>(*n->pattern);
      if (id && pattern != nullptr) {
        pools_.add_pattern(*id, n->op == ast::LikeOp::glob ? like_pattern(*pattern) : *pattern);
      } else if (const auto place = place_in_document(*n->operand); place && pattern != nullptr) {
        pools_.documents(place->id).hold(place->part.path, text_that_matches(*pattern));
      } else {
        pair(*n->operand, *n->pattern);
      }
    }
    if (const auto* n = expr.as<InList>()) {
      for (const auto& item : n->items) pair(*n->operand, item);
    }
    if (const auto* n = expr.as<Between>()) {
      pair(*n->operand, *n->low);
      pair(*n->operand, *n->high);
    }
    if (const auto* n = expr.as<InSubquery>()) {
      const auto ids = outputs(*n->rel);
      for (std::size_t i = 0; i < std::min(ids.size(), n->operands.size()); ++i) pair(n->operands[i], column(ids[i]));
    }
    if (const auto* n = expr.as<Case>(); n != nullptr && n->operand) {
      for (const auto& branch : n->branches) pair(*n->operand, *branch.condition);
    }
    if (const auto access = json_access(expr)) return read_json(expr, *access);
    if (const auto* n = expr.as<Function>()) read(*n);
    if (const auto* n = expr.as<Cast>(); n != nullptr && is_numeric(n->affinity)) numeric(*n->operand);
    if (const auto* n = expr.as<Binary>()) {
      const bool concatenates = n->op == ast::BinaryOp::concat;
      for (const auto* operand : {&*n->left, &*n->right})
        if (!is_time(*operand)) use(*operand, {.numeric = !concatenates, .worded = concatenates});
    }
    if (const auto* n = expr.as<Unary>()) numeric(*n->operand);
  }

  ValuePools& pools_;
  ColumnOrigins origins_;
};

void ValuePools::learn_declarations(const Catalog& catalog) {
  checks_ = RowChecks(model_);
  for (const auto& table : model_.tables) {
    const auto sql = query_of_declarations(*table.table, true);
    if (sql.empty()) continue;
    if (const auto plan = plan_query(sql, catalog); plan.ok()) learn(*plan);
  }
}

void ValuePools::learn(const Plan& plan) { PlanReader(*this, plan).read(plan.root); }

}  // namespace trustsql::equiv
