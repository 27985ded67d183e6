// Training: learns the parser's decisions from questions and the trees of their queries.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "semparse/candidates/filling.hpp"
#include "semparse/model/parser_model.hpp"
#include "semparse/tree/tree.hpp"

namespace trustsql::semparse {

// A question about a domain with the tree of its query. The domain must outlive it.
struct Example {
  const Domain* domain = nullptr;
  Question question{};
  Linking linking{};
  Tree tree{};
};

struct TrainingOptions {
  int epochs = 5;
  std::size_t min_databases = 4;           // in which a word occurs that features may name
  std::size_t min_skeletons = 2;           // examples of a skeleton that is known
  std::uint8_t min_feature_databases = 3;  // in which a feature occurs that is learned
  float rate = 0.1F;                       // the first step of a weight
  std::uint64_t seed = 1;                  // of the order of examples
};

// The steps that lead to an example's tree; empty if the tree has a form that the parser does not make. Conditions on
// values that the question does not name have no steps.
struct Derivation {
  Skeleton skeleton{};
  std::vector<std::pair<Step, Option>> steps{};
  bool complete = false;  // whether the steps lead to the whole tree
};
std::optional<Derivation> derivation_of(const QuestionView& view, const Filling& filling, const Tree& tree);

// Learns a model by maximum likelihood: of the skeletons, and of each step given those before it. The result depends on
// nothing but the arguments.
ParserModel train(const std::vector<Example>& examples, const TrainingOptions& options = {});

}  // namespace trustsql::semparse
