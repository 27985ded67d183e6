// The weights of relevance.hpp, in the order of its features: those of columns, then those of the graph.
//
// Made by tests/bench/fit_relevance.cpp and clang-format; do not edit.
#pragma once

#include <array>

#include "link/relevance.hpp"

namespace trustsql::link {

inline constexpr std::array<float, column_features> first_weights = {
    3.034F, -3.461F, 1.379F,  1.269F, 0.7677F, 3.944F,  1.252F,  0.325F,  -1.644F,
    1.008F, 1.485F,  0.2006F, 0.857F, 0.5986F, -0.378F, 0.4164F, -0.6407F};

inline constexpr std::array<float, column_features + graph_features> second_weights = {
    0.7428F,  -1.169F,  -3.672F,  0.4555F,  0.0492F,  0.3166F, -0.3793F, -0.1927F, 1.19F,   -0.4532F, 1.687F,
    -0.2449F, -0.8695F, -0.3077F, -0.0314F, -0.1848F, 0.4739F, 1.308F,   -0.0122F, 0.3285F, 0.6645F,  0.3638F,
    0.0878F,  0.28F,    0.2046F,  0.3203F,  -0.5088F, 0.6512F, -1.25F,   -0.3556F, 0.1344F};

}  // namespace trustsql::link
