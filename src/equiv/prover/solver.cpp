#include "equiv/prover/solver.hpp"

#ifdef TRUSTSQL_WITH_Z3

#include <z3++.h>

#include <string>
#include <vector>

namespace trustsql::equiv {

namespace {
// In Z3's own unit of resources, so that answers do not depend on the machine.
constexpr unsigned max_steps = 200'000;
}  // namespace

struct IntegerSolver::Impl {
  // All reals that these operations on integers produce are whole numbers as well: an unbounded integer represents
  // each.
  struct ModelledNumber {
    z3::expr value;
    z3::expr is_exact;  // whether it is a 64-bit integer, and not a rounded real
  };

  z3::context context;
  z3::solver solver{context};
  std::vector<ModelledNumber> numbers;
  std::size_t named = 0;  // number of unknowns that have been named

  z3::expr fresh() { return context.int_const(("n" + std::to_string(named++)).c_str()); }
  z3::expr literal(const char* digits) { return context.int_val(digits); }
  z3::expr fits(const z3::expr& value) {
    return value >= literal("-9223372036854775808") && value <= literal("9223372036854775807");
  }

  Number add(z3::expr value, z3::expr is_exact) {
    numbers.push_back({std::move(value), std::move(is_exact)});
    return static_cast<Number>(numbers.size() - 1);
  }
  const ModelledNumber& at(Number number) const { return numbers[static_cast<std::size_t>(number)]; }

  // The result of an operation on `a` and `b` whose exact value in unbounded integers is `value`.
  Number result(Number a, Number b, const z3::expr& value) {
    const z3::expr known = at(a).is_exact && at(b).is_exact;
    const z3::expr is_exact = known && fits(value);
    const z3::expr result = fresh();
    solver.add(z3::implies(is_exact, result == value));
    // Rounding changes the value only slightly.
    solver.add(z3::implies(known && !fits(value) && value > 0, result >= literal("4611686018427387904")));
    solver.add(z3::implies(known && !fits(value) && value < 0, result <= literal("-4611686018427387904")));
    return add(result, is_exact);
  }
};

bool IntegerSolver::available() { return true; }

IntegerSolver::IntegerSolver() : impl_(std::make_unique<Impl>()) {
  z3::params params(impl_->context);
  params.set("rlimit", max_steps);
  impl_->solver.set(params);
}
IntegerSolver::~IntegerSolver() = default;

IntegerSolver::Number IntegerSolver::unknown() {
  const auto value = impl_->fresh();
  impl_->solver.add(impl_->fits(value));
  return impl_->add(value, impl_->context.bool_val(true));
}

IntegerSolver::Number IntegerSolver::constant(std::int64_t value) {
  return impl_->add(impl_->context.int_val(value), impl_->context.bool_val(true));
}

IntegerSolver::Number IntegerSolver::sum(Number a, Number b) {
  return impl_->result(a, b, impl_->at(a).value + impl_->at(b).value);
}
IntegerSolver::Number IntegerSolver::difference(Number a, Number b) {
  return impl_->result(a, b, impl_->at(a).value - impl_->at(b).value);
}
IntegerSolver::Number IntegerSolver::product(Number a, Number b) {
  return impl_->result(a, b, impl_->at(a).value * impl_->at(b).value);
}

void IntegerSolver::require(Number a, Relations relations, Number b) {
  const auto& left = impl_->at(a).value;
  const auto& right = impl_->at(b).value;
  z3::expr holds = impl_->context.bool_val(false);
  if (relations.has(Relations::less())) holds = holds || left < right;
  if (relations.has(Relations::equal())) holds = holds || left == right;
  if (relations.has(Relations::greater())) holds = holds || left > right;
  impl_->solver.add(holds);
}

bool IntegerSolver::contradictory() {
  try {
    return impl_->solver.check() == z3::unsat;
  } catch (const z3::exception&) {
    return false;  // out of steps or memory
  }
}

}  // namespace trustsql::equiv

#else

namespace trustsql::equiv {

struct IntegerSolver::Impl {};

bool IntegerSolver::available() { return false; }
IntegerSolver::IntegerSolver() = default;
IntegerSolver::~IntegerSolver() = default;
IntegerSolver::Number IntegerSolver::unknown() { return 0; }
IntegerSolver::Number IntegerSolver::constant(std::int64_t) { return 0; }
IntegerSolver::Number IntegerSolver::sum(Number, Number) { return 0; }
IntegerSolver::Number IntegerSolver::difference(Number, Number) { return 0; }
IntegerSolver::Number IntegerSolver::product(Number, Number) { return 0; }
void IntegerSolver::require(Number, Relations, Number) {}
bool IntegerSolver::contradictory() { return false; }

}  // namespace trustsql::equiv

#endif
