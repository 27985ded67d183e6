#include "gmn/layers.hpp"

namespace trustsql::gmn {

void Linear::initialise(Parameters& parameters, Random& random, float factor) const {
  fill_glorot(parameters.view(weights_), random);
  parameters.view(weights_) *= factor;
}

void Mlp::initialise(Parameters& parameters, Random& random) const {
  first_.initialise(parameters, random);
  second_.initialise(parameters, random);
}

void GruCell::initialise(Parameters& parameters, Random& random) const {
  from_input_.initialise(parameters, random);
  from_state_.initialise(parameters, random);
}

}  // namespace trustsql::gmn
