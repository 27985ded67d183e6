// Infeasible questions, made from feasible ones: what a database cannot answer, though it sounds as if it could.
//
// One column that the question names is replaced by one that its table does not have (TrustSQL, section 2.2): of a
// table that is not near (`surface`), or of another database (`unrelated`). A replacement that the parser could link to
// something near is rejected, since the question would be feasible in another sense.
#pragma once

#include <optional>
#include <string>

#include "base/random.hpp"
#include "semparse/linking.hpp"
#include "semparse/tree.hpp"

namespace trustsql::semparse {

// `question`, whose query is `tree`, with another column of `domain` itself in place of one of its own; or of `other`,
// another database. nullopt if no replacement was found in a few tries.
std::optional<std::string> surface_question(const Domain& domain, QuestionLinker& linker, const std::string& question,
                                            const Tree& tree, Random& random);
std::optional<std::string> unrelated_question(const Domain& domain, QuestionLinker& linker, const Domain& other,
                                              const std::string& question, const Tree& tree, Random& random);

}  // namespace trustsql::semparse
