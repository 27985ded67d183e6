// Arithmetic on vectors of floats. The results are the same on every machine: sums always use eight lanes, whatever the
// processor.
#pragma once

#include <cstddef>
#include <span>

namespace trustsql::link {

// The dot product of two vectors of the same size; for unit vectors it is their cosine.
float dot(std::span<const float> a, std::span<const float> b);

// sum += factor * vector. Precondition: equal sizes.
void add_scaled(std::span<float> sum, std::span<const float> vector, float factor);

// Scales `vector` to length 1; a zero vector is unchanged.
void normalise(std::span<float> vector);

// The dot products of `rows` (one after the other, each of `size` floats) with each of `probes` (likewise): result [row
// * probe count + probe]. Reads `rows` once. Preconditions: the sizes of rows and probes are multiples of `size`, and
// `results` has the matching size.
void dot_all(std::span<const float> rows, std::span<const float> probes, std::size_t size, std::span<float> results);

}  // namespace trustsql::link
