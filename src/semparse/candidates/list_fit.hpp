// Whether a query returns what a question lists one by one (answer_list.hpp).
#pragma once

#include <cstddef>

#include "semparse/candidates/filling.hpp"
#include "semparse/question/answer_list.hpp"

namespace trustsql::semparse {

struct ListFit {
  std::size_t returned = 0;   // items that the query returns
  std::size_t others = 0;     // what it returns besides; the last name that belongs to a first name does not count
  bool mixes_tables = false;  // listed columns of several tables, though one table has them all

  // Whether it returns all of `list`, and nothing else where the question asks for nothing else.
  bool is_whole(const AnswerList& list) const {
    return returned == list.items.size() && !mixes_tables && (others == 0 || !list.complete);
  }
};

ListFit list_fit(const QuestionView& view, const AnswerList& list, const Draft& draft);

}  // namespace trustsql::semparse
