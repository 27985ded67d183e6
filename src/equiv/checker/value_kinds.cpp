// What values an expression can have, derived from its structure (evaluator.hpp).
#include <algorithm>
#include <cmath>
#include <limits>

#include "equiv/checker/evaluator.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv::checker {

using namespace plan;

namespace {

using Attributes = std::span<const Attribute>;

constexpr TypeSet null_of(TypeSet set) { return set & types::null; }

bool is_finite_number(const Expr& expr) {
  const auto* value = literal_value(expr);
  if (value == nullptr) return false;
  const auto* real = std::get_if<double>(value);
  return value->index() == 1 || (real != nullptr && std::isfinite(*real));
}

TypeSet types_of_binary(const Binary& n, TypeSet left, TypeSet right) {
  using Op = ast::BinaryOp;
  const auto nulls = null_of(left | right);
  switch (n.op) {
    case Op::bit_and:
    case Op::bit_or:
    case Op::shift_left:
    case Op::shift_right: return types::integer | nulls;
    case Op::concat: return types::text | nulls;
    case Op::add:
    case Op::subtract:
    case Op::multiply: {
      // Infinities may cancel out to NULL; this takes two of them, or a zero.
      const bool integers = (left | right).without_null().is_subset_of(types::integer);
      const bool one_finite = n.op != Op::multiply && (is_finite_number(*n.left) || is_finite_number(*n.right));
      return integers || one_finite ? types::number | nulls : types::number | types::null;
    }
    case Op::divide:
    case Op::remainder: return types::number | types::null;
    default: return types::any;
  }
}

TypeSet types_of_function(const Function& n, const std::vector<TypeSet>& arguments) {
  if (n.info == nullptr) return types::any;
  TypeSet all_types;
  bool all_nullable = true;
  for (const auto& argument : arguments) {
    all_types = all_types | argument;
    all_nullable = all_nullable && argument.may_be_null();
  }
  switch (n.info->returns) {
    case SqlFunction::Returns::types: return n.info->types;
    case SqlFunction::Returns::null_if_any: return n.info->types | null_of(all_types);
    case SqlFunction::Returns::arguments: return all_types;
    case SqlFunction::Returns::branches: return all_types.with_null();
    case SqlFunction::Returns::first_argument: return arguments.front() | n.info->types;
    case SqlFunction::Returns::first_not_null: return all_nullable ? all_types : all_types.without_null();
    default: return types::any;
  }
}

bool is_whole(const Expr& expr, Attributes attributes) {
  return possible_types(expr, attributes, {}).without_null() == types::integer;
}

// Whether `n` never computes -0.0, if `is_plain` says which operands are numbers other than -0.0. A sum is -0.0 only
// where both operands are. A whole number times or divided by a positive real is, only if the result is too small for a
// real.
template <class IsPlain>
bool has_plain_zero(const Binary& n, Attributes attributes, const IsPlain& is_plain) {
  const auto is_moderate = [](const Expr& expr) {
    const auto* real = literal_as<double>(expr);
    return real != nullptr && *real > 1e-280 && *real < 1e280;
  };
  switch (n.op) {
    case ast::BinaryOp::add: return is_plain(*n.right) || is_plain(*n.left);
    case ast::BinaryOp::subtract: return is_plain(*n.left);
    case ast::BinaryOp::multiply:
      if (is_moderate(*n.left)) return is_whole(*n.right, attributes);
      [[fallthrough]];
    case ast::BinaryOp::divide: return is_moderate(*n.right) && is_whole(*n.left, attributes);
    default: return false;
  }
}

// Whether no value of `expr` is -0.0: equal to 0.0, but not identical.
bool is_without_minus_zero(const Expr& expr, Attributes attributes) {
  const auto is_plain = [&](const Expr& part) { return is_without_minus_zero(part, attributes); };
  // A text is read as a number of any sign.
  const auto is_plain_number = [&](const Expr& part) {
    return possible_types(part, attributes, {}).without_null().is_subset_of(types::number) && is_plain(part);
  };
  if (!possible_types(expr, attributes, {}).contains(ValueType::real)) return true;
  return std::visit(Overloaded{
                        [](const Literal& n) { return !std::signbit(std::get<double>(n.value)); },
                        [&](const plan::Column& n) { return is_numeric(attributes[n.id].storage); },
                        [&](const Binary& n) { return has_plain_zero(n, attributes, is_plain_number); },
                        [&](const Cast& n) { return n.affinity == Affinity::real && is_plain_number(*n.operand); },
                        [&](const Case& n) {
                          bool all = !n.otherwise || is_null_literal(*n.otherwise) || is_plain(*n.otherwise);
                          for (const auto& branch : n.branches) all = all && is_plain(*branch.result);
                          return all;
                        },
                        [&](const Function& n) {
                          if (n.name == "round") return is_whole(n.arguments.front(), attributes);
                          if (n.name != "coalesce" && n.name != "ifnull" && n.name != "nullif" && n.name != "iif" &&
                              n.name != "min" && n.name != "max")
                            return false;
                          return std::all_of(n.arguments.begin(), n.arguments.end(), is_plain);
                        },
                        [](const auto&) { return false; },
                    },
                    expr.node);
}

// Classes of numbers within which equal numbers are identical.
enum class Numbers : std::uint8_t { none, whole_first, real, mixed };

// `other`: what it is compared with, if there is one.
Numbers numbers_of(const Expr& expr, Attributes attributes, const Expr* other = nullptr) {
  const auto possible = possible_types(expr, attributes, {}) & types::number;
  if (possible.empty()) return Numbers::none;
  if (const auto* id = column_id(expr)) {
    switch (attributes[*id].storage) {
      case Affinity::integer:
      case Affinity::numeric:
        // -2^63 is stored as it is written. As a literal it is `mixed`; other literals are not equal to it.
        return attributes[*id].smallest_matters && possible == types::number &&
                       (other == nullptr || !other->is<Literal>())
                   ? Numbers::mixed
                   : Numbers::whole_first;
      case Affinity::real: return Numbers::real;
      case Affinity::text: return Numbers::none;
      default: break;
    }
  }
  const auto* whole = literal_as<std::int64_t>(expr);
  if (whole != nullptr && *whole == std::numeric_limits<std::int64_t>::min()) return Numbers::mixed;
  if (const auto* real = literal_as<double>(expr)) {
    if (*real == -9223372036854775808.0) return Numbers::mixed;
    // No integer is equal to 2.5.
    if (*real == 0 && std::signbit(*real)) return Numbers::mixed;
    return std::fabs(*real) < 9.3e18 && *real == std::floor(*real) ? Numbers::real : Numbers::none;
  }
  if (possible == types::integer) return Numbers::whole_first;
  return possible == types::real && is_without_minus_zero(expr, attributes) ? Numbers::real : Numbers::mixed;
}

}  // namespace

TypeSet possible_types(const Expr& expr, Attributes attributes, const AttributeSet& non_null) {
  const auto types_of_part = [&](const Expr& part) { return possible_types(part, attributes, non_null); };
  const auto nulls = [&](const Expr& part) { return null_of(types_of_part(part)); };
  const auto nulls_of_all = [&](const std::vector<Expr>& parts) {
    TypeSet result;
    for (const auto& part : parts) result = result | nulls(part);
    return result;
  };
  return std::visit(
      Overloaded{
          [&](const Literal& n) -> TypeSet { return view(n.value).type; },
          [&](const plan::Column& n) -> TypeSet {
            const auto own = n.id < attributes.size() ? attributes[n.id].types : types::any;
            return non_null.contains(n.id) ? own.without_null() : own.with_null();
          },
          [&](const Unary& n) -> TypeSet {
            return (n.op == ast::UnaryOp::bit_not ? types::integer : types::number) | nulls(*n.operand);
          },
          [&](const Binary& n) -> TypeSet {
            return types_of_binary(n, types_of_part(*n.left), types_of_part(*n.right));
          },
          [&](const Compare& n) -> TypeSet {
            if (n.op == CompareOp::is || n.op == CompareOp::is_not) return types::integer;
            return types::integer | nulls(*n.left) | nulls(*n.right);
          },
          [&](const RowCompare& n) -> TypeSet {
            return n.op == CompareOp::is || n.op == CompareOp::is_not ? types::integer : types::integer | types::null;
          },
          [&](const And& n) -> TypeSet { return types::integer | nulls_of_all(n.terms); },
          [&](const Or& n) -> TypeSet { return types::integer | nulls_of_all(n.terms); },
          [&](const Not& n) -> TypeSet { return types::integer | nulls(*n.operand); },
          [&](const IsNull&) -> TypeSet { return types::integer; },
          [&](const IsTruth&) -> TypeSet { return types::integer; },
          [&](const Exists&) -> TypeSet { return types::integer; },
          [&](const InSubquery&) -> TypeSet { return types::integer | types::null; },
          [&](const Between& n) -> TypeSet {
            return types::integer | nulls(*n.operand) | nulls(*n.low) | nulls(*n.high);
          },
          [&](const InList& n) -> TypeSet {
            if (n.items.empty()) return types::integer;
            return types::integer | nulls(*n.operand) | nulls_of_all(n.items);
          },
          [&](const Like& n) -> TypeSet {
            if (n.op != ast::LikeOp::like && n.op != ast::LikeOp::glob) return types::any;
            return types::integer | nulls(*n.operand) | nulls(*n.pattern) | (n.escape ? types::null : TypeSet());
          },
          [&](const Case& n) -> TypeSet {
            TypeSet result = n.otherwise ? types_of_part(*n.otherwise) : types::null;
            for (const auto& branch : n.branches) result = result | types_of_part(*branch.result);
            return result;
          },
          [&](const Cast& n) -> TypeSet { return cast_types(types_of_part(*n.operand), n.affinity); },
          [&](const Function& n) -> TypeSet {
            std::vector<TypeSet> arguments;
            for (const auto& argument : n.arguments) arguments.push_back(types_of_part(argument));
            return types_of_function(n, arguments);
          },
          [&](const ScalarSubquery& n) -> TypeSet {
            const auto ids = outputs(*n.rel);
            return ids.size() == 1 && ids.front() < attributes.size() ? attributes[ids.front()].types.with_null()
                                                                      : types::any;
          },
          [](const auto&) -> TypeSet { return types::any; },
      },
      expr.node);
}

bool has_one_spelling(const Expr& expr, Attributes attributes) {
  return numbers_of(expr, attributes) != Numbers::mixed;
}

bool has_one_spelling(const Expr& a, const Expr& b, Attributes attributes) {
  const auto of_a = numbers_of(a, attributes, &b);
  const auto of_b = numbers_of(b, attributes, &a);
  if (of_a == Numbers::mixed || of_b == Numbers::mixed) return false;
  return of_a == of_b || of_a == Numbers::none || of_b == Numbers::none;
}

bool may_convert(const Expr& expr, Affinity affinity, Attributes attributes) {
  const auto possible = possible_types(expr, attributes, {});
  if (affinity == Affinity::text) return !(possible & types::number).empty();
  if (!is_numeric(affinity) || !possible.contains(ValueType::text)) return false;
  if (const auto* id = column_id(expr)) return !is_numeric(attributes[*id].storage);
  const auto* value = literal_value(expr);
  if (value == nullptr) return true;
  // Text can be a number only if one of its first characters is a digit, a sign or a point.
  for (const char c : std::get<std::string>(*value)) {
    if (static_cast<unsigned char>(c) > ' ') return (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
  }
  return false;
}

bool compares_plainly(const Compare& compare, Attributes attributes) {
  return compare.how.is_binary() && !may_convert(*compare.left, compare.how.affinity, attributes) &&
         !may_convert(*compare.right, compare.how.affinity, attributes);
}

}  // namespace trustsql::equiv::checker
