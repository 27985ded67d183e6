// The weights of relevance.hpp, in the order of its features: those of columns, then those of the graph.
//
// Made by tests/bench/fit_relevance.cpp; do not edit.
#pragma once

#include <array>

#include "link/relevance.hpp"

namespace trustsql::link {

inline constexpr std::array<float, column_features> first_weights = {
    3.016F, -3.431F, 1.403F, 1.253F, 0.7716F, 3.922F, 1.294F, 0.3166F, -1.641F, 1.001F, 1.508F, 0.1441F,
    0.8559F, 0.6205F, -0.3746F, 0.4154F, -0.6392F};

inline constexpr std::array<float, column_features + graph_features> second_weights = {
    0.7482F, -1.139F, -3.656F, 0.4315F, 0.0416F, 0.3738F, -0.3769F, -0.1942F, 1.189F, -0.4538F, 1.689F, -0.2151F,
    -0.8884F, -0.3145F, -0.0393F, -0.1849F, 0.4741F, 1.312F, 0.002F, 0.3252F, 0.6536F, 0.366F, 0.0989F, 0.2896F,
    0.1993F, 0.3299F, -0.5144F, 0.6285F, -1.245F, -0.3442F, 0.1198F};

}  // namespace trustsql::link
