// Corrections: what words of a question that the parser does not understand may have meant.
//
//   'Smith' is part of a value of customer.name: 'John Smith'     ask: How many orders did 'John Smith' place?
//   Frnace                                                        did you mean 'France' (singer.country)?
//   singres                                                       did you mean table singer?
//
// They are for messages alone: no reading is made from them. Values stand in them as quote_for_message() writes them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "semparse/database/near_values.hpp"
#include "semparse/question/question_view.hpp"

namespace trustsql::semparse {

struct Correction {
  std::vector<std::string> words{};  // of the question, as written: the one that was not understood, and its neighbours
  bool quoted = false;               // the one word is a whole quotation
  std::string detail{};              // what the words are part of; empty if they are only spelt like something
  std::string suggestion{};          // what to ask instead

  bool concerns(std::string_view word) const;
};

// Whether the word stands there as a name does: with a capital letter, and not at the beginning of a sentence.
bool is_written_as_name(const Question& question, std::size_t position);

// The corrections of the words at `positions` (words of the question for which nothing was found), and of quotations
// that no column holds. At most five, of the first ten positions.
std::vector<Correction> corrections_of(const QuestionView& view, const ValueIndex& values,
                                       const std::vector<std::size_t>& positions);

// What is wrong with words of the question for which nothing was found: "nothing in this database was found for
// 'blood', 'pressure'", or what they are part of. `reason`: what is said of those that are part of nothing.
std::string unknown_text(const std::vector<std::string>& unknown, const std::vector<Correction>& corrections,
                         std::string_view reason = "nothing in this database was found for");
// What to ask instead; empty if there is no correction of any of them.
std::string suggestion_for(const std::vector<std::string>& unknown, const std::vector<Correction>& corrections);

// "did you mean 'France' (singer.country)?", from near values; empty if there are none.
std::string did_you_mean(const Domain& domain, const std::vector<NearValue>& near);

}  // namespace trustsql::semparse
