// Extremes: which end of a column a superlative asks for. "The oldest" has the least year of birth and the greatest
// age.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "semparse/database/domain.hpp"
#include "semparse/tree/tree.hpp"
#include "semparse/words/words.hpp"

namespace trustsql::semparse {

enum class Extreme : std::uint8_t { unknown, least, greatest };

// Whether the column says when something was: a date, or a year such as year_built.
bool is_point_in_time(const DomainColumn& column);

// Which end of `column` the word at `at` asks for; unknown if it is no superlative, or says nothing of this column.
Extreme asked_extreme(const Question& question, std::size_t at, const DomainColumn& column);

// Whether the word at `at` asks for the first or last in time, or by age: "oldest", "latest", "recent" behind "most".
bool asks_for_time(const Question& question, std::size_t at);

// Whether a superlative asks for an order: "cheapest first", "the newest orders first".
bool is_order_superlative(const Question& question, std::size_t at);

// The superlatives of the question that do not ask for an order: "oldest", "most", "recent" behind "most".
std::vector<std::size_t> superlatives_of(const Question& question);

// An end of a column that a tree asks for: by an order with LIMIT, max() and min(), or a comparison with one of these.
struct TreeExtreme {
  ColumnId column = nothing;
  Extreme extreme = Extreme::unknown;
};
std::vector<TreeExtreme> extremes_of(const Block& block);

}  // namespace trustsql::semparse
