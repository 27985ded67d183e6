// Evidence: what speaks for and against a candidate, as numbers that people can read.
//
// Every number has a name. They say how the candidate stands among the others, which operators the
// question asks for and the candidate has (cues.hpp), which of its columns, tables and values the question names, where
// another name would have served as well, and which words are left over (the roles of PRECISE, Popescu et al. 2003, as
// counts). Boosted trees (tree_ensemble.hpp) learn from them which candidate is right and how sure that is.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "semparse/candidates/candidates.hpp"
#include "semparse/candidates/form_fit.hpp"
#include "semparse/candidates/ranking.hpp"
#include "semparse/question/answer_list.hpp"
#include "semparse/question/cues.hpp"

namespace trustsql::semparse {

// What all candidates of a question share.
struct QuestionEvidence {
  std::vector<CueMention> cues{};
  std::array<int, cue_kinds> cue_counts{};
  std::map<const Skeleton*, FormFit> forms{};  // of the skeletons of the model
  std::optional<AnswerList> list{};            // what the question lists, if it begins with a list
};
QuestionEvidence question_evidence(const ParserModel& model, const QuestionView& view);

struct Evidence {
  std::string_view name;
  float value = 0;
};
// Trees name the evidence by its number: what changes it, its order or its meaning changes model_file_version too.
inline constexpr std::size_t evidence_count = 179;

// The evidence of the candidate with this number in `candidates`: evidence_count numbers, always in the same order.
std::vector<Evidence> evidence_of(const QuestionView& view, const QuestionEvidence& question,
                                  const std::vector<Candidate>& candidates, std::size_t number);
std::vector<float> evidence_values(const QuestionView& view, const QuestionEvidence& question,
                                   const std::vector<Candidate>& candidates, std::size_t number);

}  // namespace trustsql::semparse
