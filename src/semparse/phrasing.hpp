// Phrasing: a sampled query as a question that a person could ask, in one of several wordings.
#pragma once

#include <string>

#include "base/random.hpp"
#include "semparse/tree_sampler.hpp"

namespace trustsql::semparse {

// One wording of `query`, drawn at random.
std::string phrase(const Domain& domain, const SampledQuery& query, Random& random);

}  // namespace trustsql::semparse
