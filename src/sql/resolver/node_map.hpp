// A map from the addresses of syntax nodes to the results for them.
#pragma once

#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

namespace trustsql::resolver {

// It uses open addressing: a query has a few dozen nodes, and half of the resolver's time is spent filling and reading
// such maps. References to values are valid until the next insertion.
template <class T>
class NodeMap {
 public:
  // The value of `node`, created if there is none.
  T& operator[](const void* node) {
    if (4 * (size_ + 1) > 3 * slots_.size()) grow();
    Slot& slot = slots_[place(node)];
    if (slot.node == nullptr) {
      slot.node = node;
      ++size_;
    }
    return slot.value;
  }

  // nullptr if `node` has no value.
  const T* find(const void* node) const {
    if (size_ == 0) return nullptr;
    const Slot& slot = slots_[place(node)];
    return slot.node == nullptr ? nullptr : &slot.value;
  }
  T* find(const void* node) { return const_cast<T*>(std::as_const(*this).find(node)); }

 private:
  struct Slot {
    const void* node = nullptr;
    T value{};
  };

  // The slot of `node`, or the empty slot where it would go.
  std::size_t place(const void* node) const {
    const std::size_t mask = slots_.size() - 1;
    // Fibonacci hashing: addresses differ in their middle bits.
    const auto address = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(node));
    std::size_t i = static_cast<std::size_t>((address * 0x9E3779B97F4A7C15U) >> 32) & mask;
    while (slots_[i].node != nullptr && slots_[i].node != node) i = (i + 1) & mask;
    return i;
  }

  void grow() {
    std::vector<Slot> old(slots_.empty() ? 16 : 2 * slots_.size());
    old.swap(slots_);
    for (Slot& slot : old) {
      if (slot.node != nullptr) slots_[place(slot.node)] = std::move(slot);
    }
  }

  std::vector<Slot> slots_;  // their number is a power of two or 0
  std::size_t size_ = 0;
};

}  // namespace trustsql::resolver
