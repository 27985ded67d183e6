// Answer lists: where a question says one by one what is to be returned: "the title and page count of books ...",
// "books over 450 pages: title, page count".
#pragma once

#include <optional>
#include <vector>

#include "semparse/question/question_view.hpp"

namespace trustsql::semparse {

// One thing that is asked for.
struct AnswerItem {
  WordSpan span{};  // without articles and the like
  // Of "the number of trips", "total cost": what they ask for, unless a column holds it.
  Aggregate aggregate = Aggregate::none;
  std::vector<ColumnId> columns{};  // that all of its words may name
  bool is_table = false;            // it names a table; the only column is the one that names its rows
};

// Whether the item may be the column.
bool is_listed_column(const AnswerItem& item, ColumnId column);

struct AnswerList {
  WordSpan span{};
  std::vector<AnswerItem> items{};
  // Nothing behind the list asks for more: "the name of the course and its teacher" does.
  bool complete = true;
};

// The items that `words` list: names of columns and amounts, separated by commas and "and". nullopt if they are not all
// such, or more than ten.
// `rows_by_name`: an item may name a table as well, and means the column that names its rows then.
std::optional<std::vector<AnswerItem>> read_answer_items(const QuestionView& view, WordSpan words,
                                                         bool rows_by_name = false);

// "The name and the year of the song", where there is a song_name: the columns that the words `name` mean, if they are
// "name" alone; `last` is the word behind the list that they are in. Empty if they mean no such column.
std::vector<ColumnId> names_of_part(const QuestionView& view, WordSpan name, std::size_t last);

// The list that the question begins with, behind words such as "show" and "what are"; nullopt if it begins otherwise.
std::optional<AnswerList> opening_list(const QuestionView& view);

// Whether word `at` belongs to a request for an answer, and to no name: "show", "give", "me", "what", "please".
bool is_request_word(const QuestionView& view, std::size_t at);

}  // namespace trustsql::semparse
