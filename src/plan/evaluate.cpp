#include "plan/evaluate.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/like_pattern.hpp"
#include "base/text.hpp"
#include "plan/date_text.hpp"
#include "plan/rel.hpp"

namespace trustsql::plan {

namespace {

const Value null_value{};
Value boolean(bool truth) { return std::int64_t{truth ? 1 : 0}; }
bool is_null(const Value& value) { return value.index() == 0; }

// All of `text`, apart from surrounding white space, read as a number as numeric affinity reads it. `known` is false if
// there are too many digits to be sure of the rounding.
struct Number {
  std::optional<Value> value;  // none: not a number
  bool known = true;
};

Number parse_number(std::string_view text) {
  constexpr std::string_view spaces = " \t\n\v\f\r";
  const auto first = text.find_first_not_of(spaces);
  if (first == std::string_view::npos) return {};
  text = text.substr(first, text.find_last_not_of(spaces) - first + 1);
  std::size_t position = 0;
  if (text[position] == '+' || text[position] == '-') ++position;
  const auto skip_digits = [&] {
    const auto from = position;
    while (position < text.size() && text[position] >= '0' && text[position] <= '9') ++position;
    return position - from;
  };
  const auto whole = skip_digits();
  std::size_t fraction = 0;
  bool is_real = false;
  if (position < text.size() && text[position] == '.') {
    ++position;
    is_real = true;
    fraction = skip_digits();
  }
  if (whole + fraction == 0) return {};
  if (position < text.size() && (text[position] == 'e' || text[position] == 'E')) {
    // With an exponent the value may or may not be an integer, and may be rounded. Not supported.
    return {{}, false};
  }
  if (position != text.size()) return {};
  const bool has_plus = text.front() == '+';
  const auto digits = has_plus ? text.substr(1) : text;
  if (!is_real) {
    std::int64_t integer = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), integer);
    if (error == std::errc() && end == digits.data() + digits.size()) return {Value(integer), true};
    return {{}, false};
  }
  if (whole + fraction > 15) return {{}, false};
  double real = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), real);
  // Affinity turns a real without a fraction into an integer.
  if (real == std::floor(real)) return {Value(static_cast<std::int64_t>(real)), true};
  return {Value(real), true};
}

// Whether `number`, which was read from the text, stands for -0.
bool is_negative_zero(const Value& number, std::string_view text) {
  return number == Value(std::int64_t{0}) && text.find('-') != std::string_view::npos;
}

// An operand of arithmetic as a number; nullopt if that is not known for sure.
std::optional<Value> as_number(const Value& value) {
  if (value.index() <= 2) return value;
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) return std::nullopt;
  auto number = parse_number(*text);
  // For text that only begins with a number SQLite uses that prefix; this is left to SQLite. '-0' may become -0.0.
  const bool is_integer =
      number.value && std::holds_alternative<std::int64_t>(*number.value) && text->find('.') == std::string::npos;
  return is_integer && !is_negative_zero(*number.value, *text) ? number.value : std::nullopt;
}

Value real_or_null(double real) { return std::isnan(real) ? null_value : Value(real); }

// Whether every version of SQLite reads the real as it is: a whole number, or one with few binary places, of up to 15
// digits. Of other numbers in a query, the last bit depends on the version (builder/expression.cpp).
bool is_exact(const Value& value) {
  constexpr double largest_whole = 1e15;
  constexpr double largest = 1e5;
  constexpr double places = 1024;
  const auto* real = std::get_if<double>(&value);
  if (real == nullptr) return true;
  return (std::abs(*real) < largest_whole && *real == std::floor(*real)) ||
         (std::abs(*real) < largest && *real * places == std::floor(*real * places));
}

std::optional<Value> calculated(ast::BinaryOp op, const Value& a, const Value& b) {
  const auto left = as_number(a);
  const auto right = as_number(b);
  if (!left || !right) return std::nullopt;
  if (is_null(*left) || is_null(*right)) return null_value;
  const auto* i = std::get_if<std::int64_t>(&*left);
  const auto* j = std::get_if<std::int64_t>(&*right);
  const auto real = [](const Value& v) {
    return v.index() == 1 ? static_cast<double>(std::get<std::int64_t>(v)) : std::get<double>(v);
  };
  using Op = ast::BinaryOp;
  std::int64_t result = 0;
  switch (op) {
    case Op::add:
      if (i != nullptr && j != nullptr && !__builtin_add_overflow(*i, *j, &result)) return Value(result);
      return real_or_null(real(*left) + real(*right));
    case Op::subtract:
      if (i != nullptr && j != nullptr && !__builtin_sub_overflow(*i, *j, &result)) return Value(result);
      return real_or_null(real(*left) - real(*right));
    case Op::multiply:
      if (i != nullptr && j != nullptr && !__builtin_mul_overflow(*i, *j, &result)) return Value(result);
      return real_or_null(real(*left) * real(*right));
    case Op::divide:
      if (i != nullptr && j != nullptr) {
        if (*j == 0) return null_value;
        if (*j == -1 && *i == std::numeric_limits<std::int64_t>::min()) return Value(-static_cast<double>(*i));
        return Value(*i / *j);
      }
      if (real(*right) == 0) return null_value;
      return real_or_null(real(*left) / real(*right));
    case Op::remainder:
      if (i == nullptr || j == nullptr) return std::nullopt;
      if (*j == 0) return null_value;
      return Value(*j == -1 ? 0 : *i % *j);
    default: return std::nullopt;
  }
}

std::optional<Value> arithmetic(ast::BinaryOp op, const Value& a, const Value& b) {
  auto result = calculated(op, a, b);
  const bool of_reals = std::holds_alternative<double>(a) || std::holds_alternative<double>(b);
  if (result && of_reals && !(is_exact(a) && is_exact(b) && is_exact(*result))) return std::nullopt;
  return result;
}

std::optional<Value> bits(ast::BinaryOp op, const Value& a, const Value& b) {
  if (is_null(a) || is_null(b)) return null_value;
  const auto* i = std::get_if<std::int64_t>(&a);
  const auto* j = std::get_if<std::int64_t>(&b);
  if (i == nullptr || j == nullptr) return std::nullopt;
  using Op = ast::BinaryOp;
  if (op == Op::bit_and) return Value(*i & *j);
  if (op == Op::bit_or) return Value(*i | *j);
  // A negative shift goes in the other direction; a shift by 64 or more leaves only the sign.
  bool left = op == Op::shift_left;
  auto by = static_cast<std::uint64_t>(*j);
  if (*j < 0) {
    left = !left;
    by = 0 - by;
  }
  if (by >= 64) return Value(std::int64_t{left || *i >= 0 ? 0 : -1});
  if (left) return Value(static_cast<std::int64_t>(static_cast<std::uint64_t>(*i) << by));
  return Value(*i >> by);
}

std::optional<std::string> as_text(const Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return std::to_string(*integer);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  return std::nullopt;
}

std::optional<Value> binary(ast::BinaryOp op, const Value& a, const Value& b) {
  using Op = ast::BinaryOp;
  switch (op) {
    case Op::bit_and:
    case Op::bit_or:
    case Op::shift_left:
    case Op::shift_right: return bits(op, a, b);
    case Op::concat: {
      if (is_null(a) || is_null(b)) return null_value;
      const auto left = as_text(a);
      const auto right = as_text(b);
      // Common tables that double a text, one after the other, would fill the memory.
      constexpr std::size_t longest = 1000;
      if (!left || !right || left->size() + right->size() > longest) return std::nullopt;
      return Value(*left + *right);
    }
    case Op::arrow:
    case Op::double_arrow: return std::nullopt;
    default: return arithmetic(op, a, b);
  }
}

std::optional<Value> compared(CompareOp op, const Comparison& how, const Value& a, const Value& b) {
  if (!is_known_collation(how.collation)) return std::nullopt;
  if (is_null(a) || is_null(b)) {
    const bool both = is_null(a) && is_null(b);
    if (op == CompareOp::is) return boolean(both);
    if (op == CompareOp::is_not) return boolean(!both);
    return null_value;
  }
  // SQLite converts numbers to text only if the other operand is text.
  const bool unconverted = how.affinity == Affinity::text && !std::holds_alternative<std::string>(a) &&
                           !std::holds_alternative<std::string>(b);
  const auto left = unconverted ? std::optional<Value>(a) : apply_affinity(a, how.affinity);
  const auto right = unconverted ? std::optional<Value>(b) : apply_affinity(b, how.affinity);
  if (!left || !right) return std::nullopt;
  const auto order = compare_values(*left, *right, how.collation);
  if (op == CompareOp::equal || op == CompareOp::is) return boolean(order == 0);
  if (op == CompareOp::not_equal || op == CompareOp::is_not) return boolean(order != 0);
  if (order == std::partial_ordering::unordered) return std::nullopt;
  switch (op) {
    case CompareOp::less: return boolean(order < 0);
    case CompareOp::less_equal: return boolean(order <= 0);
    case CompareOp::greater: return boolean(order > 0);
    case CompareOp::greater_equal: return boolean(order >= 0);
    default: return std::nullopt;
  }
}

std::optional<Value> negated_if(std::optional<Value> value, bool negated) {
  if (!value || !negated || is_null(*value)) return value;
  return boolean(std::get<std::int64_t>(*value) == 0);
}

std::optional<Value> in_list(const InList& node, const Value& operand) {
  if (node.items.empty()) return boolean(node.negated);
  bool unknown = false;
  for (const auto& item : node.items) {
    const auto* value = literal_value(item);
    if (value == nullptr) return std::nullopt;
    // Items have no affinity, but the operand's is applied to them.
    const auto same = compared(CompareOp::equal, node.how, operand, *value);
    if (!same) return std::nullopt;
    if (is_null(*same)) {
      unknown = true;
    } else if (*same == boolean(true)) {
      return boolean(!node.negated);
    }
  }
  return unknown ? null_value : boolean(node.negated);
}

std::optional<Value> cast(const Value& value, Affinity affinity) {
  if (is_null(value)) return null_value;
  const auto* integer = std::get_if<std::int64_t>(&value);
  const auto* real = std::get_if<double>(&value);
  const auto* text = std::get_if<std::string>(&value);
  switch (affinity) {
    case Affinity::text:
      if (text != nullptr) return value;
      if (integer != nullptr) return Value(std::to_string(*integer));
      return std::nullopt;
    case Affinity::integer:
      if (integer != nullptr) return value;
      if (real != nullptr && std::abs(*real) < 9e18) return Value(static_cast<std::int64_t>(*real));
      break;
    case Affinity::real:
      if (real != nullptr) return value;
      if (integer != nullptr) return Value(static_cast<double>(*integer));
      break;
    case Affinity::numeric:
      if (integer != nullptr) return value;
      break;
    default: return std::nullopt;
  }
  if (text == nullptr) return std::nullopt;
  const auto number = parse_number(*text).value;
  const auto* whole = number ? std::get_if<std::int64_t>(&*number) : nullptr;
  if (whole == nullptr) return std::nullopt;
  if (affinity != Affinity::real) return Value(*whole);
  return is_negative_zero(*number, *text) ? std::nullopt : std::optional<Value>(static_cast<double>(*whole));
}

// What date functions without modifiers write of a date.
std::optional<Value> date_function(std::string_view name, const std::vector<const Value*>& arguments) {
  constexpr std::string_view midnight = " 00:00:00";
  const auto* text = std::get_if<std::string>(arguments.back());
  if (text == nullptr || !(is_date_text(*text) || is_datetime_text(*text))) return std::nullopt;
  std::optional<TextPart> part;
  if (arguments.size() == 1) {
    part = part_of_format(name == "date"       ? "%Y-%m-%d"
                          : name == "time"     ? "%H:%M:%S"
                          : name == "datetime" ? "%Y-%m-%d %H:%M:%S"
                                               : "");
  } else if (const auto* format = std::get_if<std::string>(arguments.front());
             name == "strftime" && arguments.size() == 2 && format != nullptr) {
    part = part_of_format(*format);
  }
  if (!part) return std::nullopt;
  const auto whole = is_date_text(*text) ? *text + std::string(midnight) : *text;
  return Value(whole.substr(static_cast<std::size_t>(part->first - 1), static_cast<std::size_t>(part->length)));
}

std::optional<Value> function(const Function& node) {
  std::vector<const Value*> arguments;
  for (const auto& argument : node.arguments) {
    arguments.push_back(literal_value(argument));
    if (arguments.back() == nullptr) return std::nullopt;
  }
  if (!arguments.empty()) {
    if (auto date = date_function(node.name, arguments)) return date;
  }
  if (arguments.size() != 1) return std::nullopt;
  const auto& value = *arguments.front();
  const auto* text = std::get_if<std::string>(&value);
  if (node.name == "typeof") return Value(std::string(type_name(view(value).type)));
  if (is_null(value))
    return node.info != nullptr && node.info->returns == SqlFunction::Returns::null_if_any
               ? std::optional<Value>(null_value)
               : std::nullopt;
  if (node.name == "abs") {
    if (const auto* integer = std::get_if<std::int64_t>(&value);
        integer != nullptr && *integer != std::numeric_limits<std::int64_t>::min()) {
      return Value(*integer < 0 ? -*integer : *integer);
    }
    // SQLite leaves -0.0 as it is.
    if (const auto* real = std::get_if<double>(&value)) return Value(*real < 0 ? -*real : *real);
    return std::nullopt;
  }
  if (text == nullptr) return std::nullopt;
  for (const char c : *text) {
    if (static_cast<unsigned char>(c) >= 0x80 || c == '\0') return std::nullopt;
  }
  if (node.name == "length") return Value(static_cast<std::int64_t>(text->size()));
  if (node.name == "lower") return Value(to_lower_ascii(*text));
  if (node.name == "upper") {
    std::string upper = *text;
    for (char& c : upper) {
      if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    }
    return Value(std::move(upper));
  }
  return std::nullopt;
}

std::optional<Value> of_node(const Unary& n) {
  const auto* value = literal_value(*n.operand);
  if (value == nullptr) return std::nullopt;
  if (is_null(*value)) return null_value;
  if (const auto* integer = std::get_if<std::int64_t>(value)) {
    if (n.op == ast::UnaryOp::bit_not) return Value(~*integer);
    return arithmetic(ast::BinaryOp::subtract, Value(std::int64_t{0}), *value);
  }
  // SQLite subtracts from 0, and 0 - 0.0 is not -0.0.
  if (const auto* real = std::get_if<double>(value); real != nullptr && n.op == ast::UnaryOp::minus)
    return Value(0 - *real);
  return std::nullopt;
}

template <class Junction>
std::optional<Value> of_junction(const Junction& n, Truth decisive) {
  bool unknown = false;
  for (const auto& term : n.terms) {
    const auto* value = literal_value(term);
    const auto truth = value != nullptr ? truth_of(*value) : std::nullopt;
    if (!truth) return std::nullopt;
    if (*truth == decisive) return boolean(decisive == Truth::yes);
    unknown = unknown || *truth == Truth::null;
  }
  return unknown ? null_value : boolean(decisive == Truth::no);
}

// LIKE of two texts, if PRAGMA case_sensitive_like makes no difference.
std::optional<Value> like(const Like& n) {
  constexpr std::size_t longest = 1000;
  const auto* operand = literal_value(*n.operand);
  const auto* with = literal_value(*n.pattern);
  const auto* text = operand != nullptr ? std::get_if<std::string>(operand) : nullptr;
  const auto* pattern = with != nullptr ? std::get_if<std::string>(with) : nullptr;
  if (n.op != ast::LikeOp::like || n.escape || text == nullptr || pattern == nullptr || text->size() > longest ||
      pattern->size() > longest || text->find('\0') != std::string::npos || pattern->find('\0') != std::string::npos)
    return std::nullopt;
  auto syntax = like_syntax(0);
  const auto by_default = match_pattern(pattern->c_str(), text->c_str(), syntax, {});
  syntax.ignores_case = !syntax.ignores_case;
  if (match_pattern(pattern->c_str(), text->c_str(), syntax, {}) != by_default) return std::nullopt;
  return boolean((by_default == PatternMatch::match) != n.negated);
}

// The order of two texts by their bytes, where all encodings agree: where one begins with the other, or ASCII
// characters make the difference.
std::partial_ordering compare_bytes(std::string_view a, std::string_view b) {
  const auto [in_a, in_b] = std::ranges::mismatch(a, b);
  const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  if (in_a != a.end() && in_b != b.end() && !(is_ascii(*in_a) && is_ascii(*in_b)))
    return std::partial_ordering::unordered;
  return a <=> b;
}

}  // namespace

bool is_known_collation(std::string_view collation) {
  return collation == "BINARY" || collation == "NOCASE" || collation == "RTRIM";
}

std::partial_ordering compare_values(const Value& a, const Value& b, std::string_view collation) {
  const auto* left = std::get_if<std::string>(&a);
  const auto* right = std::get_if<std::string>(&b);
  if (left == nullptr || right == nullptr) return compare(view(a), view(b));
  if (collation == binary_collation) return compare_bytes(*left, *right);
  if (collation == "NOCASE") return to_lower_ascii(*left) <=> to_lower_ascii(*right);
  const auto trimmed = [](std::string_view text) { return text.substr(0, text.find_last_not_of(' ') + 1); };
  return trimmed(*left) <=> trimmed(*right);
}

std::optional<Value> apply_affinity(const Value& value, Affinity affinity) {
  switch (affinity) {
    case Affinity::none:
    case Affinity::blob: return value;
    case Affinity::text:
      if (value.index() != 1 && value.index() != 2) return value;
      if (const auto text = as_text(value)) return Value(*text);
      return std::nullopt;
    default: {
      const auto* text = std::get_if<std::string>(&value);
      if (text == nullptr) return value;
      auto number = parse_number(*text);
      if (!number.known) return std::nullopt;
      return number.value ? *number.value : value;
    }
  }
}

std::optional<Truth> truth_of(const Value& value) {
  if (is_null(value)) return Truth::null;
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return *integer != 0 ? Truth::yes : Truth::no;
  if (const auto* real = std::get_if<double>(&value)) return *real != 0 ? Truth::yes : Truth::no;
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) return std::nullopt;
  const auto first = text->find_first_not_of(" \t\n\v\f\r");
  if (first == std::string::npos) return Truth::no;
  const char c = (*text)[first];
  if ((c < '0' || c > '9') && c != '+' && c != '-' && c != '.') return Truth::no;
  const auto number = parse_number(*text);
  if (number.value) return truth_of(*number.value);
  return std::nullopt;  // a number with trailing text
}

std::optional<Value> evaluate(const Expr& expr) {
  if (const auto* value = literal_value(expr)) return *value;
  if (const auto* n = expr.as<Unary>()) return of_node(*n);
  if (const auto* n = expr.as<Binary>()) {
    const auto* left = literal_value(*n->left);
    const auto* right = literal_value(*n->right);
    return left != nullptr && right != nullptr ? binary(n->op, *left, *right) : std::nullopt;
  }
  if (const auto* n = expr.as<Compare>()) {
    const auto* left = literal_value(*n->left);
    const auto* right = literal_value(*n->right);
    return left != nullptr && right != nullptr ? compared(n->op, n->how, *left, *right) : std::nullopt;
  }
  if (const auto* n = expr.as<And>()) return of_junction(*n, Truth::no);
  if (const auto* n = expr.as<Or>()) return of_junction(*n, Truth::yes);
  if (const auto* n = expr.as<Not>()) {
    const auto* value = literal_value(*n->operand);
    const auto truth = value != nullptr ? truth_of(*value) : std::nullopt;
    if (!truth) return std::nullopt;
    return *truth == Truth::null ? null_value : boolean(*truth == Truth::no);
  }
  if (const auto* n = expr.as<IsNull>()) {
    const auto* value = literal_value(*n->operand);
    return value != nullptr ? std::optional<Value>(boolean(is_null(*value) != n->negated)) : std::nullopt;
  }
  if (const auto* n = expr.as<IsTruth>()) {
    const auto* value = literal_value(*n->operand);
    const auto truth = value != nullptr ? truth_of(*value) : std::nullopt;
    if (!truth) return std::nullopt;
    return boolean((*truth == (n->truth ? Truth::yes : Truth::no)) != n->negated);
  }
  if (const auto* n = expr.as<InList>()) {
    if (n->items.empty()) return boolean(n->negated);
    const auto* value = literal_value(*n->operand);
    return value != nullptr ? in_list(*n, *value) : std::nullopt;
  }
  if (const auto* n = expr.as<Between>()) {
    const auto* value = literal_value(*n->operand);
    const auto* low = literal_value(*n->low);
    const auto* high = literal_value(*n->high);
    if (value == nullptr || low == nullptr || high == nullptr) return std::nullopt;
    auto above = compared(CompareOp::greater_equal, n->low_how, *value, *low);
    auto below = compared(CompareOp::less_equal, n->high_how, *value, *high);
    if (!above || !below) return std::nullopt;
    And both;
    both.terms.push_back(literal(*std::move(above)));
    both.terms.push_back(literal(*std::move(below)));
    return negated_if(of_junction(both, Truth::no), n->negated);
  }
  if (const auto* n = expr.as<Cast>()) {
    const auto* value = literal_value(*n->operand);
    return value != nullptr ? cast(*value, n->affinity) : std::nullopt;
  }
  if (const auto* n = expr.as<Like>()) return like(*n);
  if (const auto* n = expr.as<Function>()) return function(*n);
  return std::nullopt;
}

}  // namespace trustsql::plan
