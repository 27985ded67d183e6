// Solver-based reasoning about sums and comparisons of integers in a context.
#include <algorithm>
#include <map>
#include <optional>

#include "equiv/prover/context.hpp"
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

}  // namespace

// The equivalence classes of a context as numbers of a solver.
class Context::Arithmetic {
 public:
  explicit Arithmetic(Context& context) : context_(context) {}

  bool contradictory() {
    const auto constraints = context_.constraints_;
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
    const auto root = context_.find(term);
    if (const auto known = numbers_.find(root); known != numbers_.end()) return known->second;
    const auto term_class = context_.classes_[root];
    if (!term_class.non_null || numbers_.size() >= max_numbers) return std::nullopt;
    auto& result = numbers_[root];  // nullopt for a term that contains itself
    if (term_class.value != nullptr) {
      if (const auto* integer = std::get_if<std::int64_t>(term_class.value)) result = solver_.constant(*integer);
      return result;
    }
    std::optional<IntegerSolver::Number> number_of_class;
    const auto size = static_cast<TermId>(context_.parent_.size());
    for (TermId each = 0; each < size && !number_of_class; ++each) {
      if (context_.find(each) == root && context_.is_integer(each)) number_of_class = solver_.unknown();
    }
    for (TermId each = 0; each < size; ++each) {
      if (context_.find(each) != root) continue;
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
    const auto& node = (*context_.terms_)[term];
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

  Context& context_;
  IntegerSolver solver_;
  std::map<TermId, std::optional<IntegerSolver::Number>> numbers_;  // by representative
  bool computes_ = false;
};

bool Context::refuted_by_arithmetic() {
  if (!IntegerSolver::available() || contradictory()) return contradiction_;
  // Creating a solver takes longer than most proofs.
  bool computes = false;
  for (TermId id = 0; id < parent_.size() && !computes; ++id) computes = is_arithmetic(*(*terms_)[id].expr);
  return computes && Arithmetic(*this).contradictory();
}

}  // namespace trustsql::equiv
