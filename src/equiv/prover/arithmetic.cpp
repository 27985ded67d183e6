#include "equiv/prover/arithmetic.hpp"

#include <map>
#include <optional>

#include "equiv/prover/solver.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv {

using namespace plan;

namespace {

// The maximum number of terms that are passed to the solver; larger problems are not tried.
constexpr std::size_t max_numbers = 60;

bool is_arithmetic(const Expr& expr) {
  const auto* n = expr.as<Binary>();
  return n != nullptr &&
         (n->op == ast::BinaryOp::add || n->op == ast::BinaryOp::subtract || n->op == ast::BinaryOp::multiply);
}

// The classes of terms of a store as numbers of a solver.
class Arithmetic {
 public:
  explicit Arithmetic(ConditionStore& store) : store_(store), classes_(store.classes()) {}

  bool contradictory() {
    const auto constraints = store_.orders().constraints();
    for (const auto& constraint : constraints) {
      if (constraint.how.affinity == Affinity::text || constraint.relations == Relations::any()) continue;
      const auto left = number(constraint.left);
      const auto right = left ? number(constraint.right) : std::nullopt;
      if (right) solver_.require(*left, constraint.relations, *right);
    }
    return computes_ && solver_.contradictory();
  }

 private:
  // nullopt for a term that may be NULL, or is not an integer or an arithmetic operation on integers.
  std::optional<IntegerSolver::Number> number(TermId term) {
    const auto root = classes_.find(term);
    if (const auto known = numbers_.find(root); known != numbers_.end()) return known->second;
    const auto term_class = classes_.class_of(root);
    if (!term_class.non_null || numbers_.size() >= max_numbers) return std::nullopt;
    auto& result = numbers_[root];  // nullopt for a term that contains itself
    if (term_class.value != nullptr) {
      if (const auto* integer = std::get_if<std::int64_t>(term_class.value)) result = solver_.constant(*integer);
      return result;
    }
    std::optional<IntegerSolver::Number> number_of_class;
    const auto size = static_cast<TermId>(classes_.size());
    for (TermId each = 0; each < size && !number_of_class; ++each) {
      if (classes_.find(each) == root && store_.orders().is_integer(each)) number_of_class = solver_.unknown();
    }
    for (TermId each = 0; each < size; ++each) {
      if (classes_.find(each) != root) continue;
      const auto computed = this->computed(each);
      if (!computed) continue;
      computes_ = true;
      if (number_of_class) {
        solver_.require(*number_of_class, Relations::equal(), *computed);
      } else {
        number_of_class = computed;
      }
    }
    return numbers_[root] = number_of_class;
  }

  std::optional<IntegerSolver::Number> computed(TermId term) {
    const auto& node = store_.terms()[term];
    if (!is_arithmetic(*node.expr) || node.operands.size() != 2) return std::nullopt;
    const auto op = node.expr->as<Binary>()->op;
    const auto operands = node.operands;
    const auto left = number(operands[0]);
    const auto right = left ? number(operands[1]) : std::nullopt;
    if (!right) return std::nullopt;
    // The operands of + and * may be in either order.
    switch (op) {
      case ast::BinaryOp::add: return solver_.sum(*left, *right);
      case ast::BinaryOp::subtract: return solver_.difference(*left, *right);
      default: return solver_.product(*left, *right);
    }
  }

  ConditionStore& store_;
  Congruence& classes_;
  IntegerSolver solver_;
  std::map<TermId, std::optional<IntegerSolver::Number>> numbers_;  // by representative
  bool computes_ = false;
};

}  // namespace

bool refuted_by_arithmetic(ConditionStore& store) {
  if (!IntegerSolver::available() || store.contradictory()) return store.classes().is_contradictory();
  // Creating a solver takes longer than most proofs.
  const auto& terms = store.terms();
  bool computes = false;
  for (TermId id = 0; id < store.classes().size() && !computes; ++id) computes = is_arithmetic(*terms[id].expr);
  return computes && Arithmetic(store).contradictory();
}

}  // namespace trustsql::equiv
