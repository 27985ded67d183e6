#include "equiv/checker/evaluator.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

#include "base/text.hpp"
#include "equiv/checker/dates.hpp"
#include "equiv/checker/texts.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv::checker {

using namespace plan;

namespace {

ValueView boolean(bool v) { return integer(v ? 1 : 0); }

ValueView of_truth(Truth truth) { return truth == Truth::null ? null() : boolean(truth == Truth::yes); }

ValueView negated_if(ValueView value, bool negated) {
  return negated && !value.is_null() ? boolean(truth_of(value) == Truth::no) : value;
}

bool is_built_in(const Function& n) { return n.info != nullptr; }

}  // namespace

void Evaluator::enter_world(std::uint64_t seed) {
  world_ = seed;
  assigned_.clear();
  texts_.clear();
}

void Evaluator::assign(AttributeId id, ValueView value) { assigned_.emplace_back(id, value); }

ValueView Evaluator::value(const Expr& expr) {
  if (const auto read = json_read(expr)) return part_of_document(*read);
  return std::visit([this](const auto& node) { return of(node); }, expr.node);
}

ValueView Evaluator::part_of_document(const JsonRead& read) {
  std::uint64_t seed = read.as_json ? 1 : 0;
  seed = mix64(seed ^ (read.is_marked ? 2 : 0));
  for (const auto& step : read.steps) seed = mix64(seed ^ std::hash<std::string>{}(step));
  const auto document = value(*read.document);
  const auto types = read.as_json ? types::text : types::number | types::text;
  return some(types.with_null(), key_of(seed, std::array{document}));
}

Truth Evaluator::truth(const Expr& expr) { return truth_of(value(expr)); }

ValueView Evaluator::keep(std::string text) {
  texts_.push_back(std::move(text));
  return ValueView::of_text(texts_.back());
}

ValueView Evaluator::some(TypeSet types, std::uint64_t key) const {
  const auto values = representative_values();
  const auto fits = [&](const ValueView& value) { return types.contains(value.type); };
  const auto count = static_cast<std::uint64_t>(std::count_if(values.begin(), values.end(), fits));
  if (count == 0) return null();
  auto left = mix64(key ^ mix64(world_)) % count;
  return *std::find_if(values.begin(), values.end(),
                       [&](const ValueView& value) { return fits(value) && left-- == 0; });
}

std::uint64_t Evaluator::key_of(std::uint64_t seed, std::span<const ValueView> values) const {
  // Functions can tell 1 and 1.0 apart.
  for (const auto& value : values) seed = mix64(hash(value, seed) ^ static_cast<std::uint64_t>(value.type));
  return seed;
}

ValueView Evaluator::as_text(ValueView value) {
  switch (value.type) {
    case ValueType::null: return value;
    case ValueType::integer: return keep(std::to_string(value.integer));
    case ValueType::real: {
      char text[40];
      std::snprintf(text, sizeof text, "%.15g", value.real);
      std::string result = text;
      if (result.find_first_of(".eEnN") == std::string::npos) result += ".0";
      return keep(std::move(result));
    }
    default: return ValueView::of_text(value.bytes);
  }
}

ValueView Evaluator::with_affinity(ValueView value, Affinity affinity) {
  if (affinity == Affinity::text) return value.is_number() ? as_text(value) : value;
  if (!is_numeric(affinity) || value.type != ValueType::text) return value;
  const auto number = number_in(value.bytes);
  return number.found && number.all ? without_fraction(number.value) : value;
}

Encoding Evaluator::encoding() const { return mix64(world_ + 16) % 2 == 0 ? Encoding::utf8 : Encoding::utf16le; }

ValueView Evaluator::compared(CompareOp op, const Comparison& how, ValueView left, ValueView right) {
  if (left.is_null() || right.is_null()) {
    const bool both = left.is_null() && right.is_null();
    if (op == CompareOp::is) return boolean(both);
    if (op == CompareOp::is_not) return boolean(!both);
    return null();
  }
  // Numbers become text only if the other operand is text.
  const bool convert = how.affinity != Affinity::text || left.type == ValueType::text || right.type == ValueType::text;
  if (convert) {
    left = with_affinity(left, how.affinity);
    right = with_affinity(right, how.affinity);
  }
  const int order = order_of(left, right, how.collation, encoding());
  switch (op) {
    case CompareOp::equal:
    case CompareOp::is: return boolean(order == 0);
    case CompareOp::not_equal:
    case CompareOp::is_not: return boolean(order != 0);
    case CompareOp::less: return boolean(order < 0);
    case CompareOp::less_equal: return boolean(order <= 0);
    case CompareOp::greater: return boolean(order > 0);
    default: return boolean(order >= 0);
  }
}

ValueView Evaluator::of(const Literal& n) { return view(n.value); }

ValueView Evaluator::of(const plan::Column& n) {
  for (const auto& [id, value] : assigned_) {
    if (id == n.id) return value;
  }
  return some(n.id < attributes_.size() ? attributes_[n.id].types.with_null() : types::any, mix64(n.id) ^ 1);
}

ValueView Evaluator::of(const Parameter& n) { return some(types::any, std::hash<std::string_view>{}(n.text)); }

ValueView Evaluator::of(const Unary& n) {
  const auto operand = value(*n.operand);
  if (operand.is_null()) return operand;
  if (n.op == ast::UnaryOp::bit_not) return integer(~as_integer(number_of(operand)));
  return arithmetic(ast::BinaryOp::subtract, integer(0), operand);
}

ValueView Evaluator::of(const Binary& n) {
  using Op = ast::BinaryOp;
  const auto left = value(*n.left);
  const auto right = value(*n.right);
  switch (n.op) {
    case Op::bit_and:
    case Op::bit_or:
    case Op::shift_left:
    case Op::shift_right: return bits(n.op, left, right);
    case Op::concat: {
      if (left.is_null() || right.is_null()) return null();
      std::string both(as_text(left).bytes);
      both += as_text(right).bytes;
      return keep(std::move(both));
    }
    case Op::arrow:
    case Op::double_arrow:
      return some(types::any, key_of(static_cast<std::uint64_t>(n.op) + 100, std::array{left, right}));
    default: return arithmetic(n.op, left, right);
  }
}

ValueView Evaluator::of(const Compare& n) { return compared(n.op, n.how, value(*n.left), value(*n.right)); }

ValueView Evaluator::of(const RowCompare& n) {
  const bool identity = n.op == CompareOp::is || n.op == CompareOp::is_not;
  return some(identity ? types::integer : types::integer | types::null, ast::hash(n));
}

ValueView Evaluator::of(const And& n) {
  auto result = Truth::yes;
  for (const auto& term : n.terms) {
    const auto own = truth(term);
    if (own == Truth::no) return boolean(false);
    if (own == Truth::null) result = Truth::null;
  }
  return of_truth(result);
}

ValueView Evaluator::of(const Or& n) {
  auto result = Truth::no;
  for (const auto& term : n.terms) {
    const auto own = truth(term);
    if (own == Truth::yes) return boolean(true);
    if (own == Truth::null) result = Truth::null;
  }
  return of_truth(result);
}

ValueView Evaluator::of(const Not& n) { return negated_if(of_truth(truth(*n.operand)), true); }

ValueView Evaluator::of(const IsNull& n) { return boolean(value(*n.operand).is_null() != n.negated); }

ValueView Evaluator::of(const IsTruth& n) {
  const bool same = truth(*n.operand) == (n.truth ? Truth::yes : Truth::no);
  return boolean(same != n.negated);
}

ValueView Evaluator::of(const Between& n) {
  const auto operand = value(*n.operand);
  const auto above = truth_of(compared(CompareOp::greater_equal, n.low_how, operand, value(*n.low)));
  const auto below = truth_of(compared(CompareOp::less_equal, n.high_how, operand, value(*n.high)));
  if (above == Truth::no || below == Truth::no) return boolean(n.negated);
  if (above == Truth::null || below == Truth::null) return null();
  return boolean(!n.negated);
}

ValueView Evaluator::of(const InList& n) {
  if (n.items.empty()) return boolean(n.negated);
  const auto operand = value(*n.operand);
  bool unknown = false;
  for (const auto& item : n.items) {
    const auto same = truth_of(compared(CompareOp::equal, n.how, operand, value(item)));
    if (same == Truth::yes) return boolean(!n.negated);
    unknown = unknown || same == Truth::null;
  }
  return unknown ? null() : boolean(n.negated);
}

ValueView Evaluator::of(const Like& n) {
  const std::array operands{value(*n.operand), value(*n.pattern), n.escape ? value(*n.escape) : null()};
  const auto key = key_of(static_cast<std::uint64_t>(n.op) + 200, operands);
  if (n.op != ast::LikeOp::like && n.op != ast::LikeOp::glob) return negated_if(some(types::any, key), n.negated);
  const bool unknown = operands[0].is_null() || operands[1].is_null() || (n.escape && operands[2].is_null());
  const bool of_blob = operands[0].type == ValueType::blob || operands[1].type == ValueType::blob;
  // For a blob it may be 0, whatever the other operand is (SQLITE_LIKE_DOESNT_MATCH_BLOBS).
  if (unknown) return of_blob && mix64(world_) % 2 == 0 ? boolean(n.negated) : null();
  if (n.op == ast::LikeOp::like && !n.escape && literal_value(*n.operand) != nullptr &&
      literal_value(*n.pattern) != nullptr && is_short_ascii(operands[0]) && is_short_ascii(operands[1])) {
    // A world in which letter case matters to LIKE, and one in which it does not.
    const bool sensitive = mix64(world_) % 2 == 0;
    const bool matches = sensitive ? is_like(operands[0].bytes, operands[1].bytes)
                                   : is_like(to_lower_ascii(operands[0].bytes), to_lower_ascii(operands[1].bytes));
    return boolean(matches != n.negated);
  }
  if (n.op == ast::LikeOp::like && !n.escape && !of_blob && is_pattern_of_bytes(operands[1]))
    return boolean(is_like(as_text(operands[0]).bytes, operands[1].bytes) != n.negated);
  if (n.op == ast::LikeOp::glob && !n.escape && !of_blob && has_stars_only(operands[1]))
    return boolean(is_glob(as_text(operands[0]).bytes, operands[1].bytes) != n.negated);
  return boolean((mix64(key ^ world_) % 2 == 0) != n.negated);
}

ValueView Evaluator::of(const Case& n) {
  const auto operand = n.operand ? value(*n.operand) : null();
  for (const auto& branch : n.branches) {
    const auto condition = n.operand
                               ? truth_of(compared(CompareOp::equal, branch.how, operand, value(*branch.condition)))
                               : truth(*branch.condition);
    if (condition == Truth::yes) return value(*branch.result);
  }
  return n.otherwise ? value(*n.otherwise) : null();
}

ValueView Evaluator::of(const Cast& n) {
  const auto operand = value(*n.operand);
  if (operand.is_null()) return operand;
  const bool of_bytes = operand.type == ValueType::text || operand.type == ValueType::blob;
  switch (n.affinity) {
    case Affinity::text: return as_text(operand);
    case Affinity::blob: return ValueView::of_blob(of_bytes ? operand.bytes : as_text(operand).bytes);
    case Affinity::integer: {
      if (!of_bytes) return integer(as_integer(operand));
      // For text, the digits at its beginning.
      std::size_t begin = 0;
      while (begin < operand.bytes.size() && is_blank(operand.bytes[begin])) ++begin;
      auto end = begin;
      if (end < operand.bytes.size() && (operand.bytes[end] == '+' || operand.bytes[end] == '-')) ++end;
      while (end < operand.bytes.size() && is_digit(operand.bytes[end])) ++end;
      return integer(as_integer(number_in(operand.bytes.substr(begin, end - begin)).value));
    }
    case Affinity::real: return real(as_real(number_of(operand)));
    default: return of_bytes ? without_fraction(number_of(operand)) : operand;
  }
}

std::optional<ValueView> Evaluator::part_of_argument(std::span<const ValueView> arguments) {
  const auto argument = arguments[0];
  if (std::any_of(arguments.begin(), arguments.end(), [](const ValueView& v) { return v.is_null(); })) return null();
  const auto is_integer = [](const ValueView& value) { return value.type == ValueType::integer; };
  if (!std::all_of(arguments.begin() + 1, arguments.end(), is_integer)) return std::nullopt;
  const bool is_blob = argument.type == ValueType::blob;
  const auto bytes = is_blob ? argument.bytes : as_text(argument).bytes;
  const auto size = is_blob ? static_cast<std::int64_t>(bytes.size()) : characters_in(bytes);
  // What lies before the beginning, and lengths that are negative, are left open.
  const auto first = arguments[1].integer >= 0 ? arguments[1].integer : size + 1 + arguments[1].integer;
  const auto length = arguments.size() == 3 ? arguments[2].integer : size;
  if (first < 1 || length < 0) return std::nullopt;
  if (!is_blob) return keep(std::string(part_of_text(bytes, first, length)));
  const auto begin = std::min(bytes.size(), static_cast<std::size_t>(first - 1));
  return ValueView::of_blob(bytes.substr(begin, static_cast<std::size_t>(length)));
}

ValueView Evaluator::known_function(const Function& n, std::span<const ValueView> arguments, bool& known) {
  known = true;
  const auto& name = n.name;
  const bool any_null = std::any_of(arguments.begin(), arguments.end(), [](const ValueView& v) { return v.is_null(); });
  if (name == "coalesce" || name == "ifnull") {
    for (const auto& argument : arguments) {
      if (!argument.is_null()) return argument;
    }
    return null();
  }
  if (name == "iif" && arguments.size() == 3) return truth_of(arguments[0]) == Truth::yes ? arguments[1] : arguments[2];
  if (name == "nullif") {
    const bool same = !any_null && order_of(arguments[0], arguments[1], n.collation) == 0;
    return same ? null() : arguments[0];
  }
  if ((name == "min" || name == "max") && arguments.size() > 1) {
    if (any_null) return null();
    auto best = arguments[0];
    for (const auto& argument : arguments.subspan(1)) {
      const int order = order_of(argument, best, n.collation, encoding());
      if (name == "min" ? order < 0 : order > 0) best = argument;
    }
    return best;
  }
  if (name == "typeof") return ValueView::of_text(type_name(arguments[0].type));
  if (arguments.size() == 1 && (name == "abs" || name == "length" || name == "lower" || name == "upper")) {
    const auto argument = arguments[0];
    if (any_null) return null();
    if (name == "abs") {
      const auto number = number_of(argument);
      if (number.type == ValueType::integer && number.integer != smallest_integer &&
          argument.type == ValueType::integer)
        return integer(number.integer < 0 ? -number.integer : number.integer);
      return real(std::fabs(as_real(number)));
    }
    const auto text = as_text(argument);
    if (name == "length") return integer(static_cast<std::int64_t>(text.bytes.size()));
    auto folded = to_lower_ascii(text.bytes);
    if (name == "upper") {
      for (char& c : folded) {
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
      }
    }
    return keep(std::move(folded));
  }
  if (name == "substr" || name == "substring") {
    if (auto part = part_of_argument(arguments)) return *part;
  }
  if (any_null && FunctionTable::latest().is_date_function(name)) return null();
  if (auto date = date_function(name, arguments)) return keep(*std::move(date));
  known = false;
  return null();
}

ValueView Evaluator::of(const Function& n) {
  std::vector<ValueView> arguments;
  for (const auto& argument : n.arguments) arguments.push_back(value(argument));
  // Other names of the same function.
  const std::string_view name = n.name == "substring" ? "substr" : n.name == "format" ? "printf" : n.name;
  const auto key = key_of(std::hash<std::string_view>{}(name), arguments);
  if (!is_built_in(n)) return some(types::any, key);
  bool known = false;
  const auto value = known_function(n, arguments, known);
  if (known) return value;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].is_null() && n.info->is_strict_in(i)) return null();
  }
  switch (n.info->returns) {
    case SqlFunction::Returns::types:
    case SqlFunction::Returns::null_if_any: return some(n.info->types, key);
    case SqlFunction::Returns::first_argument:
      return n.info->types.empty() || mix64(key ^ world_) % 2 == 0 ? arguments[0] : some(n.info->types, key);
    default: return some(types::any, key);
  }
}

ValueView Evaluator::of(const Row& n) { return some(types::any, ast::hash(n)); }

ValueView Evaluator::of(const ScalarSubquery& n) {
  const auto ids = outputs(*n.rel);
  const bool single = ids.size() == 1 && ids.front() < attributes_.size();
  return some(single ? attributes_[ids.front()].types.with_null() : types::any, ast::hash(n));
}

ValueView Evaluator::of(const Exists& n) { return boolean((mix64(ast::hash(*n.rel) ^ world_) % 2 == 0) != n.negated); }

ValueView Evaluator::of(const InSubquery& n) {
  std::uint64_t key = ast::hash(*n.rel);
  for (const auto& operand : n.operands) key = ast::hash(operand, key);
  for (const auto& how : n.how) key = ast::hash(how, key);
  const auto pick = mix64(key ^ world_) % 3;
  return pick == 2 ? null() : boolean((pick == 0) != n.negated);
}

}  // namespace trustsql::equiv::checker
