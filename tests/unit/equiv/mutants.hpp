// Mutants: plans in which one thing is broken.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plan/plan.hpp"

namespace trustsql::testing_support {

struct Mutant {
  std::string what;  // "a comparison", "DISTINCT" ...
  plan::Plan plan;
};

// One mutant for each place of `plan` that can be broken: another operator, constant, column, aggregate, kind of join or set
// operation, DISTINCT added or left out, a condition or a key dropped, a sort turned, a limit moved. `seed` chooses how.
std::vector<Mutant> mutants(const plan::Plan& plan, std::uint64_t seed);

}  // namespace trustsql::testing_support
