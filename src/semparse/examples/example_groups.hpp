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
  std::uint64_t group = 0;         // the same for examples of templates that are alike
};

// Half of the templates are left out whole, each with those that one rule makes of it: what people ask beyond the
// examples is seldom one step away. Of the other half, questions with the same pattern are left out together.
// Infeasible questions that have most of their words in common are left out together. `other_half`: the halves change
// places.
std::vector<ExampleGroup> group_examples(const ExampleBank& bank, std::size_t folds, bool other_half);

}  // namespace trustsql::semparse
