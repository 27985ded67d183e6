#include "semparse/examples/example_confidence.hpp"

namespace trustsql::semparse {

const ExampleConfidence& shipped_example_confidence() {
  static const ExampleConfidence confidence;
  return confidence;
}

}  // namespace trustsql::semparse
