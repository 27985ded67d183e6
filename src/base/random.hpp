// Random numbers that are the same on every machine: a seed gives the same confidence intervals everywhere.
// (The distributions of <random> differ between standard libraries.)
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "base/value.hpp"

namespace trustsql {

// xoshiro256** (Blackman and Vigna 2018), its state filled by splitmix64 as they advise. Streams of one seed are
// independent.
class Random {
 public:
  explicit Random(std::uint64_t seed, std::uint64_t stream = 0) {
    std::uint64_t state = seed ^ mix64(stream);
    for (auto& word : state_) {
      word = mix64(state);
      state += 0x9e3779b97f4a7c15ULL;
    }
  }

  std::uint64_t next() {
    const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const std::uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  // Uniform in (0, 1): never 0, so that its logarithm is finite.
  double uniform() { return (static_cast<double>(next() >> 11) + 0.5) * 0x1p-53; }

  // Uniform in [0, bound), without bias. Precondition: bound > 0.
  std::uint64_t below(std::uint64_t bound) {
    const std::uint64_t excess = (0 - bound) % bound;  // 2^64 mod bound: the size of the last, partial cycle
    for (;;) {
      const std::uint64_t drawn = next();
      if (drawn >= excess) return drawn % bound;
    }
  }

  // X ~ Binomial(n, p), in constant expected time. Preconditions: n >= 0, 0 <= p <= 1.
  std::int64_t binomial(std::int64_t n, double p);

 private:
  std::array<std::uint64_t, 4> state_{};
};

}  // namespace trustsql
