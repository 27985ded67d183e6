// Candidates: the trees that a question may mean, the likeliest first.
#pragma once

#include <string>
#include <vector>

#include "semparse/candidates/filling.hpp"
#include "semparse/model/parser_model.hpp"

namespace trustsql::semparse {

struct CandidateOptions {
  std::size_t skeletons = 20;   // that are filled
  std::size_t beam = 12;        // drafts of one skeleton that are followed
  std::size_t branching = 5;    // options of a step that are tried
  std::size_t candidates = 30;  // that are returned
};

struct Candidate {
  Tree tree{};
  std::string sql{};         // sql_of() the tree
  Draft draft{};             // how it was made
  float skeleton_score = 0;  // logarithms of probabilities
  float score = 0;           // with that of the filling
};

// The candidates for the question of `view`, no SQL twice. `model` must outlive them.
std::vector<Candidate> find_candidates(const ParserModel& model, const QuestionView& view,
                                       const CandidateOptions& options = {});

}  // namespace trustsql::semparse
