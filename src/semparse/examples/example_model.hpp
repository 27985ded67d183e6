// ExampleModel: answers questions from learned examples.
//
//   const auto model = ExampleModel::learn(examples, {}, stop);
//   const auto answer = (*model)->answer("How many singers are from Japan?", &values);
//   if (answer.confidence >= threshold) ... *answer.sql
//
// A question that was learned gets its query; one that differs in values or times gets the query with these; others get
// what the ranking thinks likeliest, with a probability that was learned from examples that were left out: some
// questions of known templates, and whole templates (leave-template-out), since people ask for what no example shows.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.hpp"
#include "semparse/examples/example_confidence.hpp"
#include "semparse/examples/template_ranking.hpp"

namespace trustsql::semparse {

struct ExampleModelOptions {
  RankingOptions ranking{};
  std::size_t folds = 4;
  std::size_t threads = 2;
  // Held-out answers that are needed for a confidence of their own; with fewer, the library's is used.
  std::size_t min_outcomes = 400;
};

// What fills a slot, for people.
struct SlotReading {
  std::string words;   // of the question
  std::string column;  // "table.column"; may be empty
  std::string value;
  bool equality = false;
  bool number = false;
};

struct ExampleAnswer {
  std::optional<std::string> sql{};  // the likeliest query; none if there is no candidate or `infeasible`
  double confidence = 0;             // that `sql` is right, 0..1
  bool infeasible = false;           // the likeliest is that the question cannot be answered
  double infeasible_probability = 0;
  double likeness = 0;                   // of the question to the example, 0..1: the share of the words that they share
  std::string infeasible_type{};         // as the example says; may be empty
  std::optional<std::size_t> example{};  // that carries the answer: index in the list of examples
  bool learned = false;                  // the question is an example itself
  bool by_analogy = false;               // no example has this template
  std::vector<SlotReading> slots{};
};

class ExampleModel {
 public:
  // Learns from `examples`; later ones win where two contradict each other. Errors: interrupted (`stop`).
  static Result<std::shared_ptr<const ExampleModel>> learn(std::vector<LearnedExample> examples,
                                                           const ExampleModelOptions& options,
                                                           const std::function<bool()>& stop);

  // `values`: of the database; may be null. Thread-safe.
  ExampleAnswer answer(std::string_view question, const KnownValues* values) const;

  const std::vector<LearnedExample>& examples() const { return examples_; }
  const std::vector<HeldOutExample>& held_out() const { return held_out_; }
  bool has_own_confidence() const { return own_confidence_; }

  ExampleModel(const ExampleModel&) = delete;
  ExampleModel& operator=(const ExampleModel&) = delete;

 private:
  explicit ExampleModel(std::vector<LearnedExample> examples) : examples_(std::move(examples)) {}
  Status cross_fit(const ExampleModelOptions& options, const std::function<bool()>& stop);
  void weigh_held_out();

  std::vector<LearnedExample> examples_;
  std::unordered_map<std::string, std::size_t> by_text_{};
  std::unique_ptr<const ExampleBank> bank_{};
  std::unique_ptr<TemplateRanker> ranker_{};
  std::unique_ptr<FamilyVocabulary> vocabulary_{};
  std::unique_ptr<QueryFactors> factors_{};
  std::vector<HeldOutExample> held_out_{};
  ExampleConfidence confidence_{};
  bool own_confidence_ = false;
};

}  // namespace trustsql::semparse
