#include "sql/expr_type.hpp"

#include "base/text.hpp"

namespace trustsql {

bool Collation::same_order(const Collation& other) const { return equals_ignore_case(name, other.name); }

Affinity comparison_affinity(const ExprType& left, const ExprType& right) {
  const bool left_none = left.affinity == Affinity::none;
  const bool right_none = right.affinity == Affinity::none;
  if (!left_none && !right_none) {
    return is_numeric(left.affinity) || is_numeric(right.affinity) ? Affinity::numeric : Affinity::blob;
  }
  return left_none ? right.affinity : left.affinity;
}

Collation comparison_collation(const ExprType& left, const ExprType& right) {
  using Strength = Collation::Strength;
  if (left.collation.strength == Strength::collate) return left.collation;
  if (right.collation.strength == Strength::collate) return right.collation;
  return left.collation.strength == Strength::none ? right.collation : left.collation;
}

TypeSet apply_affinity(TypeSet types, Affinity affinity) {
  TypeSet result = types;
  switch (affinity) {
    case Affinity::none:
    case Affinity::blob: break;
    case Affinity::text:
      if (!(types & types::number).empty()) result = (types - types::number) | types::text;
      break;
    case Affinity::numeric:
    case Affinity::integer:
      // A text that looks like a number becomes one; a real without a fraction becomes an integer.
      if (types.contains(ValueType::text)) result = result | types::number;
      if (types.contains(ValueType::real)) result = result | types::integer;
      break;
    case Affinity::real:
      // As for numeric, then integers become reals.
      if (types.contains(ValueType::text) || types.contains(ValueType::integer))
        result = (result - types::integer) | types::real;
      break;
  }
  return result;
}

TypeSet cast_types(TypeSet types, Affinity affinity) {
  const TypeSet null = types & types::null;
  const TypeSet values = types.without_null();
  if (values.empty()) return null;
  switch (affinity) {
    case Affinity::none: return types;
    case Affinity::blob: return null | types::blob;
    case Affinity::text: return null | types::text;
    case Affinity::numeric: return null | (values == types::integer ? types::integer : types::number);
    case Affinity::integer: return null | types::integer;
    case Affinity::real: return null | types::real;
  }
  return types;
}

}  // namespace trustsql
