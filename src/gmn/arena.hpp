// Arena: memory for the numbers of one pass through the network, given back all at once and used again by the next.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

namespace trustsql::gmn {

class Arena {
 public:
  // `count` numbers, not initialised, valid until reset().
  float* allocate(std::size_t count) {
    count = (count + alignment - 1) / alignment * alignment;
    while (current_ < chunks_.size() && chunks_[current_].size - used_ < count) {
      ++current_;
      used_ = 0;
    }
    if (current_ == chunks_.size()) {
      const auto size = std::max(count, chunk_size);
      chunks_.push_back({std::make_unique_for_overwrite<float[]>(size), size});
    }
    float* result = chunks_[current_].numbers.get() + used_;
    used_ += count;
    return result;
  }
  float* allocate_zeros(std::size_t count) {
    float* result = allocate(count);
    std::fill_n(result, count, 0.0F);
    return result;
  }

  // Forgets all allocations and keeps the memory.
  void reset() {
    current_ = 0;
    used_ = 0;
  }

 private:
  static constexpr std::size_t alignment = 4;            // numbers: 16 bytes, as vector instructions want them
  static constexpr std::size_t chunk_size = 256 * 1024;  // numbers

  struct Chunk {
    std::unique_ptr<float[]> numbers;
    std::size_t size;
  };
  std::vector<Chunk> chunks_;
  std::size_t current_ = 0;  // chunk
  std::size_t used_ = 0;     // numbers of it
};

}  // namespace trustsql::gmn
