#include "plan/types.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text.hpp"
#include "plan/walk.hpp"
#include "sql/functions.hpp"

namespace trustsql::plan {

namespace {

class Typer {
 public:
  Typer(const Plan& plan, const AttributeSet& non_null) : plan_(plan), non_null_(non_null) {}

  TypeSet operator()(const Expr& expr) const {
    return std::visit([this](const auto& node) { return of(node); }, expr.node);
  }

 private:
  static TypeSet null_if(bool nullable) { return nullable ? types::null : TypeSet(); }
  static TypeSet null_of(TypeSet operand) { return operand & types::null; }
  template <class Exprs>
  TypeSet null_of_any(const Exprs& exprs) const {
    TypeSet result;
    for (const auto& expr : exprs) result = result | null_of((*this)(expr));
    return result;
  }

  // The types of numbers that are added, multiplied or divided: with a real, the result is real.
  static TypeSet arithmetic_types(TypeSet left, TypeSet right) {
    const bool real = left.without_null().is_subset_of(types::real) || right.without_null().is_subset_of(types::real);
    return real ? types::real : types::number;
  }

  static bool is_number_literal(const Expr& expr) {
    const auto* value = literal_value(expr);
    if (value == nullptr) return false;
    const auto* real = std::get_if<double>(value);
    return std::holds_alternative<std::int64_t>(*value) || (real != nullptr && std::isfinite(*real));
  }

  TypeSet of(const Literal& n) const { return view(n.value).type; }
  TypeSet of(const Column& n) const {
    const auto types = plan_.attributes[n.id].types;
    return non_null_.contains(n.id) ? types.without_null() : types.with_null();
  }
  TypeSet of(const Parameter&) const { return types::any; }
  TypeSet of(const Unary& n) const {
    const auto operand = (*this)(*n.operand);
    if (n.op == ast::UnaryOp::bit_not) return types::integer | null_of(operand);
    return types::number | null_of(operand);
  }
  TypeSet of(const Binary& n) const {
    const auto left = (*this)(*n.left);
    const auto right = (*this)(*n.right);
    const auto nulls = null_of(left | right);
    using Op = ast::BinaryOp;
    switch (n.op) {
      case Op::bit_and:
      case Op::bit_or:
      case Op::shift_left:
      case Op::shift_right: return types::integer | nulls;
      case Op::add:
      case Op::subtract:
      case Op::multiply:
        // Integers that overflow become reals; reals can become infinite, and infinity minus infinity is NULL.
        if ((left | right).without_null().is_subset_of(types::integer)) return types::number | nulls;
        // Not if one operand is finite.
        if (n.op != Op::multiply && (is_number_literal(*n.left) || is_number_literal(*n.right)))
          return arithmetic_types(left, right) | nulls;
        return arithmetic_types(left, right) | types::null;
      case Op::divide: return arithmetic_types(left, right) | types::null;
      case Op::remainder: return types::number | types::null;
      case Op::concat: return types::text | nulls;
      default: return types::any;
    }
  }
  TypeSet of(const Compare& n) const {
    if (n.op == CompareOp::is || n.op == CompareOp::is_not) return types::integer;
    return types::integer | null_of((*this)(*n.left)) | null_of((*this)(*n.right));
  }
  TypeSet of(const RowCompare& n) const {
    return types::integer | null_if(n.op != CompareOp::is && n.op != CompareOp::is_not);
  }
  TypeSet of(const And& n) const { return types::integer | null_of_any(n.terms); }
  TypeSet of(const Or& n) const { return types::integer | null_of_any(n.terms); }
  TypeSet of(const Not& n) const { return types::integer | null_of((*this)(*n.operand)); }
  TypeSet of(const IsNull&) const { return types::integer; }
  TypeSet of(const IsTruth&) const { return types::integer; }
  TypeSet of(const Between& n) const {
    return types::integer | null_of((*this)(*n.operand) | (*this)(*n.low) | (*this)(*n.high));
  }
  TypeSet of(const InList& n) const {
    if (n.items.empty()) return types::integer;
    return types::integer | null_of((*this)(*n.operand)) | null_of_any(n.items);
  }
  TypeSet of(const Like& n) const {
    if (n.op != ast::LikeOp::like && n.op != ast::LikeOp::glob) return types::any;
    return types::integer | null_of((*this)(*n.operand) | (*this)(*n.pattern)) | (n.escape ? types::null : TypeSet());
  }
  TypeSet of(const Case& n) const {
    TypeSet result = n.otherwise ? (*this)(*n.otherwise) : types::null;
    for (const auto& branch : n.branches) result = result | (*this)(*branch.result);
    return result;
  }
  TypeSet of(const Cast& n) const { return cast_types((*this)(*n.operand), n.affinity); }
  TypeSet of(const Function& n) const {
    if (n.info == nullptr) return types::any;
    switch (n.info->returns) {
      case SqlFunction::Returns::types: return n.info->types;
      case SqlFunction::Returns::null_if_any: return n.info->types | null_of_any(n.arguments);
      case SqlFunction::Returns::arguments:
      case SqlFunction::Returns::branches: {
        TypeSet result;
        for (const auto& argument : n.arguments) result = result | (*this)(argument);
        return n.info->returns == SqlFunction::Returns::branches ? result.with_null() : result;
      }
      case SqlFunction::Returns::first_argument: return (*this)(n.arguments.front()) | n.info->types;
      case SqlFunction::Returns::first_not_null: {
        TypeSet result;
        bool nullable = true;
        for (const auto& argument : n.arguments) {
          const auto argument_types = (*this)(argument);
          result = result | argument_types.without_null();
          nullable = nullable && argument_types.may_be_null();
        }
        return result | null_if(nullable);
      }
      default: return types::any;  // aggregates
    }
    return types::any;
  }
  TypeSet of(const Row&) const { return types::any; }
  TypeSet of(const ScalarSubquery& n) const {
    const auto ids = outputs(*n.rel);
    return ids.size() == 1 ? plan_.attributes[ids.front()].types.with_null() : types::any;
  }
  TypeSet of(const Exists&) const { return types::integer; }
  TypeSet of(const InSubquery&) const { return types::integer.with_null(); }

  const Plan& plan_;
  const AttributeSet& non_null_;
};

const AttributeSet no_attributes;

// Whether an integer multiplied or divided by the literal `expr` is never -0.0, not even by underflow.
bool keeps_integers_from_negative_zero(const Expr& expr) {
  const auto* real = literal_as<double>(expr);
  return real != nullptr && *real > 1e-280 && *real < 1e280;
}

}  // namespace

// Columns of tables never hold -0.0, since SQLite stores it as the integer 0, unless they have no affinity.
bool may_be_negative_zero(const Expr& expr, const Plan& plan) {
  const auto types_of_part = [&](const Expr& part) { return types_of(part, plan, no_attributes); };
  const auto may_be = [&](const Expr& part) { return may_be_negative_zero(part, plan); };
  if (!types_of_part(expr).contains(ValueType::real)) return false;
  if (const auto* id = column_id(expr)) {
    const auto storage = plan.attributes[*id].storage;
    return !is_numeric(storage) && storage != Affinity::text;
  }
  if (const auto* real = literal_as<double>(expr)) return *real == 0 && std::signbit(*real);
  if (const auto* n = expr.as<Binary>()) {
    using Op = ast::BinaryOp;
    // A text is read as a number of any sign.
    const auto has_no_negative_zero = [&](const Expr& part) {
      return types_of_part(part).without_null().is_subset_of(types::number) && !may_be(part);
    };
    // The right side first: long sums are deep on the left.
    if (n->op == Op::add) return !has_no_negative_zero(*n->right) && !has_no_negative_zero(*n->left);
    if (n->op == Op::subtract) return !has_no_negative_zero(*n->left);
    const auto is_integer = [&](const Expr& part) {
      return types_of_part(part).without_null().is_subset_of(types::integer);
    };
    if (n->op == Op::multiply && keeps_integers_from_negative_zero(*n->left)) return !is_integer(*n->right);
    if (n->op == Op::multiply || n->op == Op::divide)
      return !is_integer(*n->left) || !keeps_integers_from_negative_zero(*n->right);
    return true;
  }
  if (const auto* n = expr.as<Cast>()) {
    const auto values = types_of_part(*n->operand);
    return n->affinity != Affinity::real || !values.without_null().is_subset_of(types::number) || may_be(*n->operand);
  }
  if (const auto* n = expr.as<Case>()) {
    const auto may_be_result = [&](const Branch& branch) { return may_be(*branch.result); };
    return (n->otherwise && may_be(*n->otherwise)) ||
           std::any_of(n->branches.begin(), n->branches.end(), may_be_result);
  }
  if (const auto* n = expr.as<Function>(); n != nullptr && n->info != nullptr) {
    using Returns = SqlFunction::Returns;
    const bool is_argument = n->info->returns == Returns::arguments || n->info->returns == Returns::first_not_null ||
                             n->info->returns == Returns::branches || n->name == "nullif";
    if (is_argument) return std::any_of(n->arguments.begin(), n->arguments.end(), may_be);
    if (n->name == "round") return !types_of_part(n->arguments.front()).without_null().is_subset_of(types::integer);
  }
  return true;
}

namespace {

// Whether SQLite's numeric affinity might convert `text` to a number; false: it certainly does not.
bool may_look_numeric(std::string_view text) {
  const auto* const first =
      std::find_if(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) > ' '; });
  return first != text.end() && ((*first >= '0' && *first <= '9') || *first == '+' || *first == '-' || *first == '.');
}

}  // namespace

TypeSet types_of(const Expr& expr, const Plan& plan, const AttributeSet& non_null) {
  return Typer(plan, non_null)(expr);
}

bool is_non_null(const Expr& expr, const Plan& plan, const AttributeSet& non_null) {
  return !types_of(expr, plan, non_null).may_be_null();
}

Affinity storage_of(const Expr& expr, const Plan& plan) {
  if (const auto* id = column_id(expr)) return plan.attributes[*id].storage;
  const auto values = types_of(expr, plan, no_attributes).without_null();
  if (values == types::integer) return Affinity::integer;
  if (values == types::real && !may_be_negative_zero(expr, plan)) return Affinity::real;
  if (values.is_subset_of(types::number)) return Affinity::none;
  if (values.is_subset_of(types::text | types::blob)) return Affinity::text;
  return Affinity::none;
}

bool converts(const Expr& expr, Affinity affinity, const Plan& plan) {
  if (affinity == Affinity::none || affinity == Affinity::blob) return false;
  const auto values = types_of(expr, plan, no_attributes);
  if (affinity == Affinity::text) return (values & types::number) != TypeSet();
  if ((values & types::text) == TypeSet()) return false;
  if (const auto* value = literal_value(expr)) return may_look_numeric(std::get<std::string>(*value));
  return !is_numeric(storage_of(expr, plan));
}

bool is_plain(const Compare& compare, const Plan& plan) {
  return compare.how.is_binary() && !converts(*compare.left, compare.how.affinity, plan) &&
         !converts(*compare.right, compare.how.affinity, plan);
}

namespace {

// How an expression represents numbers. Values of one class other than `mixed` that are equal are also identical: it
// never has both an integer and a real that are equal, nor -0.0.
enum class NumberClass { none, integer_first, real, mixed };

// Whether `expr` is -2^63 as a literal. A column INT may hold it as an integer and as a real (smallest_integer.hpp).
bool is_smallest_integer(const Expr& expr) {
  if (const auto* integer = literal_as<std::int64_t>(expr)) return *integer == std::numeric_limits<std::int64_t>::min();
  const auto* real = literal_as<double>(expr);
  return real != nullptr && *real == -9223372036854775808.0;
}

// `other`: what it is compared with, if there is one.
NumberClass number_class(const Expr& expr, const Plan& plan, const Expr* other = nullptr) {
  const auto values = types_of(expr, plan, no_attributes);
  if ((values & types::number) == TypeSet()) return NumberClass::none;
  if (is_smallest_integer(expr)) return NumberClass::mixed;
  const auto* id = column_id(expr);
  switch (storage_of(expr, plan)) {
    case Affinity::integer:
    case Affinity::numeric:
      if (id == nullptr || !plan.attributes[*id].smallest_matters || !types::number.is_subset_of(values) ||
          (other != nullptr && other->is<Literal>()))
        return NumberClass::integer_first;
      return NumberClass::mixed;
    case Affinity::real: return NumberClass::real;
    case Affinity::text: return NumberClass::none;
    default: break;
  }
  if ((values & types::real) == TypeSet()) return NumberClass::integer_first;
  if ((values & types::integer) != TypeSet() || may_be_negative_zero(expr, plan)) return NumberClass::mixed;
  if (const auto* real = literal_as<double>(expr)) {
    // A literal such as 2.5 or 1e300 equals no integer, so it is compatible with both classes.
    const bool is_integral = *real >= -9223372036854775808.0 && *real < 9223372036854775808.0 &&
                             *real == static_cast<double>(static_cast<std::int64_t>(*real));
    return is_integral ? NumberClass::real : NumberClass::none;
  }
  return NumberClass::real;
}

}  // namespace

bool equal_is_identical(const Expr& expr, const Plan& plan) { return number_class(expr, plan) != NumberClass::mixed; }

bool equal_is_identical(const Expr& a, const Expr& b, const Plan& plan) {
  const auto class_a = number_class(a, plan, &b);
  const auto class_b = number_class(b, plan, &a);
  if (class_a == NumberClass::mixed || class_b == NumberClass::mixed) return false;
  return class_a == class_b || class_a == NumberClass::none || class_b == NumberClass::none;
}

std::string_view canonical_collation(std::string_view name) {
  for (const std::string_view known : {"BINARY", "NOCASE", "RTRIM"}) {
    if (equals_ignore_case(name, known)) return known;
  }
  return name;
}

Affinity affinity_of(const Expr& expr, const Plan& plan) {
  if (const auto* id = column_id(expr)) return plan.attributes[*id].affinity;
  if (const auto* cast = expr.as<Cast>()) return cast->affinity;
  if (const auto* subquery = expr.as<ScalarSubquery>()) {
    const auto columns = outputs(*subquery->rel);
    return columns.size() == 1 ? plan.attributes[columns.front()].affinity : Affinity::none;
  }
  return Affinity::none;
}

Affinity effective_affinity(Affinity affinity) {
  if (is_numeric(affinity)) return Affinity::numeric;
  return affinity == Affinity::text ? Affinity::text : Affinity::none;
}

Comparison natural_comparison(const ExprType& left, const ExprType& right) {
  return {effective_affinity(comparison_affinity(left, right)),
          canonical_collation(comparison_collation(left, right).name)};
}

}  // namespace trustsql::plan
