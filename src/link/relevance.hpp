// Relevance: how likely it is that a question's SQL uses a column, from what all probes together say about the column,
// its table and its database. An addition to CRUSH4SQL's method, whose objective looks at single similarities and at
// pairs of chosen columns.
//
// Two linear models, one after the other:
//
//   1. A logistic model of features of the column itself: its similarities to the probes and the question, the share of
//      the probes that fall to it, to its table, to its database, whether it is a key.
//   2. With the probabilities of the first model, features of the schema graph: a key joins tables that are needed
//   both,
//      a table lies between two that are needed, a needed key points to a small table of names. A linear model of both
//      kinds of features gives the score by which columns are ranked.
//
// Weights: relevance_weights.hpp, fitted by tests/bench/fit_relevance.cpp.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "link/element.hpp"
#include "link/name_index.hpp"

namespace trustsql::link {

struct RelevanceInput {
  const ElementSet& elements;
  const NameIndex& names;
  // Cosines [element * (probe_count + 1) + probe]; the last column is the question's.
  std::span<const float> cosines;
  std::size_t probe_count;  // at least 1
  // The probes' columns, which are compared with names; if there is none, the question.
  std::span<const std::string> columns;
};

inline constexpr std::size_t column_features = 17;
inline constexpr std::size_t graph_features = 14;

// The features of the first model, for each element.
using ColumnFeatures = std::array<float, column_features>;
std::vector<ColumnFeatures> column_features_of(const RelevanceInput& input);

// The features that the second model has in addition, for each element, from the scores of the first (log-odds).
using GraphFeatures = std::array<float, graph_features>;
std::vector<GraphFeatures> graph_features_of(const ElementSet& elements, const NameIndex& names,
                                             std::span<const float> scores);

// The score of each element; only the differences of scores mean something.
std::vector<float> relevance(const RelevanceInput& input);

}  // namespace trustsql::link
