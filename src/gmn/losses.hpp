// What the network is trained to make small.
#pragma once

#include <span>

#include "gmn/tape.hpp"

namespace trustsql::gmn {

// Euclidean distances (C.3) of the rows 2 i and 2 i + 1. (The public code squares them; then two graphs that differ in
// one leaf have a distance near 0 and a gradient near 0, and are never told apart.) Shapes: 2 n x d; result n x 1.
Value pair_distances(Tape& tape, Value x);

// The mean over pairs of relu(margin - y (1 - distance)), where y is 1 for pairs that mean the same and -1 for others:
// the margin loss of Li et al. (2019) for Euclidean similarity. Shapes: distances n x 1, labels n; result 1 x 1.
// `labels` must outlive the pass.
Value margin_loss(Tape& tape, Value distances, std::span<const float> labels, float margin);

// The mean of the squares of all numbers. Result 1 x 1.
Value mean_square(Tape& tape, Value x);

// NT-Xent, the contrastive loss of You et al. (2020) that C.4 applies: rows 2 i and 2 i + 1 are two views of one graph.
// For each row the loss is -log of the softmax, over all rows of other graphs and its other view, of cosine /
// temperature at its other view; the other view is left out of the denominator as in GraphCL. Shapes: 2 n x d, n >= 2;
// result 1 x 1.
Value nt_xent(Tape& tape, Value x, float temperature);

}  // namespace trustsql::gmn
