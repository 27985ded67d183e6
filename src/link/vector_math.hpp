// Arithmetic on vectors of floats. The same results on every machine: sums are taken in eight lanes whatever the
// processor has.
#pragma once

#include <cstddef>
#include <span>

namespace trustsql::link {

// The dot product of two vectors of one size; of unit vectors their cosine.
float dot(std::span<const float> a, std::span<const float> b);

// sum += factor * vector. Precondition: one size.
void add_scaled(std::span<float> sum, std::span<const float> vector, float factor);

// Scales `vector` to length 1; leaves zeros alone.
void normalise(std::span<float> vector);

// The dot products of `rows` (one after the other, each of `size` floats) with each of `probes` (likewise): result
// [row * probe count + probe]. Reads `rows` once. Preconditions: sizes are multiples of `size`, and fit.
void dot_all(std::span<const float> rows, std::span<const float> probes, std::size_t size, std::span<float> results);

}  // namespace trustsql::link
