// The operations of the tape that know nothing of graphs. Shapes are rows x columns; every operation records its
// result on the tape and returns it.
#pragma once

#include <span>

#include "gmn/tape.hpp"

namespace trustsql::gmn {

// x w + 1 b: a row of the result is that of x times w, plus b. Shapes: x n x i, w i x o, b 1 x o; result n x o.
Value linear(Tape& tape, Value x, Value w, Value b);
// x w.
Value product(Tape& tape, Value x, Value w);

// Element by element; both have the same shape.
Value add(Tape& tape, Value x, Value y);
Value multiply(Tape& tape, Value x, Value y);
Value scale(Tape& tape, Value x, float factor);

Value relu(Tape& tape, Value x);
Value sigmoid(Tape& tape, Value x);
Value tanh(Tape& tape, Value x);

// The columns of x, then those of y.
Value concatenate(Tape& tape, Value x, Value y);

// Row i of the result is the sum of the rows of `table` that indexes[i * per_row] to indexes[(i + 1) * per_row - 1]
// name; -1 names none. With per_row = 1 an embedding; with the characters of a window of text, each in its place of the
// table, the convolution of their one-hot codes. `indexes` must outlive the pass.
Value lookup(Tape& tape, Value table, std::span<const Index> indexes, Eigen::Index per_row = 1);

// Layer normalisation (Ba, Kiros and Hinton 2016): each row has its mean taken away and is divided by its standard
// deviation; then gain * row + shift. Shapes: x n x c, gain and shift 1 x c.
Value layer_norm(Tape& tape, Value x, Value gain, Value shift);

// The windows of sequences: x holds sequences of `length` rows, one below the other. A row of the result is the `taps`
// rows around a position, side by side, zeros beyond the ends; positions are 0, stride, 2 stride, ... Times a matrix of
// taps * c rows it is a convolution. Shapes: n * length x c; result n * ceil(length / stride) x taps * c.
Value windows(Tape& tape, Value x, Eigen::Index length, Eigen::Index taps, Eigen::Index stride);

// The mean of each run of `length` rows. Shapes: n * length x c; result n x c.
Value mean_of_runs(Tape& tape, Value x, Eigen::Index length);

// One step of a gated recurrent unit (Cho et al. 2014). `from_input` and `from_state` are linear functions of the input
// and of the state, n x 3 d each: reset gate, update gate, candidate.
//     r = sigmoid(i1 + s1)   z = sigmoid(i2 + s2)   c = tanh(i3 + r * s3)   result = (1 - z) * c + z * state
Value gru(Tape& tape, Value from_input, Value from_state, Value state);

// The mean of all numbers. Result 1 x 1.
Value mean(Tape& tape, Value x);

}  // namespace trustsql::gmn
