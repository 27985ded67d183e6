// Licences: what the words of a question allow a query to do. Every count, average, extreme, order, negation and
// nesting of a query needs a word for it; what is compared is not what is returned; a negated value is not one that is
// looked for.
//
// They are rules that the right queries of Spider's training questions hardly ever break (the notes of the grounding
// bench, tests/bench/README.md). What breaks one is no candidate.
#pragma once

#include <optional>
#include <vector>

#include "semparse/cues.hpp"
#include "semparse/filling.hpp"
#include "semparse/skeleton.hpp"

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
  // Whether the question begins with "when", and whether the query returns a date, or a part of one.
  bool asks_when() const { return asks_when_; }
  bool gives_time(const Tree& tree) const;
  // Whether the query returns what names the rows that are asked for, or columns that the question names for
  // themselves, and not only to compare or sort by them.
  bool returns_asked_rows(const Draft& draft, const Tree& tree) const;
  // Whether the query returns what "X and their Y" asks for: Y, and what names an X.
  bool returns_pairs(const Draft& draft) const;
  // Whether the query may be the answer to "who": it returns more than amounts and dates, or these are named.
  bool may_give_people(const Draft& draft) const;
  bool asks_for_groups() const;

 private:
  bool allows(Aggregate aggregate) const;
  bool has(Cue cue) const;
  bool contradicts_comparison(Comparison comparison) const;
  bool leaves_out_negation(const Draft& draft) const;
  bool sorts_by_letters(const Tree& tree) const;
  bool allows_amounts(const Tree& tree) const;
  bool gives_asked_columns(const Tree& tree) const;
  bool has_asked_extremes(const Tree& tree) const;
  bool has_asked_order(const Tree& tree) const;
  bool returns_extreme_for_row(const Tree& tree) const;
  bool returns_what_it_compares(const Draft& draft) const;
  bool contradicts_negation(const Draft& draft) const;
  bool excludes_what_it_joins(const Draft& draft, const Tree& tree) const;
  bool contradicts_bound(const Draft& draft) const;
  bool searches_for_known_value(const Draft& draft) const;
  bool names_asked_row(ColumnId column) const;
  // How often the question names the column in at least half of its words, other than by a value that the query uses.
  std::ptrdiff_t times_named(const Draft& draft, ColumnId column) const;
  bool is_named_beside(ColumnId column, WordSpan operator_words) const;
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
  bool alternative_;
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
};

}  // namespace trustsql::semparse
