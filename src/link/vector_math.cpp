#include "link/vector_math.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace trustsql::link {

namespace {

constexpr std::size_t lanes = 8;
using Lanes = float __attribute__((vector_size(lanes * sizeof(float))));

#define TRUSTSQL_INLINE inline __attribute__((always_inline))

TRUSTSQL_INLINE void load(Lanes& into, const float* from) { std::memcpy(&into, from, sizeof(Lanes)); }

TRUSTSQL_INLINE float sum(const Lanes& v) { return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7])); }

// The dot products of a row with `n` probes, which are `size` floats apart. The order of summation does not depend on
// n.
template <std::size_t n>
TRUSTSQL_INLINE void dot_row(const float* row, const float* probes, std::size_t size, float* results) {
  std::array<Lanes, n> sums{};
  std::size_t i = 0;
  for (; i + lanes <= size; i += lanes) {
    Lanes r;
    load(r, row + i);
    for (std::size_t p = 0; p < n; ++p) {
      Lanes q;
      load(q, probes + p * size + i);
      sums[p] += r * q;
    }
  }
  for (std::size_t p = 0; p < n; ++p) {
    float total = sum(sums[p]);
    for (std::size_t j = i; j < size; ++j) total += row[j] * probes[p * size + j];
    results[p] = total;
  }
}

// A tile of rows stays in the L1 cache while all probes are applied to it, four at a time.
TRUSTSQL_INLINE void dot_all_generic(const float* rows, std::size_t row_count, const float* probes,
                                     std::size_t probe_count, std::size_t size, float* results) {
  constexpr std::size_t tile = 8;
  for (std::size_t begin = 0; begin < row_count; begin += tile) {
    const std::size_t end = std::min(row_count, begin + tile);
    std::size_t p = 0;
    for (; p + 4 <= probe_count; p += 4)
      for (std::size_t r = begin; r < end; ++r)
        dot_row<4>(rows + r * size, probes + p * size, size, results + r * probe_count + p);
    for (; p < probe_count; ++p)
      for (std::size_t r = begin; r < end; ++r)
        dot_row<1>(rows + r * size, probes + p * size, size, results + r * probe_count + p);
  }
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) void dot_all_avx2(const float* rows, std::size_t row_count, const float* probes,
                                                  std::size_t probe_count, std::size_t size, float* results) {
  dot_all_generic(rows, row_count, probes, probe_count, size, results);
}
#endif

}  // namespace

float dot(std::span<const float> a, std::span<const float> b) {
  float result = 0;
  dot_row<1>(a.data(), b.data(), a.size(), &result);
  return result;
}

void add_scaled(std::span<float> sum, std::span<const float> vector, float factor) {
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += factor * vector[i];
}

void normalise(std::span<float> vector) {
  const float length = std::sqrt(dot(vector, vector));
  if (length <= 0) return;
  for (float& x : vector) x /= length;
}

void dot_all(std::span<const float> rows, std::span<const float> probes, std::size_t size, std::span<float> results) {
  if (size == 0 || probes.empty()) return;
  const std::size_t row_count = rows.size() / size;
  const std::size_t probe_count = probes.size() / size;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) {
    dot_all_avx2(rows.data(), row_count, probes.data(), probe_count, size, results.data());
    return;
  }
#endif
  dot_all_generic(rows.data(), row_count, probes.data(), probe_count, size, results.data());
}

}  // namespace trustsql::link
