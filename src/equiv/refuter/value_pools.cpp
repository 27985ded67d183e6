#include "equiv/refuter/value_pools.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <span>

#include "base/sql_token.hpp"
#include "base/text.hpp"
#include "equiv/refuter/plan_reader.hpp"
#include "equiv/refuter/preimages.hpp"
#include "plan/evaluate.hpp"
#include "plan/walk.hpp"
#include "sql/functions.hpp"

namespace trustsql::equiv {

using namespace plan;

namespace {

constexpr std::size_t max_constants = 16;
constexpr int max_patterns = 100;
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

}  // namespace

ValuePools::ValuePools(const DataModel& model) : model_(model) {
  int next = 0;
  for (const auto& table : model.tables) {
    first_.push_back(next);
    next += static_cast<int>(table.columns.size());
  }
  parents_.assign(static_cast<std::size_t>(next), -1);
  hints_.resize(static_cast<std::size_t>(next));
  for (std::size_t t = 0; t < model.tables.size(); ++t) {
    for (const auto& link : model.tables[t].parents) {
      for (std::size_t i = 0; i < link.columns.size(); ++i)
        join(id(t, static_cast<std::size_t>(link.columns[i])),
             id(static_cast<std::size_t>(link.parent), static_cast<std::size_t>(link.parent_columns[i])));
    }
  }
}

int ValuePools::root(int id) const {
  while (parents_[static_cast<std::size_t>(id)] >= 0) id = parents_[static_cast<std::size_t>(id)];
  return id;
}

void ValuePools::join(int a, int b) {
  a = root(a);
  b = root(b);
  if (a == b) return;
  parents_[static_cast<std::size_t>(a)] = b;
  auto moved = std::exchange(hints_[static_cast<std::size_t>(a)], {});
  for (const auto& value : moved.constants) add_constant(b, value);
  for (const auto& pattern : moved.patterns) add_pattern(b, pattern);
  add_use(b, moved.use);
}

void ValuePools::add_constant(int id, const Value& value) {
  auto& list = hints_[static_cast<std::size_t>(root(id))].constants;
  if (view(value).is_null() || list.size() >= max_constants || std::ranges::find(list, value) != list.end()) return;
  list.push_back(value);
}

void ValuePools::add_pattern(int id, const std::string& pattern) {
  auto& list = hints_[static_cast<std::size_t>(root(id))].patterns;
  if (list.size() < max_constants && std::ranges::find(list, pattern) == list.end()) list.push_back(pattern);
}

void ValuePools::add_use(int id, const ColumnUse& use) { hints_[static_cast<std::size_t>(root(id))].use.add(use); }

// Collects what a plan compares.
class PlanReader {
 public:
  PlanReader(ValuePools& pools, const Plan& plan) : pools_(pools), origins_(plan, pools.model_) {}

  void read(const Rel& rel) {
    for_each_rel(rel, [&](const Rel& input) { read(input); });
    for_each_expr(rel, [&](const Expr& expr) { read(expr); });
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
    if (!origin) return std::nullopt;
    return pools_.id(origin->table, origin->column);
  }

  void use(const Expr& expr, const ColumnUse& use) {
    if (const auto id = origin(expr)) pools_.add_use(*id, use);
  }
  void numeric(const Expr& expr) { use(expr, {.numeric = true}); }

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
    if (const auto* n = expr.as<Like>()) {
      const auto id = origin(*n->operand);
      const auto* pattern = literal_as<std::string>(*n->pattern);
      if (id && pattern != nullptr) {
        pools_.add_pattern(*id, n->op == ast::LikeOp::glob ? like_pattern(*pattern) : *pattern);
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

void ValuePools::learn(const Plan& plan) { PlanReader(*this, plan).read(plan.root); }

void ValuePools::learn(std::string_view sql) {
  for (std::size_t t = 0; t < model_.tables.size(); ++t) {
    for (std::size_t u = 0; u < t; ++u) {
      for (std::size_t i = 0; i < model_.tables[t].columns.size(); ++i) {
        const auto& name =
            model_.tables[t].table->columns[static_cast<std::size_t>(model_.tables[t].columns[i].position)].name;
        const auto other = model_.tables[u].table->find_column(name);
        const int place = other ? model_.tables[u].place_of(static_cast<int>(*other)) : -1;
        if (place >= 0) join(id(t, i), id(u, static_cast<std::size_t>(place)));
      }
    }
  }
  for (const Token token : significant_tokens(sql)) {
    Value value;
    if (token.is(TokenKind::string)) {
      value = token.name(sql);
    } else if (token.is(TokenKind::integer) || token.is(TokenKind::real)) {
      value = apply_affinity(std::string(token.text(sql)), Affinity::numeric).value_or(Value());
    }
    if (view(value).is_null()) continue;
    for (std::size_t t = 0; t < model_.tables.size(); ++t) {
      for (std::size_t i = 0; i < model_.tables[t].columns.size(); ++i) {
        const auto& column = model_.tables[t].columns[i];
        if (column.used && is_of_kind(fitted(value, column.kind), column.kind)) add_constant(id(t, i), value);
      }
    }
  }
}

void ValuePools::finish() {
  values_.clear();
  std::vector<bool> numbered(hints_.size());
  for (std::size_t t = 0; t < model_.tables.size(); ++t) {
    for (std::size_t i = 0; i < model_.tables[t].columns.size(); ++i) {
      const auto kind = model_.tables[t].columns[i].kind;
      if (kind == ColumnKind::integer || kind == ColumnKind::real || kind == ColumnKind::number)
        numbered[static_cast<std::size_t>(root(id(t, i)))] = true;
    }
  }
  for (std::size_t t = 0; t < model_.tables.size(); ++t) {
    const auto& table = model_.tables[t];
    values_.emplace_back();
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const auto& hints = hints_[static_cast<std::size_t>(root(id(t, i)))];
      const auto& column = table.table->columns[static_cast<std::size_t>(table.columns[i].position)];
      ColumnValuesMaker maker(table.columns[i].kind, equals_ignore_case(column.collation, "RTRIM"),
                              table.columns[i].reading);
      for (const auto& constant : hints.constants) maker.add(constant);
      for (const auto& pattern : hints.patterns) maker.add_pattern(pattern);
      auto use = hints.use;
      use.with_numbers = numbered[static_cast<std::size_t>(root(id(t, i)))];
      values_.back().push_back(maker.finish(use));
      if (column.enforced_type) values_.back().back().odd.clear();
    }
  }
}

Value ValuePools::fresh(std::size_t table, std::size_t column, std::size_t i) const {
  const auto& common_values = of(table, column).common;
  if (i < common_values.size()) return common_values[i];
  const auto number = static_cast<std::int64_t>(i + 1);
  switch (model_.tables[table].columns[column].kind) {
    case ColumnKind::text:
    case ColumnKind::date:
    case ColumnKind::datetime:
    case ColumnKind::time: {
      const auto* first = std::get_if<std::string>(&common_values.front());
      if (first != nullptr && looks_like_date(*first)) {
        const auto two_digits = [](std::size_t n) { return std::string(n < 10 ? "0" : "") + std::to_string(n); };
        return std::to_string(2000 + i / 336) + "-" + two_digits(1 + i / 28 % 12) + "-" + two_digits(1 + i % 28) +
               first->substr(10);
      }
      if (first != nullptr && !first->empty() && first->front() >= '0' && first->front() <= '9')
        // For texts that are read as numbers, beyond the common values.
        return std::to_string(model_.tables[table].columns[column].reading == Reading::as_text ? number : number + 10);
      return std::string(1, static_cast<char>('a' + i % 26)) + (i < 26 ? std::string() : std::to_string(i / 26));
    }
    case ColumnKind::real:
    case ColumnKind::number: return static_cast<double>(number) + 0.5;
    case ColumnKind::any:
      if (std::holds_alternative<std::string>(common_values.front())) return "v" + std::to_string(number);
      break;
    case ColumnKind::boolean: return static_cast<std::int64_t>(i % 2);
    case ColumnKind::integer: break;
  }
  return number;
}

QueryTexts query_texts(const DataModel& model, std::string_view a, std::string_view b) {
  QueryTexts texts;
  int patterns = 0;
  const auto is_name = [&](const std::string& name) {
    return std::ranges::any_of(model.tables, [&](const TableModel& table) {
      return equals_ignore_case(table.table->name, name) || table.table->find_column(name).has_value();
    });
  };
  for (const auto sql : {a, b}) {
    bool pattern = false;
    for (const Token token : significant_tokens(sql)) {
      const bool text = token.is(TokenKind::string) ||
                        (token.is(TokenKind::quoted) && token.text(sql).starts_with('"') && !is_name(token.name(sql)));
      if (text && pattern) {
        std::string longest;
        std::string piece;
        for (const char c : token.name(sql) + "%") {
          if (c != '%' && c != '_' && c != '*' && c != '?') {
            piece += c;
            continue;
          }
          if (piece.size() > longest.size()) longest = piece;
          piece.clear();
        }
        if (!longest.empty() && ++patterns <= max_patterns) texts.add_pattern_piece(std::move(longest));
      } else if (text) {
        texts.add_constant(token.name(sql));
      }
      pattern = token.is(Keyword::Like) || token.is(Keyword::Glob);
    }
  }
  return texts;
}

}  // namespace trustsql::equiv
