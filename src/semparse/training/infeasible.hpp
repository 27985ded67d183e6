// Infeasible questions, made from feasible ones: what a database cannot answer, though it sounds as if it could.
//
// One column that the question names is replaced by one that its table does not have (TrustSQL, section 2.2): of a
// table that is not near (`surface`), or of another database (`unrelated`). A replacement that the parser could link to
// something near is rejected, since the question would be feasible in another sense.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "semparse/question/linking.hpp"
#include "semparse/tree/tree.hpp"

namespace trustsql::semparse {

// `question`, whose query is `tree`, with another column of `domain` itself in place of one of its own; or of `other`,
// another database. nullopt if no replacement was found in a few tries.
std::optional<std::string> surface_question(const Domain& domain, QuestionLinker& linker, const std::string& question,
                                            const Tree& tree, Random& random);
std::optional<std::string> unrelated_question(const Domain& domain, QuestionLinker& linker, const Domain& other,
                                              const std::string& question, const Tree& tree, Random& random);

// The same with a column of no database: `propose` gives the words of one in the place of `column`; none if it has
// none.
std::optional<std::string> question_with_column(
    const Domain& domain, QuestionLinker& linker, const std::string& question, const Tree& tree, Random& random,
    const std::function<std::optional<std::vector<std::string>>(ColumnId column)>& propose);

}  // namespace trustsql::semparse
