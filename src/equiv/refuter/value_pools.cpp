#include "equiv/refuter/value_pools.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "db/sql_scan.hpp"
#include "equiv/refuter/plan_reader.hpp"
#include "plan/evaluate.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv {

using namespace plan;

namespace {

constexpr std::size_t most_constants = 16;
constexpr std::size_t most_values = 32;
constexpr std::size_t longest_text = 200;
constexpr int most_patterns = 100;
constexpr std::int64_t largest = std::int64_t{1} << 60;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Whether it may be cut anywhere.
bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

// YYYY-MM-DD, whatever follows.
bool looks_like_date(std::string_view text) {
  if (text.size() < 10) return false;
  for (std::size_t i = 0; i < 10; ++i) {
    if (i == 4 || i == 7 ? text[i] != '-' : !is_digit(text[i])) return false;
  }
  return true;
}

// The text with the digit at `at` one more, or one less where it is a nine.
std::string with_other_digit(std::string text, std::size_t at) {
  text[at] = static_cast<char>(text[at] == '9' ? '8' : text[at] + 1);
  return text;
}

// An instance of a LIKE pattern: wildcards filled with `filler`.
std::string instance_of(std::string_view pattern, std::string_view filler) {
  std::string text;
  for (const char c : pattern) {
    if (c == '%') {
      text += filler;
    } else if (c == '_') {
      text += 'x';
    } else {
      text += c;
    }
  }
  return text;
}

class ListMaker {
 public:
  ListMaker(ColumnKind kind, bool rtrim) : kind_(kind), rtrim_(rtrim) {}

  void add(const Value& constant) {
    take(constant);
    const Value value = fitted(constant, kind_);
    if (const auto* integer = std::get_if<std::int64_t>(&value)) {
      if (*integer < largest) take(*integer + 1);
      if (*integer > -largest) take(*integer - 1);
      if (kind_ != ColumnKind::integer) take(static_cast<double>(*integer) + 0.5);
      values_.odd.emplace_back(static_cast<double>(*integer) + 0.5);
      values_.odd.emplace_back(std::to_string(*integer) + "x");
    } else if (const auto* real = std::get_if<double>(&value)) {
      take(*real + 0.5);
      take(*real - 0.5);
      take(std::ceil(*real));
    } else if (const auto* text = std::get_if<std::string>(&value)) {
      add_neighbours(*text);
      if (const auto number = apply_affinity(value, Affinity::numeric)) {
        if (const auto* digits = std::get_if<std::int64_t>(&*number); digits != nullptr && kind_ == ColumnKind::text) {
          if (*digits < largest) take(std::to_string(*digits + 1));
          if (*digits > -largest) take(std::to_string(*digits - 1));
          // Fewer digits, but behind it in the order of texts.
          if (text->size() > 1 && is_digit(text->front())) take("9" + std::string(text->size() - 2, '0'));
          if (!text->empty()) take("0" + *text);
        }
      }
    }
  }

  void add_pattern(const std::string& pattern) {
    if (kind_ == ColumnKind::integer || kind_ == ColumnKind::real || kind_ == ColumnKind::number) {
      add(instance_of(pattern, ""));
      return;
    }
    for (const char* filler : {"x", "", "y z"}) take(instance_of(pattern, filler));
    const std::string bare = instance_of(pattern, "");
    take("x" + bare);
    take(bare + "x");
    if (bare.size() > 1 && is_ascii(bare)) take(bare.substr(1));
  }

  // `numeric`: the queries calculate with it; `numbered`: it is compared with a column of numbers.
  ColumnValues finish(bool numeric, bool numbered) {
    static const std::vector<Value> numbers = {std::string("1"), std::string("2"), std::string("3"), std::string("4")};
    static const std::vector<Value> integers = {std::int64_t{1}, std::int64_t{2}, std::int64_t{3}, std::int64_t{4}};
    // Integers are divided otherwise.
    static const std::vector<Value> any_numbers = {std::int64_t{1}, std::int64_t{2}, 2.5, std::int64_t{4}};
    static const std::vector<Value> reals = {1.5, 2.0, 2.5, 4.0};
    static const std::vector<Value> texts = {std::string("a"), std::string("b"), std::string("c"), std::string("d")};
    static const std::vector<Value> digits = {std::string("9"), std::string("10"), std::string("2"), std::string("2.5")};
    static const std::vector<Value> dates = {std::string("2020-01-01"), std::string("2021-06-15"), std::string("2021-07-01"),
                                             std::string("2022-12-31")};
    static const std::vector<Value> datetimes = {std::string("2020-01-01 10:00:00"), std::string("2021-06-15 12:30:00"),
                                                 std::string("2021-06-15 18:00:00"), std::string("2022-12-31 23:59:59")};
    static const std::vector<Value> times = {std::string("08:00:00"), std::string("12:30:00"), std::string("18:00:00")};
    static const std::vector<Value> truths = {std::int64_t{0}, std::int64_t{1}};
    const auto& common = [&]() -> const std::vector<Value>& {
      switch (kind_) {
        case ColumnKind::integer: return integers;
        case ColumnKind::real: return reals;
        case ColumnKind::number: return any_numbers;
        case ColumnKind::text: return numbered ? numbers : numeric ? digits : texts;
        case ColumnKind::date: return numeric ? integers : dates;
        case ColumnKind::datetime: return datetimes;
        case ColumnKind::time: return times;
        case ColumnKind::boolean: return truths;
        case ColumnKind::any: break;
      }
      const bool hints_are_texts = std::ranges::any_of(values_.hinted, [](const Value& value) { return std::holds_alternative<std::string>(value); });
      return hints_are_texts ? texts : integers;
    }();
    for (const auto& value : common) {
      if (!varies_from_hint(value)) values_.common.push_back(value);
    }
    if (values_.common.empty()) values_.common = values_.hinted;
    for (const auto* list : {&values_.hinted, &values_.common}) {
      for (std::size_t i = 0; i < std::min<std::size_t>(list->size(), 4); ++i) add_variants((*list)[i]);
    }
    switch (kind_) {
      case ColumnKind::integer:
        for (const Value& value : {Value(2.5), Value(std::string("abc")), Value(std::string("10x"))}) values_.odd.push_back(value);
        break;
      case ColumnKind::real:
      case ColumnKind::number:
        for (const Value& value : {Value(std::string("abc")), Value(std::string("10x"))}) values_.odd.push_back(value);
        break;
      case ColumnKind::any:
        for (const Value& value : {Value(std::string("10")), Value(std::int64_t{10}), Value(2.0), Value(Blob{"a"})}) values_.odd.push_back(value);
        break;
      default: values_.odd.emplace_back(Blob{"a"}); break;
    }
    return std::move(values_);
  }

 private:
  bool varies_from_hint(const Value& value) const {
    const auto* text = std::get_if<std::string>(&value);
    if (text == nullptr) return false;
    return std::ranges::any_of(values_.hinted, [&](const Value& other) {
      const auto* known = std::get_if<std::string>(&other);
      return known != nullptr && *known != *text && equals_ignore_case(*known, *text);
    });
  }

  void take(const Value& constant) {
    const Value value = fitted(constant, kind_);
    const auto same = [&](const Value& known) { return known == value; };
    if (!is_of_kind(value, kind_)) {
      if (std::ranges::none_of(values_.odd, same)) values_.odd.push_back(value);
      return;
    }
    if (values_.hinted.size() >= most_values || std::ranges::any_of(values_.hinted, same)) return;
    if (const auto* text = std::get_if<std::string>(&value); text != nullptr && text->size() > longest_text) return;
    if (varies_from_hint(value)) {
      values_.variants.push_back(value);
    } else {
      values_.hinted.push_back(value);
    }
  }

  void add_neighbours(const std::string& text) {
    if (looks_like_date(text)) {
      take(with_other_digit(text, 9));
      take(with_other_digit(text, 6));
      take(with_other_digit(text, 3));
      if (text.size() > 10) take(text.substr(0, 10));
      return;
    }
    if (text.size() == 4 && std::ranges::all_of(text, is_digit) && kind_ != ColumnKind::text) {  // a year
      take(text + "-06-15");
      take(with_other_digit(text, 3) + "-06-15");
    }
    if (rtrim_) take(text + " ");
    take(text + "x");
    if (text.size() > 1) take("x" + text);
    if (text.empty() || !is_ascii(text)) return;
    // One that comes just before it.
    const char last = text.back();
    if ((last > 'a' && last <= 'z') || (last > 'A' && last <= 'Z') || (last > '0' && last <= '9'))
      take(text.substr(0, text.size() - 1) + static_cast<char>(last - 1));
    if (text.size() > 2) take(text.substr(0, text.size() - 1));
  }

  void add_variants(const Value& value) {
    const auto* text = std::get_if<std::string>(&value);
    if (text == nullptr) return;
    std::string upper = *text;
    for (char& c : upper) {
      if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    }
    std::string lower = to_lower_ascii(*text);
    if (upper != *text) values_.variants.emplace_back(std::move(upper));
    if (lower != *text) values_.variants.emplace_back(std::move(lower));
  }

  ColumnKind kind_;
  bool rtrim_;
  ColumnValues values_;
};

}  // namespace

Value fitted(const Value& value, ColumnKind kind) {
  switch (kind) {
    case ColumnKind::text:
    case ColumnKind::date:
    case ColumnKind::datetime:
    case ColumnKind::time:
      if (kind != ColumnKind::text) return value;
      if (const auto* integer = std::get_if<std::int64_t>(&value)) return std::to_string(*integer);
      if (const auto* real = std::get_if<double>(&value)) return format_real(*real);
      return value;
    case ColumnKind::integer:
    case ColumnKind::real:
    case ColumnKind::number:
      if (std::holds_alternative<std::string>(value)) {
        auto number = apply_affinity(value, Affinity::numeric);
        if (number && !std::holds_alternative<std::string>(*number)) return fitted(*number, kind);
        return value;
      }
      if (const auto* integer = std::get_if<std::int64_t>(&value); integer != nullptr && kind == ColumnKind::real)
        return static_cast<double>(*integer);
      if (const auto* real = std::get_if<double>(&value); real != nullptr && kind == ColumnKind::integer) {
        if (std::abs(*real) < static_cast<double>(largest) && std::floor(*real) == *real) return static_cast<std::int64_t>(*real);
      }
      return value;
    case ColumnKind::boolean:
    case ColumnKind::any: break;
  }
  return value;
}

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
  if (moved.numeric) hints_[static_cast<std::size_t>(b)].numeric = true;
}

void ValuePools::add_constant(int id, const Value& value) {
  auto& list = hints_[static_cast<std::size_t>(root(id))].constants;
  if (view(value).is_null() || list.size() >= most_constants || std::ranges::find(list, value) != list.end()) return;
  list.push_back(value);
}

void ValuePools::add_pattern(int id, const std::string& pattern) {
  auto& list = hints_[static_cast<std::size_t>(root(id))].patterns;
  if (list.size() < most_constants && std::ranges::find(list, pattern) == list.end()) list.push_back(pattern);
}

// Goes over a plan for what it compares.
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
    const auto found = origins_.of(expr);
    if (!found) return std::nullopt;
    return pools_.id(found->table, found->column);
  }

  void numeric(const Expr& expr) {
    if (const auto id = origin(expr)) pools_.hints_[static_cast<std::size_t>(pools_.root(*id))].numeric = true;
  }

  void pair(const Expr& a, const Expr& b) {
    const auto left = origin(a);
    const auto right = origin(b);
    if (left && right) pools_.join(*left, *right);
    if (const auto* value = literal_value(b); value != nullptr && left) pools_.add_constant(*left, *value);
    if (const auto* value = literal_value(a); value != nullptr && right) pools_.add_constant(*right, *value);
  }

  void read(const Expr& expr) {
    for_each_expr(expr, [&](const Expr& operand) { read(operand); });
    for_each_rel(expr, [&](const Rel& rel) { read(rel); });
    if (const auto* n = expr.as<Compare>()) pair(*n->left, *n->right);
    if (const auto* n = expr.as<Like>()) {
      const auto id = origin(*n->operand);
      const auto* pattern = literal_value(*n->pattern);
      if (id && pattern != nullptr) {
        if (const auto* text = std::get_if<std::string>(pattern)) pools_.add_pattern(*id, *text);
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
    if (const auto* n = expr.as<Function>()) {
      for (std::size_t i = 1; i < n->arguments.size(); ++i) pair(n->arguments.front(), n->arguments[i]);
    }
    if (const auto* n = expr.as<Cast>(); n != nullptr && is_numeric(n->affinity)) numeric(*n->operand);
    if (const auto* n = expr.as<Binary>(); n != nullptr && n->op != ast::BinaryOp::concat) {
      numeric(*n->left);
      numeric(*n->right);
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
        const auto& name = model_.tables[t].table->columns[static_cast<std::size_t>(model_.tables[t].columns[i].position)].name;
        const auto other = model_.tables[u].table->find_column(name);
        const int place = other ? model_.tables[u].place_of(static_cast<int>(*other)) : -1;
        if (place >= 0) join(id(t, i), id(u, static_cast<std::size_t>(place)));
      }
    }
  }
  SqlScanner scanner(sql);
  for (auto token = scanner.next(); !token.is_end(); token = scanner.next()) {
    Value value;
    if (token.kind == SqlToken::Kind::string) {
      value = token.name();
    } else if (token.kind == SqlToken::Kind::number) {
      value = apply_affinity(std::string(token.text), Affinity::numeric).value_or(Value());
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
      ListMaker maker(table.columns[i].kind, equals_ignore_case(column.collation, "RTRIM"));
      for (const auto& constant : hints.constants) maker.add(constant);
      for (const auto& pattern : hints.patterns) maker.add_pattern(pattern);
      values_.back().push_back(maker.finish(hints.numeric, numbered[static_cast<std::size_t>(root(id(t, i)))]));
      if (column.enforced_type) values_.back().back().odd.clear();
    }
  }
}

Value ValuePools::fresh(std::size_t table, std::size_t column, std::size_t i) const {
  const auto& known = of(table, column).common;
  if (i < known.size()) return known[i];
  const auto number = static_cast<std::int64_t>(i + 1);
  switch (model_.tables[table].columns[column].kind) {
    case ColumnKind::text:
    case ColumnKind::date:
    case ColumnKind::datetime:
    case ColumnKind::time: {
      const auto* first = std::get_if<std::string>(&known.front());
      if (first != nullptr && looks_like_date(*first)) {
        const auto two_digits = [](std::size_t n) { return std::string(n < 10 ? "0" : "") + std::to_string(n); };
        return std::to_string(2000 + i / 336) + "-" + two_digits(1 + i / 28 % 12) + "-" + two_digits(1 + i % 28) + first->substr(10);
      }
      if (first != nullptr && !first->empty() && is_digit(first->front())) return std::to_string(number);
      return std::string(1, static_cast<char>('a' + i % 26)) + (i < 26 ? std::string() : std::to_string(i / 26));
    }
    case ColumnKind::real:
    case ColumnKind::number: return static_cast<double>(number) + 0.5;
    case ColumnKind::any:
      if (std::holds_alternative<std::string>(known.front())) return "v" + std::to_string(number);
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
    SqlScanner scanner(sql);
    bool pattern = false;
    for (auto token = scanner.next(); !token.is_end(); token = scanner.next()) {
      const bool text = token.kind == SqlToken::Kind::string ||
                        (token.kind == SqlToken::Kind::quoted_identifier && token.text.starts_with('"') && !is_name(token.name()));
      if (text && pattern) {
        std::string longest;
        std::string piece;
        for (const char c : token.name() + "%") {
          if (c != '%' && c != '_' && c != '*' && c != '?') {
            piece += c;
            continue;
          }
          if (piece.size() > longest.size()) longest = piece;
          piece.clear();
        }
        if (!longest.empty() && ++patterns <= most_patterns) texts.add_pattern_piece(std::move(longest));
      } else if (text) {
        texts.add_constant(token.name());
      }
      pattern = token.is("like") || token.is("glob");
    }
  }
  return texts;
}

}  // namespace trustsql::equiv
