// The weights of relevance.hpp, in the order of its features: those of columns, then those of the graph.
//
// Made by tests/bench/fit_relevance.cpp and clang-format; do not edit.
#pragma once

#include <array>

#include "link/relevance.hpp"

namespace trustsql::link {

inline constexpr std::array<float, column_features> first_weights = {
    3.3248F, -3.6841F, 1.2749F, 1.3171F, 0.8464F, 3.8336F,  1.1169F, 0.2804F, -1.7786F,
    0.9498F, 1.5008F,  0.5087F, 0.8471F, 0.2899F, -0.3451F, 0.4191F, -0.6489F};

inline constexpr std::array<float, column_features + graph_features> second_weights = {
    0.6488F,  -0.7059F, -4.0580F, 0.4718F, 0.0223F,  0.8569F,  -0.8238F, -0.3317F, 1.1626F, -0.4091F, 2.0876F,
    -0.3930F, -0.9149F, -0.3187F, 0.0815F, -0.2087F, 0.9729F,  1.3589F,  0.0591F,  0.5051F, 0.8696F,  0.6076F,
    0.1442F,  -0.1830F, 0.0949F,  0.3555F, -0.2211F, -1.1811F, 0.5906F,  -0.5244F, 0.2300F};

}  // namespace trustsql::link
