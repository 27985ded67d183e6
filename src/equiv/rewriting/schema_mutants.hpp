// The mutants that need a catalog: the mistakes that language models make in view of a schema.
#pragma once

#include "equiv/mutants.hpp"

namespace trustsql::equiv {

// At most `most_of_kind` of each kind. Preconditions: those of mutants_of(), and `context` has a resolution and a
// catalog.
std::vector<Mutant> schema_mutants_of(ast::Query& query, const MutantContext& context, std::size_t most_of_kind);

}  // namespace trustsql::equiv
