// Judged questions: what a model's later decisions are learned from. The candidates for each question were found and
// run, and their results compared with that of the right query.
//
// Ranking, choice and confidence are learned one after the other, each from what those before it make of questions that
// they were not learned from (fitting.hpp, adapting.hpp).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "semparse/abstention/confidence.hpp"
#include "semparse/parser.hpp"
#include "semparse/question/linking.hpp"

namespace trustsql::semparse {

struct JudgedCandidate {
  Features features{};  // ranking_features()
  Contender contender{};
  bool right = false;
  bool has_objections = false;   // so that it is no answer at any confidence (objections.hpp)
  std::vector<float> unified{};  // unified_features()
};

struct JudgedQuestion {
  std::size_t database = 0;
  std::size_t number = 0;  // of the labelled question that it is, or was made from
  std::string kind{};      // "feasible", or how it was made infeasible
  // In the order of the parser; the best ones in the order of the ranker later.
  std::vector<JudgedCandidate> candidates{};
  bool right_at_first = false;               // before the candidates were ranked
  bool reachable = false;                    // one of the candidates is right
  std::vector<std::vector<float>> inputs{};  // choice_inputs()
  Choice choice{};
  std::vector<float> confidence_inputs{};

  bool feasible() const { return kind == "feasible"; }
  // Whether the parser may answer with the candidate that was chosen.
  bool may_be_answered() const { return !candidates.empty() && !candidates[choice.best].has_objections; }
  bool is_right() const { return feasible() && !candidates.empty() && candidates[choice.best].right; }
};

using Questions = std::vector<JudgedQuestion*>;

std::vector<Contender> contenders_of(const JudgedQuestion& question);

// Whether a result is what many wrong queries return as well: no rows, or nothing but NULL and 0.
bool says_nothing(const ResultSet& rows);

// Whether `sql` returns what `gold` does, run in `sandbox`: the same bag of rows up to the order of columns; the rows
// in the same order if `gold` has ORDER BY. Queries that fail return nothing, and nothing is the same as that.
bool returns_the_same(Sandbox& sandbox, std::string_view gold, std::string_view sql);

// The candidates of `model` for the question `text` about the database of `linker` and `sandbox`. `sql`: the right
// query; empty for an infeasible question, which no candidate answers.
JudgedQuestion judge(const ParserModel& model, QuestionLinker& linker, Sandbox& sandbox, std::string_view text,
                     const std::string& sql, std::string kind);

}  // namespace trustsql::semparse
