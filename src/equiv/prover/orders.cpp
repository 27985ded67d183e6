#include "equiv/prover/orders.hpp"

#include "plan/evaluate.hpp"

namespace trustsql::equiv {

using plan::CompareOp;

Relations Relations::then(Relations next) const {
  if (empty() || next.empty()) return {};
  if (*this == equal()) return next;
  if (next == equal()) return *this;
  const bool may_rise = !has(greater()) && !next.has(greater());
  const bool may_fall = !has(less()) && !next.has(less());
  // x <= y <= z: x < z, or x = z if both may be equal.
  Relations result = any();
  if (may_rise) result = has(equal()) && next.has(equal()) ? less() | equal() : less();
  if (may_fall) result = has(equal()) && next.has(equal()) ? greater() | equal() : greater();
  return result;
}

Relations relations_of(CompareOp op) {
  switch (op) {
    case CompareOp::equal:
    case CompareOp::is: return Relations::equal();
    case CompareOp::not_equal:
    case CompareOp::is_not: return Relations::less() | Relations::greater();
    case CompareOp::less: return Relations::less();
    case CompareOp::less_equal: return Relations::less() | Relations::equal();
    case CompareOp::greater: return Relations::greater();
    case CompareOp::greater_equal: return Relations::greater() | Relations::equal();
  }
  return Relations::any();
}

bool Order::close(const std::vector<bool>& non_null, Budget& budget) {
  // For more terms than this, only the direct knowledge about each pair is used.
  constexpr std::size_t largest = 48;
  const std::size_t n = members.size();
  if (n > largest) return false;
  bool changed = false;
  for (bool again = true; again;) {
    again = false;
    if (!budget.spend(1 + static_cast<int>(n * n / 32))) return changed;
    for (std::size_t middle = 0; middle < n; ++middle) {
      if (!non_null[middle]) continue;
      for (std::size_t i = 0; i < n; ++i) {
        const auto first = at(i, middle);
        if (i == middle || first == Relations::any()) continue;
        for (std::size_t j = 0; j < n; ++j) {
          if (j == i || j == middle) continue;
          const auto narrowed = at(i, j) & first.then(at(middle, j));
          if (narrowed == at(i, j)) continue;
          at(i, j) = narrowed;
          at(j, i) = narrowed.turned();
          changed = again = true;
        }
      }
    }
  }
  return changed;
}

Relations relation_of(const Value& a, const Value& b, const plan::Comparison& how) {
  if (!plan::is_known_collation(how.collation)) return Relations::any();
  // SQLite converts numbers to text only if the other operand is text.
  const auto is_text = [](const Value& value) { return std::holds_alternative<std::string>(value); };
  if (how.affinity == Affinity::text && !(is_text(a) && is_text(b))) return Relations::any();
  const auto left = plan::apply_affinity(a, how.affinity);
  const auto right = plan::apply_affinity(b, how.affinity);
  if (!left || !right) return Relations::any();
  const auto order = plan::compare_values(*left, *right, how.collation);
  if (order == std::partial_ordering::unordered) return Relations::less() | Relations::greater();
  return order < 0 ? Relations::less() : order > 0 ? Relations::greater() : Relations::equal();
}

}  // namespace trustsql::equiv
