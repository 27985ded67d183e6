#include <vector>

#include "semparse/examples/example_confidence.hpp"

namespace trustsql::semparse {

namespace {

#include "semparse/examples/weights/confidence.inc"

template <std::size_t size>
std::vector<float> numbers_of(const float (&numbers)[size]) {
  return {numbers, numbers + size};
}

}  // namespace

const ExampleConfidence& shipped_example_confidence() {
  static const ExampleConfidence confidence{TreeEnsemble::from_numbers(numbers_of(choice_trees)),
                                            {TreeEnsemble::from_numbers(numbers_of(confidence_trees)),
                                             IsotonicMap::from_numbers(numbers_of(confidence_levels))}};
  return confidence;
}

}  // namespace trustsql::semparse
