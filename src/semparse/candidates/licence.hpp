// Licences: what the words of a question allow a query to do. Every count, average, extreme, order, negation and
// nesting of a query needs a word for it; what is compared is not what is returned; a negated value is not one that is
// looked for.
//
// They are rules that the right queries of Spider's training questions hardly ever break (the notes of the grounding
// bench, tests/bench/README.md). What breaks one is no candidate.
#pragma once

#include <optional>
#include <vector>

#include "semparse/candidates/filling.hpp"
#include "semparse/question/answer_list.hpp"
#include "semparse/question/cues.hpp"
#include "semparse/question/question_cues.hpp"
#include "semparse/tree/skeleton.hpp"

namespace trustsql::semparse {

class Licence {
 public:
  // `view` and `cues`, those of its question, must outlive this object.
  Licence(const QuestionView& view, const std::vector<CueMention>& cues);

  // Whether the question has a word for each part of the form.
  bool allows(const Skeleton& skeleton) const;
  // Whether it does for the columns and values of a query of this form.
  bool allows(const Draft& draft, const Tree& tree) const;

  // Whether a value that the question negates ("not shipped") is a condition of the query.
  bool uses_negated_values(const Draft& draft) const;
  // Whether what the question says is missing, what it says with a column of yes and no, a value of several words that
  // is written as it is stored, and the value in "how many dogs" are conditions of the query.
  bool uses_sure_values(const Draft& draft) const;
  // Whether the question begins with "when", and whether the query returns a date, or a part of one.
  bool asks_when() const { return asks_when_; }
  bool gives_time(const Tree& tree) const;
  // Whether the query returns what names the rows that are asked for, or columns that the question names for
  // themselves, and not only to compare or sort by them.
  bool returns_asked_rows(const Draft& draft, const Tree& tree) const;
  // Whether the query returns references to rows of a table that the question names ("each customer"), and not their
  // names, though these have one.
  bool gives_references(const Draft& draft) const;
  // Whether it returns the names of something else than "the names of the employees" asks for.
  bool gives_other_names(const Draft& draft) const;
  // Whether it returns keys of a table that the question names, and not its names, though it has some.
  bool gives_keys(const Draft& draft) const;
  // Whether the query has something to do with the table whose rows "how many members ..." counts.
  bool counts_asked_rows(const Draft& draft, const Tree& tree) const;
  // Whether it counts these rows, and not those of a table that refers to them.
  bool counts_named_rows(const Tree& tree) const;
  // Whether it sorts by what "sorted by" stands before, if that names a column.
  bool sorts_by_what_is_named(const Tree& tree) const;
  // Whether each plain column that is returned has one value in a group.
  bool returns_what_groups_have(const Draft& draft) const;
  // Whether it groups by what "each" stands before; it is not one number where the question wants one for each.
  bool groups_as_asked(const Draft& draft) const;
  // Whether the query returns what "X and their Y" asks for: Y, and what names an X.
  bool returns_pairs(const Draft& draft) const;
  // Whether it returns what the question lists one by one, and nothing else if it asks for nothing else.
  bool returns_list(const Draft& draft) const;
  // Whether the query may be the answer to "who": it returns what names someone, or what the question names.
  bool may_give_people(const Draft& draft) const;
  bool asks_for_groups() const;
  // Whether people are told apart by their first name or their last name alone, where both are returned.
  bool groups_by_part_of_name(const Draft& draft) const;

 private:
  bool allows(Aggregate aggregate) const;
  bool has(Cue cue) const;
  bool contradicts_comparison(Comparison comparison) const;
  bool leaves_out_negation(const Draft& draft) const;
  bool sorts_by_letters(const Tree& tree) const;
  bool allows_amount(const Term& term) const;
  bool allows_amounts(const Tree& tree) const;
  bool gives_asked_columns(const Tree& tree) const;
  bool has_asked_extremes(const Tree& tree) const;
  bool has_asked_order(const Tree& tree) const;
  bool returns_extreme_for_row(const Tree& tree) const;
  bool returns_what_it_compares(const Draft& draft) const;
  bool contradicts_negation(const Draft& draft) const;
  bool selects_by_what_it_joins(const Draft& draft, const Tree& tree) const;
  Bound bound_in_time(WordSpan number) const;
  bool contradicts_bound(const Draft& draft) const;
  bool takes_age_for_year(const Draft& draft) const;
  bool gives_time_for_age(const Tree& tree) const;
  bool searches_for_known_value(const Draft& draft) const;
  bool lists_column(ColumnId column) const;
  bool names_asked_row(ColumnId column) const;
  std::vector<TableId> tables_named_at(std::size_t word) const;
  bool is_written_value(const ValueMention& value) const;
  bool is_counted(const ValueMention& value) const;
  std::optional<std::size_t> counted_word() const;
  bool counts_rows_of_value(const Draft& draft) const;
  bool is_part_of_name(WordSpan words) const;
  bool names_whole_key(ColumnId key, const Mention& table) const;
  // How often the question names the column in at least half of its words, other than by a value that the query uses.
  std::ptrdiff_t times_named(const Draft& draft, ColumnId column) const;
  bool begins_like_word(const DomainColumn& column) const;
  bool is_graded_by_word(ColumnId column) const;
  bool is_named_beside(ColumnId column, WordSpan operator_words) const;
  std::vector<ColumnId> columns_before_most(std::size_t at) const;
  void find_graded_extreme();
  bool groups_by_days(const Draft& draft) const;
  bool adds_up_single_rows(const Draft& draft) const;
  bool judges_by_another_amount(const Draft& draft) const;
  bool has_graded_extremes(const Tree& tree) const;
  bool contradicts_time(const Tree& tree) const;
  bool compares_what_is_graded(const Draft& draft) const;
  bool counts_what_is_compared(const Draft& draft) const;
  bool is_sum_bound(const Literal& literal) const;
  bool dates_something_else(const Draft& draft) const;
  bool splits_conditions(const Draft& draft) const;
  bool mixes_alternatives(const Draft& draft) const;
  bool leaves_out_alternative(const Draft& draft) const;
  void spread_negation();
  bool adds_sign(const Draft& draft) const;
  bool excludes_other_bound(const Draft& draft) const;
  bool contradicts_scale(const Draft& draft) const;
  bool leaves_out_denial(const Draft& draft) const;
  bool excepts_shared_names(const Draft& draft) const;
  bool compares_unnamed_amount(const Draft& draft) const;
  bool searches_nothing(const Tree& tree) const;
  bool lacks_rows_nobody_names(const Draft& draft) const;
  bool is_time_of_day(WordSpan number) const;
  bool says_how_often(WordSpan number) const;
  bool has_rows_it_denies(const Draft& draft) const;
  Bound bound_before_name(WordSpan number, ColumnId column) const;
  bool misplaces_number(const Draft& draft) const;
  bool contradicts_direction(const Draft& draft) const;
  bool lacks_rows_by_own_value(const Draft& draft) const;
  bool intersects_single_values(const Draft& draft) const;
  bool dates_by_later_event(const Draft& draft) const;
  bool takes_year_for_amount(const Draft& draft) const;
  bool contradicts_unit(const Draft& draft) const;
  bool answers_in_other_unit(const Tree& tree) const;
  bool compares_with_average(const Skeleton& skeleton) const;
  bool gives_only_count(const Skeleton& skeleton) const;
  void find_negated_columns();
  bool lacks_unnamed_rows(const Draft& draft) const;
  bool names_table_before(std::size_t word, std::size_t after) const;

  const QuestionView& view_;
  const std::vector<CueMention>& cues_;
  bool average_;
  bool extreme_;
  bool least_;
  bool greatest_;
  bool compared_with_all_;  // "than any", "than all"
  bool sum_;
  bool total_;  // a word for a sum, and not only one that compares: "more", "each"
  bool count_;
  bool negation_;
  bool strict_negation_;  // "not", "without": some part of the query is negative
  bool both_;
  bool alternative_ = false;
  bool pattern_;
  bool order_;
  std::optional<std::size_t> alphabetical_{};  // the word that asks for the order of letters
  bool asks_when_;
  bool asks_who_;
  bool all_columns_;  // "all", "information", "details"
  std::vector<std::size_t> superlatives_{};
  std::vector<std::size_t> order_superlatives_{};  // "cheapest first"
  std::size_t first_name_at_ = 0;                  // the first word that names a table or a column
  TableId asked_rows_ = nothing;                   // the table whose rows are asked for
  std::vector<bool> negated_{};                    // for each literal
  std::vector<ColumnId> graded_extreme_{};         // what the only superlative is about; none: not known
  std::optional<AnswerList> list_{};               // what the question begins with, if it has several items
  std::vector<ColumnId> negated_columns_{};        // "no phone", "not returned": what is missing
  bool ids_ = false;                               // a word for what identifies something
};

}  // namespace trustsql::semparse
