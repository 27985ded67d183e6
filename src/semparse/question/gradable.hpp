// Gradable words: what "expensive", "taller" and "weigh" measure, by the names that people give to such columns.
//
// The lexicon knows some of these pairs (old and age), and other meanings as well that no column of a database has.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "semparse/database/domain.hpp"
#include "semparse/words/words.hpp"

namespace trustsql::semparse {

struct Gradable {
  std::string_view word;                         // an adjective or a verb, in its base form
  bool greater = true;                           // more of it is more of what it measures: "expensive", and not "cheap"
  std::span<const std::string_view> measures{};  // words of columns
  bool only = false;                             // no other columns: what the lexicon says of it leads astray
};

// The gradable word that `word` is a form of: "cheap" for "cheaper" and "cheapest"; nullptr if it is none.
const Gradable* gradable_of(const Word& word);

// The gradable adjective of the superlative or comparative at `at`: of "oldest" itself, and of the word behind "most",
// "least", "more" and "less"; nullptr if there is none.
const Gradable* graded_at(const Question& question, std::size_t at);

// Whether the gradable word measures what a column of this name word holds.
bool measures(const Gradable& gradable, std::string_view name_word);

// Whether the column holds numbers that are prices or costs by its name.
bool is_price(const DomainColumn& column);

// The only price that the rows of a table have; `nothing` if they have none, or several.
ColumnId only_price_of(const Domain& domain, TableId table);

// Whether it measures what the column holds: numbers, with such a word in the name.
bool measures(const Gradable& gradable, const DomainColumn& column);

}  // namespace trustsql::semparse
