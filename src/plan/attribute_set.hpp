// Attributes: the columns of a plan, and sets of them.
//
// Every column that an operator of a plan produces anew (a column of one use of a table, a computed column, a group
// key) has an AttributeId that is unique in the plan. Operators that only pass a column on keep its id. So an
// expression means the same wherever its attributes are visible, and can be moved up and down the tree unchanged.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace trustsql::plan {

using AttributeId = std::uint32_t;

// A set of attributes: a bit for each id, the first 64 without allocation.
class AttributeSet {
 public:
  AttributeSet() = default;
  AttributeSet(std::initializer_list<AttributeId> ids) {
    for (const auto id : ids) add(id);
  }
  template <class Range>
  static AttributeSet of(const Range& ids) {
    AttributeSet set;
    for (const auto id : ids) set.add(id);
    return set;
  }

  void add(AttributeId id) { word(id / 64) |= bit(id); }
  void remove(AttributeId id) {
    if (id / 64 <= more_.size()) word(id / 64) &= ~bit(id);
  }
  bool contains(AttributeId id) const { return (word_or_zero(id / 64) & bit(id)) != 0; }
  bool empty() const { return first_ == 0 && more_empty(); }
  std::size_t size() const {
    auto count = static_cast<std::size_t>(std::popcount(first_));
    for (const auto w : more_) count += static_cast<std::size_t>(std::popcount(w));
    return count;
  }

  AttributeSet& operator|=(const AttributeSet& other) {
    first_ |= other.first_;
    if (more_.size() < other.more_.size()) more_.resize(other.more_.size(), 0);
    for (std::size_t i = 0; i < other.more_.size(); ++i) more_[i] |= other.more_[i];
    return *this;
  }
  AttributeSet& operator&=(const AttributeSet& other) {
    first_ &= other.first_;
    for (std::size_t i = 0; i < more_.size(); ++i) more_[i] &= other.word_or_zero(i + 1);
    return *this;
  }
  AttributeSet& operator-=(const AttributeSet& other) {
    first_ &= ~other.first_;
    for (std::size_t i = 0; i < more_.size(); ++i) more_[i] &= ~other.word_or_zero(i + 1);
    return *this;
  }
  friend AttributeSet operator|(AttributeSet a, const AttributeSet& b) { return a |= b; }
  friend AttributeSet operator&(AttributeSet a, const AttributeSet& b) { return a &= b; }
  friend AttributeSet operator-(AttributeSet a, const AttributeSet& b) { return a -= b; }

  bool is_subset_of(const AttributeSet& other) const {
    if ((first_ & ~other.first_) != 0) return false;
    for (std::size_t i = 0; i < more_.size(); ++i) {
      if ((more_[i] & ~other.word_or_zero(i + 1)) != 0) return false;
    }
    return true;
  }
  bool intersects(const AttributeSet& other) const {
    if ((first_ & other.first_) != 0) return true;
    for (std::size_t i = 0; i < more_.size(); ++i) {
      if ((more_[i] & other.word_or_zero(i + 1)) != 0) return true;
    }
    return false;
  }
  friend bool operator==(const AttributeSet& a, const AttributeSet& b) {
    return a.is_subset_of(b) && b.is_subset_of(a);
  }

  // Calls `visit(id)` for each member, in ascending order.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::size_t i = 0; i <= more_.size(); ++i) {
      for (auto rest = word_or_zero(i); rest != 0; rest &= rest - 1) {
        visit(static_cast<AttributeId>(i * 64 + static_cast<std::size_t>(std::countr_zero(rest))));
      }
    }
  }
  std::vector<AttributeId> to_vector() const {
    std::vector<AttributeId> ids;
    for_each([&](AttributeId id) { ids.push_back(id); });
    return ids;
  }

 private:
  static std::uint64_t bit(AttributeId id) { return std::uint64_t{1} << (id % 64); }
  std::uint64_t& word(std::size_t i) {
    if (i == 0) return first_;
    if (more_.size() < i) more_.resize(i, 0);
    return more_[i - 1];
  }
  std::uint64_t word_or_zero(std::size_t i) const { return i == 0 ? first_ : i <= more_.size() ? more_[i - 1] : 0; }
  bool more_empty() const {
    for (const auto w : more_) {
      if (w != 0) return false;
    }
    return true;
  }

  std::uint64_t first_ = 0;
  std::vector<std::uint64_t> more_;  // ids from 64 on
};

}  // namespace trustsql::plan
