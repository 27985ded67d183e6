#include "equiv/refuter/preimages.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include "base/text.hpp"
#include "plan/evaluate.hpp"

namespace trustsql::equiv {

using namespace plan;

namespace {

constexpr std::size_t max_preimages = 8;
constexpr int deepest_preimage = 4;  // functions of functions
constexpr std::int64_t longest_preimage = 100;
constexpr std::size_t longest_constant = 200;
constexpr std::int64_t largest_preimage = std::int64_t{1} << 50;
constexpr std::string_view some_time = "2021-06-15 12:30:00";

bool is_moderate(std::int64_t x) { return -largest_preimage < x && x < largest_preimage; }
bool is_moderate(double x) {
  return -static_cast<double>(largest_preimage) < x && x < static_cast<double>(largest_preimage);
}

bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

const std::int64_t* integer_argument(const Function& function, std::size_t i) {
  return i < function.arguments.size() ? literal_as<std::int64_t>(function.arguments[i]) : nullptr;
}

const std::string* constant_text(const Expr& expr) { return literal_as<std::string>(expr); }

// `some_time` with `text` written over it from `place` on.
std::string time_with(std::string_view text, std::size_t place) {
  std::string time(some_time);
  return time.replace(place, text.size(), text);
}

// A time that strftime() prints as `text` with this format; empty if the two do not fit each other.
std::string time_from(std::string_view format, std::string_view text) {
  struct Field {
    char letter;
    std::size_t place;
    std::size_t width;
  };
  static constexpr std::array<Field, 8> fields = {
      {{'Y', 0, 4}, {'m', 5, 2}, {'d', 8, 2}, {'H', 11, 2}, {'M', 14, 2}, {'S', 17, 2}, {'F', 0, 10}, {'T', 11, 8}}};
  std::string time(some_time);
  std::size_t at = 0;
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%' || i + 1 == format.size()) {
      if (at >= text.size() || text[at++] != format[i]) return {};
      continue;
    }
    ++i;
    const Field* found = nullptr;
    for (const auto& field : fields)
      if (field.letter == format[i]) found = &field;
    if (found == nullptr || text.size() < at + found->width) return {};
    const auto part = text.substr(at, found->width);
    if (!is_digits(part.substr(0, 2))) return {};
    time.replace(found->place, found->width, part);
    at += found->width;
  }
  return at == text.size() ? time : std::string();
}

std::vector<Value> of_substring(const Function& function, const std::string& text) {
  const auto* begin = integer_argument(function, 1);
  if (begin == nullptr || *begin < -longest_preimage || *begin > longest_preimage) return {text};
  if (*begin < 0) return {text, "x" + text};
  const auto before = static_cast<std::size_t>(*begin > 0 ? *begin - 1 : 0);
  std::vector<Value> values;
  const bool in_time = before + text.size() <= some_time.size() && (before == 0 || before == 5 || before == 8) &&
                       text.size() >= 2 && is_digits(text.substr(0, 2));
  if (in_time) values.emplace_back(time_with(text, before).substr(0, 10));
  values.emplace_back(std::string(before, 'x') + text);
  if (function.arguments.size() > 2) values.emplace_back(std::string(before, 'x') + text + "x");
  return values;
}

// For a function whose value is a text.
std::vector<Value> of_text_function(const Function& function, const std::string& text) {
  const auto name = function.name;
  if (name == "trim" || name == "ltrim" || name == "rtrim") return {text, " " + text, text + " "};
  if (name == "substr" || name == "substring") return of_substring(function, text);
  if (name == "date") return {text, text + std::string(some_time.substr(10))};
  if (name == "time") return {text, std::string(some_time.substr(0, 11)) + text};
  if (name == "strftime") {
    const auto* format = constant_text(function.arguments.front());
    auto time = format == nullptr ? std::string() : time_from(*format, text);
    if (time.empty()) return {text};
    return {time.substr(0, 10), time};
  }
  return {text};
}

std::vector<Value> of_number_function(const Function& function, double number) {
  const auto name = function.name;
  const bool whole = std::floor(number) == number && is_moderate(number);
  const auto integer = whole ? static_cast<std::int64_t>(number) : 0;
  const auto as_value = [&](double x) -> Value {
    return whole && std::floor(x) == x ? Value(static_cast<std::int64_t>(x)) : Value(x);
  };
  if (name == "abs") return {as_value(number), as_value(-number)};
  if (name == "length" && whole && integer >= 0 && integer < longest_preimage)
    return {std::string(static_cast<std::size_t>(integer), 'a'),
            std::string(static_cast<std::size_t>(integer + 1), 'a')};
  if (name == "round") {
    const auto* digits = integer_argument(function, 1);
    const double step = digits == nullptr ? 1 : std::pow(10, -static_cast<double>(*digits));
    return {as_value(number), number + 0.4 * step, number - 0.5 * step};
  }
  if (name == "floor") return {as_value(number), number + 0.5};
  if (name == "ceil" || name == "ceiling") return {as_value(number), number - 0.5};
  return {as_value(number)};
}

// The operand of `n` that is not a literal, and the number that it has where `n` has the value `number`.
struct Operand {
  const Expr* expr = nullptr;
  double number = 0;
};

Operand operand_of(const Binary& n, double number) {
  const auto number_of = [](const Expr& expr) -> std::optional<double> {
    const auto* value = literal_value(expr);
    if (value == nullptr) return std::nullopt;
    if (const auto* integer = std::get_if<std::int64_t>(value)) return static_cast<double>(*integer);
    if (const auto* real = std::get_if<double>(value)) return *real;
    return std::nullopt;
  };
  const auto left = number_of(*n.left);
  const auto right = number_of(*n.right);
  if (left.has_value() == right.has_value()) return {};
  const double known = left ? *left : *right;
  const Expr* other = left ? &*n.right : &*n.left;
  switch (n.op) {
    case ast::BinaryOp::add: return {other, number - known};
    case ast::BinaryOp::subtract: return {other, left ? known - number : number + known};
    case ast::BinaryOp::multiply: return known == 0 ? Operand() : Operand{other, number / known};
    case ast::BinaryOp::divide: return left ? Operand() : Operand{other, number * known};
    default: return {};
  }
}

std::optional<double> double_of(const Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  return std::nullopt;
}

// What an operand has to be for the whole to have a value.
struct Inversion {
  const Expr* operand = nullptr;
  std::vector<Value> values{};
};

Inversion of_cast(const Cast& n, const Value& constant) {
  Inversion inversion{&*n.operand, {constant}};
  const auto* integer = std::get_if<std::int64_t>(&constant);
  if (integer == nullptr) return inversion;
  if (n.affinity == Affinity::integer && is_moderate(*integer))
    inversion.values.emplace_back(static_cast<double>(*integer) + 0.5);
  // CAST(strftime('%m', x) AS INTEGER) = 3: the text has two digits.
  if (*integer >= 0 && *integer < 10) inversion.values.emplace_back("0" + std::to_string(*integer));
  inversion.values.emplace_back(std::to_string(*integer));
  return inversion;
}

Inversion of_function(const Function& n, const Value& constant) {
  if (n.arguments.empty()) return {};
  Inversion inversion{&n.arguments[n.name == "strftime" && n.arguments.size() > 1 ? 1 : 0]};
  if (const auto* text = std::get_if<std::string>(&constant)) {
    inversion.values = of_text_function(n, *text);
  } else if (const auto number = double_of(constant)) {
    inversion.values = of_number_function(n, *number);
  }
  return inversion;
}

Inversion of_binary(const Binary& n, const Value& constant) {
  if (const auto number = double_of(constant)) {
    const auto operand = operand_of(n, *number);
    if (is_moderate(operand.number) && std::floor(operand.number) == operand.number)
      return {operand.expr, {static_cast<std::int64_t>(operand.number)}};
    return {operand.expr, {operand.number}};
  }
  const auto* text = std::get_if<std::string>(&constant);
  if (text == nullptr || n.op != ast::BinaryOp::concat) return {};
  const auto* prefix = constant_text(*n.left);
  const auto* suffix = constant_text(*n.right);
  if (prefix != nullptr && text->starts_with(*prefix)) return {&*n.right, {text->substr(prefix->size())}};
  if (suffix != nullptr && text->ends_with(*suffix))
    return {&*n.left, {text->substr(0, text->size() - suffix->size())}};
  return {};
}

Inversion of_minus(const Unary& n, const Value& constant) {
  Inversion inversion{&*n.operand};
  if (const auto* integer = std::get_if<std::int64_t>(&constant); integer != nullptr && is_moderate(*integer))
    inversion.values = {-*integer};
  if (const auto* real = std::get_if<double>(&constant)) inversion.values = {-*real};
  return inversion;
}

Inversion invert(const Expr& expr, const Value& constant) {
  if (const auto* n = expr.as<Cast>()) return of_cast(*n, constant);
  if (const auto* n = expr.as<Function>()) return of_function(*n, constant);
  if (const auto* n = expr.as<Binary>()) return of_binary(*n, constant);
  if (const auto* n = expr.as<Unary>(); n != nullptr && n->op == ast::UnaryOp::minus) return of_minus(*n, constant);
  return {};
}

std::vector<Value> preimages(const Expr& expr, const Value& constant, int depth) {
  const auto inversion = invert(expr, constant);
  if (inversion.operand == nullptr || inversion.values.empty() || depth == deepest_preimage) return {constant};
  std::vector<Value> all;
  for (const auto& value : inversion.values) {
    for (auto& preimage : preimages(*inversion.operand, value, depth + 1)) {
      if (all.size() < max_preimages && std::ranges::find(all, preimage) == all.end())
        all.push_back(std::move(preimage));
    }
  }
  return all;
}

}  // namespace

std::vector<Value> preimages(const Expr& expr, const Value& constant) {
  const auto* text = std::get_if<std::string>(&constant);
  if (text != nullptr && text->size() > longest_constant) return {constant};
  return preimages(expr, constant, 0);
}

}  // namespace trustsql::equiv
