// Triage: whether a database can answer a question, judged by what the parser found, and if not, why not: the types of
// TrustSQL, section 2.2, ambiguous questions, and small talk.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "semparse/question/question_view.hpp"
#include "semparse/words/intent.hpp"

namespace trustsql::semparse {

enum class Feasibility : std::uint8_t {
  feasible,
  column_surface,    // the words are a name in this database, but of something that the question cannot reach
  column_related,    // nothing has this name, though names here mean something near
  column_unrelated,  // nothing here is near
  non_sql,           // no query does this
  ext_know,          // it takes knowledge, not data
  ambiguous,         // it names nothing, or something that several columns could mean
  small_talk,
};
// "feasible", "column-surface", ...
std::string_view feasibility_name(Feasibility type);

struct Triage {
  Feasibility type = Feasibility::feasible;
  std::string detail{};                // what is wrong, for people: "a forecast is not a query"
  std::string suggestion{};            // the nearest thing that can be asked; empty if nothing is near
  std::vector<std::size_t> unknown{};  // positions of the words for which nothing was found, the first three

  bool feasible() const { return type == Feasibility::feasible; }
};

// What the best reading of a question says about it.
struct ReadingEvidence {
  bool has_reading = false;
  std::vector<bool> explained{};  // for each word: whether the reading has a use for it
  std::vector<TableId> tables{};  // that the reading uses
  bool values_known = true;       // false: the database has no values yet, so that any word might be one
};

// Triage by intent alone: not feasible, or `feasible` if the question wants data. `view` says which words are names.
Triage triage_of_intent(const QuestionView& view);

// The whole triage.
Triage triage_of(const QuestionView& view, const ReadingEvidence& reading);

}  // namespace trustsql::semparse
