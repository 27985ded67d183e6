// Collects the evidence for one candidate: evidence.hpp calls it. Its parts are in evidence.cpp (the candidate and the
// words of the question), evidence_clauses.cpp (what the query says), evidence_names.cpp (which names it uses) and
// evidence_operators.cpp (whether its operators are those that the question asks for), evidence_answer.cpp (whether it
// returns what is asked for) and evidence_relations.cpp (verbs, references, adjectives).
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "semparse/evidence/evidence.hpp"
#include "semparse/tree/tree_operators.hpp"

namespace trustsql::semparse {

// Collects the numbers.
class EvidenceWriter {
 public:
  void operator()(std::string_view name, float value) { evidence_.push_back({name, value}); }
  void operator()(std::string_view name, int value) { (*this)(name, static_cast<float>(value)); }
  void operator()(std::string_view name, std::size_t value) { (*this)(name, static_cast<float>(value)); }
  void operator()(std::string_view name, bool value) { (*this)(name, value ? 1.0F : 0.0F); }
  std::vector<Evidence> take() { return std::move(evidence_); }

 private:
  std::vector<Evidence> evidence_;
};

class EvidenceCollector {
 public:
  EvidenceCollector(const QuestionView& view, const QuestionEvidence& question,
                    const std::vector<Candidate>& candidates, std::size_t number)
      : view_(view),
        domain_(view.domain()),
        question_(question),
        candidates_(candidates),
        number_(number),
        candidate_(candidates[number]),
        draft_(candidate_.draft),
        skeleton_(*draft_.skeleton),
        operators_(operators_of(candidate_.tree)),
        explanation_(explain(view, candidate_)),
        cue_counts_(question.cue_counts) {
    turn_cues();
  }

  std::vector<Evidence> collect() {
    standing();
    cues();
    words();
    selection();
    conditions();
    grouping();
    ordering();
    tables();
    rivals();
    form();
    directions();
    agreements();
    answer();
    relations();
    list();
    return write_.take();
  }

 private:
  static constexpr float unknown = -1;

  int cue(Cue kind) const { return cue_counts_[static_cast<std::size_t>(kind)]; }
  const Mention* mention_of(ColumnId column) const { return view_.column_mention(column); }
  const Mention* mention_of_table(TableId table) const { return view_.table_mention(table); }
  TableId table_of(ColumnId column) const { return domain_.column(column).table; }

  // "Oldest" asks for the least year and the greatest age: counts the cues for the columns of this candidate.
  void turn_cues();
  // How the candidate stands among the others.
  void standing();
  // What the question asks for, and what the candidate does.
  void cues();
  // Words that nothing in the candidate stands for.
  void words();
  // Whether the question's first noun is what is returned, and how it is named.
  void selection();
  float first_item() const;
  int question_word() const;
  void conditions();
  // Whether the words before a literal ask for another comparison: "more than 3" and <, "not more than 3" and >.
  bool contradicts_cue(LiteralOperator op, WordSpan literal) const;
  void grouping();
  void ordering();
  void tables();
  // Where other columns have the same words.
  void rivals();
  // How well the form fits what the question says.
  void form();
  // Whether "lowest" and "descending" have the right direction, and what is ordered by.
  void directions();
  // Whether counts, averages, alternatives and the number of items are what the question asks for.
  void agreements();
  // Whether what is returned is what the question asks for.
  void answer();
  // Whether what the question lists is returned.
  void list();
  // What only a join stands for, and what adjectives measure.
  void relations();
  int unused_small_values() const;
  bool names_only_an_operator(const Mention& mention) const;
  float names_asked_rows(TableId table, const std::vector<ColumnId>& selected) const;
  int longer_names(ColumnId column) const;
  bool refers_to(TableId from, TableId to) const;
  // The table that the question says owns the column: B in "A of B", "A and C of B", "B's A", "the B A".
  TableId explicit_owner(WordSpan column) const;
  // The table whose whole name stands at a word, or ends there.
  TableId table_at(std::size_t word, bool ends) const;
  bool names_a_column(std::size_t word) const;

  const QuestionView& view_;
  const Domain& domain_;
  const QuestionEvidence& question_;
  const std::vector<Candidate>& candidates_;
  std::size_t number_;
  const Candidate& candidate_;
  const Draft& draft_;
  const Skeleton& skeleton_;
  Operators operators_;
  Explanation explanation_;
  std::array<int, cue_kinds> cue_counts_;
  EvidenceWriter write_{};
};

}  // namespace trustsql::semparse
