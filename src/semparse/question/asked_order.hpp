// Asked orders: the order in which a question wants its rows, said of the rows and not of a column.
//
//   films in French, shortest first                      films in French, sorted by runtime
//   books by price, highest first                        books in descending order of price
//   books sorted by price from highest to lowest         books in descending order of price
//   average fee for each reason, highest average first   ... in descending order of the average fee
#pragma once

#include <optional>
#include <string>

#include "semparse/question/question_view.hpp"

namespace trustsql::semparse {

struct AskedOrder {
  WordSpan span{};     // the words that say it, with the mark in front of them
  std::string text{};  // the same, said of a column, in words that most people use: ", sorted by price"
};

// nullopt where the question asks for no order in such words, or where it is not known which column is meant, or which
// end of it comes first.
std::optional<AskedOrder> asked_order(const QuestionView& view);

}  // namespace trustsql::semparse
