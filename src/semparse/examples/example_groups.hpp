// Which examples are left out together, when it is measured how well the others answer them.
#pragma once

#include <cstdint>
#include <vector>

#include "semparse/examples/example_bank.hpp"

namespace trustsql::semparse {

struct ExampleGroup {
  std::size_t example = 0;
  std::size_t fold = 0;            // that it is left out in; every example is left out once
  bool template_left_out = false;  // with all examples of its template
  std::uint64_t group = 0;         // the same for examples that are left out together
};

// Half of the templates are left out whole; of the others, questions with the same pattern together. Infeasible
// questions that have most of their words in common are left out together.
std::vector<ExampleGroup> group_examples(const ExampleBank& bank, std::size_t folds, bool other_half);

}  // namespace trustsql::semparse
