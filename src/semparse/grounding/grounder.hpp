// Compares one query with one question: grounding.hpp calls it. Its rules are in grounding_literals.cpp (values and
// numbers), grounding_operators.cpp (aggregates, orders, bounds) and grounding_names.cpp (columns and tables).
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "semparse/grounding/grounding.hpp"
#include "semparse/question/question_cues.hpp"

namespace trustsql::semparse {

// Whether two numbers are the same but for rounding.
bool same_number(double a, double b);
// Whether `words` stand in `text`; both are value_words().
bool contains_words(const std::string& text, const std::string& words);

class Grounder {
 public:
  Grounder(const Question& question, const Linking& linking, const QueryLeaves& leaves, const Domain& domain,
           const ValueIndex& values, std::string_view evidence)
      : question_(question),
        licensing_(read_question(question.text + " " + std::string(evidence))),
        linking_(linking),
        leaves_(leaves),
        domain_(domain),
        values_(values),
        text_(value_words(licensing_.text)) {}

  Grounding run();

 private:
  static constexpr std::size_t shown = 60;       // bytes of a word or value
  static constexpr float part_of_name = 0.4F;    // a mention with less coverage says nothing
  static constexpr std::size_t code_length = 3;  // shorter texts may be codes for what the question says: 'F', 'USA'
  // Letters that make two words relatives: "French", "France" share fewer.
  static constexpr std::size_t common_prefix = 4;

  void add(GroundingRule rule, std::string detail);
  std::string name_of(ColumnId id) const;
  bool is_used(ColumnId id) const;
  // Which words of the question something in the query can stand for: names of its columns and tables, its literals.
  void mark_used_words();
  void check_intent();
  bool has_number(double number) const;
  bool is_licensed(const std::string& literal) const;
  void check_literals();
  // "both", "second", "dozen" ...
  bool names_amount(double number) const;
  void check_column_of(const LiteralLeaf& literal);
  void check_spelling_of(const LiteralLeaf& literal);
  bool literal_has(const std::string& words) const;
  bool names_used_name(WordSpan span) const;
  // Whether a quotation is a name of the query's columns or tables.
  bool quotes_name(const std::string& words) const;
  void check_values_of_question();
  bool uses_number(double number) const;
  // Whether a cue word is part of the name of a column that the query uses: "average_rating".
  bool named_by_column(std::initializer_list<std::string_view> words) const;
  void check_cues();
  bool names_extreme() const;
  // A bound can say what a negation says: "not older than 30".
  bool has_bound_literal() const;
  // So can a value: 'No', 0, 'F', "not in use".
  bool has_negative_literal() const;
  void check_operators();
  void check_bounds();
  static bool fits(const LiteralLeaf& leaf, Bound bound, double value);
  bool is_numeric(const SelectLeaf& leaf) const;
  void check_answer();
  // Whether the query has something else that these words may name.
  bool is_spoken_for(WordSpan span) const;
  // Whether the words are the name as it is, or its plural: "made" is no mention of a column "make".
  bool says_name(WordSpan span, const std::vector<std::string>& name) const;
  // Whether the words, or the word before them in the same noun ("email address"), are used, or are a value.
  bool is_settled(WordSpan span) const;
  // A table that a used one refers to, or that refers to it: its rows may be counted there.
  bool is_adjacent(TableId table) const;
  void check_mentions();
  bool is_value(WordSpan span) const;
  const Mention* best_mention(ColumnId id) const;
  // A selected column without any word for it, beside others that the question names.
  void check_selected();
  void list_roles();

  const Question& question_;
  const Question licensing_;  // with the evidence
  const Linking& linking_;
  const QueryLeaves& leaves_;
  const Domain& domain_;
  const ValueIndex& values_;
  const std::string text_;  // value_words() of licensing_
  mutable WordMatcher matcher_{};
  std::vector<bool> used_{};  // for each word
  bool names_shared_ = false;
  Grounding grounding_{};
};

}  // namespace trustsql::semparse
