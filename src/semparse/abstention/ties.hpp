// Ties: rows that come as far to the front as those that a reading returns, which LIMIT leaves out. Which of them
// SQLite returns is then left open, and "the most expensive truck" has no answer of one row.
#pragma once

#include <cstddef>
#include <optional>

#include "base/result.hpp"
#include "db/sandbox/sandbox.hpp"
#include "semparse/database/domain.hpp"
#include "semparse/question/question_view.hpp"
#include "semparse/tree/tree.hpp"

namespace trustsql::semparse {

// Whether LIMIT cuts between two rows that are equal in what `tree` sorts by and differ in what it returns. false for a
// tree without LIMIT, and where the query fails. Errors: those that end the call (ends_the_call()).
Result<bool> cuts_ties(const Domain& domain, const Tree& tree, Sandbox& sandbox);

// Whether the question asks for the one row of a table that the query returns rows of: "the hearing of this case".
bool asks_for_the_one(const QuestionView& view, const Tree& tree);

// "Which towns have the most users": the place of the superlative, where what has it is a plural; nullopt if there is
// none.
std::optional<std::size_t> plural_superlative(const QuestionView& view);

}  // namespace trustsql::semparse
