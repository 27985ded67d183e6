// What a question says of the rows of a table that another one refers to by several columns: "from Oslo to Amsterdam".
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "semparse/question/roles.hpp"

namespace trustsql::semparse {

// A table that another one refers to by several columns: which of them each value stands for.
class ParallelReferences {
 public:
  // `edges` lead from one table to one other table; `view` must outlive this.
  ParallelReferences(const QuestionView& view, std::vector<std::size_t> edges);

  // Adds the edges that the question speaks of, with the values of each, if it speaks of at least two of them.
  void add_to(AskedRoles& roles) const;

 private:
  TableId parent_table() const { return domain_.column(domain_.edges()[edges_.front()].parent).table; }

  bool is_of_table(const ValueMention& value) const;

  // Whether the column holds numbers that mean nothing to people, who name the row instead.
  bool names_by_number(std::size_t edge) const;

  // Whether the word is one of the role of edges_[number], and not of all of them.
  bool names_role(const Word& word, std::size_t number) const;

  // The only edge that the word chooses.
  std::optional<std::size_t> edge_at(std::size_t i) const;

  // "Is from Norway" says where something belongs, not where something begins.
  bool says_origin(std::size_t i) const;

  // What the words before a value say, or those behind it.
  std::optional<std::size_t> edge_of(WordSpan value) const;

  // Whether the question names the role by a word of its column that is part of no other name.
  bool is_named(std::size_t number) const;

  const QuestionView& view_;
  const Domain& domain_;
  const std::vector<Word>& words_;
  std::vector<std::size_t> edges_;
  std::vector<std::vector<std::string>> role_words_{};  // for each of them, without the words that all have
};

}  // namespace trustsql::semparse
