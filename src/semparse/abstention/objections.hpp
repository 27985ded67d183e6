// Objections: what speaks against an answer whatever its confidence is. A model that has learned from questions whose
// every word has a place in the query does not see that a word has none, or not the one that the reading gives it.
#pragma once

#include <string>

#include "semparse/candidates/ranking.hpp"

namespace trustsql::semparse {

struct Objections {
  // A word that the reading may not leave out: one that relates two rows of a table, which it takes for one
  // (lost_relation.hpp), or one that says which rows are meant (lost_restriction.hpp), or of how many it holds
  // (lost_scope.hpp).
  std::string lost_word{};
  // A word that the reading takes for something that it need not mean, and what that is (far_meaning.hpp).
  std::string far_word{};
  std::string far_name{};
  // Two columns by which the reading may join its tables, or that a place may be of, in words, where the question
  // chooses none (unclear_reference.hpp).
  std::string unclear_columns{};
  // A last name that several people have, where the question speaks of one.
  std::string unclear_person{};
  // A column that the question denies, and that says nothing of some rows.
  std::string unclear_denial{};
  // A column that several rows share a value of, where the reading takes these rows for one: EXCEPT or INTERSECT of
  // names.
  std::string shared_names{};
  // A column that the reading calculates with, though its values are texts, or in units of their own.
  std::string mixed_amounts{};
  // A column of dates that the reading sorts or compares, though they are written so that they do not sort.
  std::string unsorted_dates{};

  bool none() const {
    return lost_word.empty() && far_word.empty() && unclear_columns.empty() && unclear_denial.empty() &&
           unclear_person.empty() && unsorted_dates.empty() && shared_names.empty() && mixed_amounts.empty();
  }
};

// What speaks against `candidate`; `explanation`: of it.
Objections objections_to(const QuestionView& view, const Candidate& candidate, const Explanation& explanation);

}  // namespace trustsql::semparse
