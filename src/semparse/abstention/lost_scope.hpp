// Lost scope: words that say of how many rows something holds, where the reading is about others.
#pragma once

#include <cstddef>
#include <optional>

#include "semparse/candidates/ranking.hpp"

namespace trustsql::semparse {

// The place of an "only" in front of a value that the reading finds in rows of another table: "customers who ordered
// only tea" have ordered nothing else, and the reading takes all that have ordered tea. nullopt if there is none.
std::optional<std::size_t> lost_only(const QuestionView& view, const Candidate& candidate);

// The place of a superlative that several rows share by the question, where the reading returns one of them: "the books
// of the earliest year". nullopt if there is none.
std::optional<std::size_t> lost_ties(const QuestionView& view, const Candidate& candidate);

// The place of "many" or "number" where the reading counts the rows that have a name of their own: "how many oil
// filters were used" is not answered by the one part that is called so. nullopt if there is none.
std::optional<std::size_t> lost_amount(const QuestionView& view, const Candidate& candidate);

// The place of an "every", "each" or "both" in front of rows or a value of another table than the one that is asked
// for, where the reading takes those that have some: "customers who ordered every tea". nullopt if there is none.
std::optional<std::size_t> lost_all(const QuestionView& view, const Candidate& candidate);

// The place of "much" in a question for an amount, where the reading counts rows. nullopt if there is none.
std::optional<std::size_t> lost_sum(const QuestionView& view, const Candidate& candidate);

// The place of a verb of exchange that the reading leaves out, where none of its tables is of such events: "who bought
// the jacket" does not ask for whom it belonged to. nullopt if there is none.
std::optional<std::size_t> lost_exchange(const QuestionView& view, const Candidate& candidate,
                                         const Explanation& explanation);

// A price that the reading adds or compares though its rows are in the currencies of another column, a column of texts
// that it calculates with or compares with a number, or one of numbers written as texts that it orders, of which SQLite
// takes '9' for more than '10'; nullopt if there is none.
std::optional<ColumnId> mixed_amounts(const QuestionView& view, const Candidate& candidate);

// The place of the name of rows that the reading relates to nothing: "a message from Ann", where it takes the senders
// of Ann's own messages, which is Ann. nullopt if there is none.
std::optional<std::size_t> lost_other_side(const QuestionView& view, const Candidate& candidate);

// The place of the name of the rows that are asked for, where the reading returns only what is asked of them besides:
// "suppliers without a phone, and the town they are in". nullopt if there is none.
std::optional<std::size_t> lost_name(const QuestionView& view, const Candidate& candidate);

// The place of a name such as "minimum stock", where the reading takes the word for an extreme of the column that is
// called so, and compares the column with that. nullopt if there is none.
std::optional<std::size_t> lost_limit(const QuestionView& view, const Candidate& candidate);

}  // namespace trustsql::semparse
