#include "plan/plan.hpp"

#include <algorithm>
#include <cstring>

namespace trustsql::plan {

TextPool& TextPool::operator=(const TextPool& other) {
  if (this != &other) {
    blocks_ = other.blocks_;
    free_ = nullptr;  // the rest of the last block belongs to `other`
    left_ = 0;
  }
  return *this;
}

std::string_view TextPool::keep(std::string_view text) {
  if (text.empty()) return {};
  if (text.size() > left_) {
    constexpr std::size_t block_size = 512;
    const std::size_t size = std::max(block_size, text.size());
    blocks_.push_back(std::make_shared_for_overwrite<char[]>(size));
    free_ = blocks_.back().get();
    left_ = size;
  }
  char* const kept = free_;
  std::memcpy(kept, text.data(), text.size());
  free_ += text.size();
  left_ -= text.size();
  return {kept, text.size()};
}

}  // namespace trustsql::plan
