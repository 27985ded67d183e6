// Phrasing: a sampled query as a question that a person could ask, in one of several wordings.
#pragma once

#include <string>

#include "base/random.hpp"
#include "semparse/synthesis/tree_sampler.hpp"

namespace trustsql::semparse {

// What people call a column: the words of its name as they are written, without the table's, abbreviations written out.
std::string spoken_name(const DomainColumn& column);

// One wording of `query`, drawn at random.
std::string phrase(const Domain& domain, const SampledQuery& query, Random& random);

}  // namespace trustsql::semparse
