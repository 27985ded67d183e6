// The semantic parser: from a question to a query and the probability that it is the right one.
//
//   const auto knowledge = Knowledge::build(catalog, sandbox);          // once for a state of the database
//   Parser parser(shipped_model());
//   const auto parse = parser.parse("How many singers are French?", **knowledge, *sandbox);
//   if (parse->confidence >= threshold) ... parse->readings.front().sql
//
// The parser knows nothing of pipelines and language models. It never guesses silently: what it did not understand of
// the question is in the parse.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "semparse/abstention/confidence.hpp"
#include "semparse/abstention/objections.hpp"
#include "semparse/abstention/triage.hpp"
#include "semparse/candidates/candidates.hpp"
#include "semparse/database/domain.hpp"
#include "semparse/database/value_index.hpp"
#include "semparse/database/value_store.hpp"
#include "semparse/model/parser_model.hpp"
#include "semparse/question/correction.hpp"

namespace trustsql::semparse {

// What the parser knows about one state of a database. Immutable and shared by threads.
struct Knowledge {
  Domain domain;
  ValueIndex values;

  // Reads values until `time` has passed; columns that were not read by then have no values here. `store`, unless it is
  // null, keeps them for other processes. Errors: interrupted, out_of_memory, io, those of the store.
  static Result<std::shared_ptr<const Knowledge>> build(const Catalog& catalog, Sandbox& sandbox,
                                                        std::chrono::milliseconds time = max_reading_time,
                                                        ValueStore* store = nullptr);
  static constexpr std::chrono::milliseconds max_reading_time{30'000};
};

// One way to read a question.
struct Reading {
  std::string sql;
  std::string skeleton;              // the form of the query
  float probability = 0;             // among all readings
  std::optional<Outcome> outcome{};  // of those that were run, unless they failed
};

// A span of the question and what it was linked to, for people.
struct Link {
  std::string words;    // of the question
  std::string meaning;  // "column singer.name", "value 'France' of singer.country", "number 3"
};

struct Parse {
  std::vector<Reading> readings{};         // the best first; empty if there is none
  double confidence = 0;                   // that the first reading is right, 0..1
  std::string restated{};                  // the question in the form in which it was read; empty if as it was asked
  std::string reworded{};                  // another wording with the same answer, which the confidence is of; or empty
  bool tied = false;                       // whether other rows are as much the one asked for (ties.hpp)
  std::string reading{};                   // the first reading in words
  std::string content{};                   // what the first reading says (content_of()), to compare wordings by
  std::string rival{};                     // the likeliest one with other rows, in words; empty if none comes near
  std::vector<Link> links{};               // of the first reading
  std::vector<std::string> unexplained{};  // content words of the question that the first reading does not explain
  std::vector<std::string> left_out{};     // those of them that name something in the database
  std::vector<std::string> unknown{};      // the others, and quotations that no column holds, if they have a correction
  // Quotations that no column holds, but for those that the reading takes for a pattern.
  std::vector<std::string> missing_quotations{};
  Objections objections{};                // to the first reading
  std::string impossible_date{};          // a date of the question that the calendar does not have: "30 February 2024"
  std::vector<Correction> corrections{};  // of unknown words, also those that triage names; no model sees them
  // Two names that the same words of the question could mean equally well, where the first reading uses one of them;
  // empty if there are none.
  std::string ambiguous_words{};
  std::string ambiguous_names{};
  UnifiedInput unified{};  // what TrustSQL's unified approaches judge the first reading by
  Triage triage{};         // whether the database can answer it at all, and what speaks against that
  // What a trained classifier judges the question by (question_classifier.hpp); empty for a question without words.
  std::vector<float> question_inputs{};
};

struct ParserOptions {
  CandidateOptions candidates{};
  // Readings are run until so much time has passed, each for at most a quarter of it; those that were not run support
  // no other.
  std::chrono::milliseconds run_time{3'000};
};

struct Wordings;

class Parser {
 public:
  explicit Parser(std::shared_ptr<const ParserModel> model) : model_(std::move(model)) {}

  // Reads `question`. Its best readings are run in `sandbox`, a connection to the database of `knowledge`. Errors:
  // interrupted, out_of_memory, and what keeps the database from being read.
  //
  // Where values, adjectives and verbs stand without the names of their columns (named_values.hpp, named_measures.hpp),
  // or rows are asked for rather than their names (with_named_rows()), the question is read a second time with these
  // names; and one that is not sure also with other requests in front of the same (other_requests.hpp). Of the wordings
  // with the same answer, the surest gives the confidence; but not where the reading returns one of several rows that
  // share a place.
  Result<Parse> parse(std::string_view question, const Knowledge& knowledge, Sandbox& sandbox,
                      const ParserOptions& options = {}) const;

 private:
  // Reads one wording. `wordings`, unless it is null: the question in other words of the same meaning.
  Result<Parse> read(std::string_view question, QuestionLinker& linker, Sandbox& sandbox, const ParserOptions& options,
                     Wordings* wordings) const;

  std::shared_ptr<const ParserModel> model_;
};

// The model in this library, read when it is first asked for; nullptr if it cannot be read.
std::shared_ptr<const ParserModel> shipped_model();

}  // namespace trustsql::semparse
