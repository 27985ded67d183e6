// Ranking: features of whole candidates, by which the best is chosen among those that the parser made step by step.
//
// They say what the steps could not see: which words of the question the tree leaves unexplained, which of its columns
// and tables nothing names, how large its joins are. Trained on candidates for databases that the steps' weights were
// not trained on (Zeng et al. 2022 and others show what re-ranking whole queries brings).
#pragma once

#include <vector>

#include "semparse/candidates/candidates.hpp"
#include "semparse/learning/linear_model.hpp"
#include "semparse/question/question_view.hpp"

namespace trustsql::semparse {

// What a candidate uses, and which words of the question speak of it.
struct Explanation {
  struct Use {
    StepKind step;
    ColumnId column = nothing;
    TableId table = nothing;
    const Mention* mention = nullptr;  // nullptr: nothing in the question names it
  };
  std::vector<Use> uses{};
  std::vector<bool> explained{};               // for each word of the question
  std::vector<std::size_t> unused_literals{};  // that are values in quotes or capitals, or numbers
  std::vector<TableId> tables{};               // of the whole tree, sorted
  std::size_t joins = 0;                       // of the first query
  std::size_t inferred_joins = 0;              // of these, over keys that are not declared
  std::size_t join_trees = 0;                  // of the smallest size
};

Explanation explain(const QuestionView& view, const Candidate& candidate);

// The features of the candidate with this number in `candidates`.
Features ranking_features(const QuestionView& view, const std::vector<Candidate>& candidates, std::size_t number);

}  // namespace trustsql::semparse
