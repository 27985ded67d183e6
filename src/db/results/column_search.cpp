#include "db/results/column_search.hpp"

#include <algorithm>
#include <numeric>

namespace trustsql {

namespace {

constexpr std::int64_t cells_per_step = 1024;

using Colours = std::vector<std::uint64_t>;

// The cells of one side as hashes, column by column.
class HashMatrix {
 public:
  explicit HashMatrix(const ColumnSide& side)
      : rows_(side.result.row_count()), hashes_(rows_ * side.columns.size()), row_colours_(rows_) {
    for (std::size_t r = 0; r < rows_; ++r)
      for (std::size_t j = 0; j < side.columns.size(); ++j)
        hashes_[j * rows_ + r] = hash(side.result.at(r, side.columns[j]));
  }

  // One round of refinement: a column's new colour combines its old one with the bag of its values, each paired with
  // the colour of its row (the bag of the row's values with their columns' old colours). Sums of mixed hashes represent
  // bags.
  void refine(Colours& colours) {
    std::fill(row_colours_.begin(), row_colours_.end(), std::uint64_t{0});
    for (std::size_t j = 0; j < colours.size(); ++j) {
      const std::uint64_t* column = &hashes_[j * rows_];
      for (std::size_t r = 0; r < rows_; ++r) row_colours_[r] += mix64(column[r] ^ colours[j]);
    }
    for (std::size_t j = 0; j < colours.size(); ++j) {
      const std::uint64_t* column = &hashes_[j * rows_];
      std::uint64_t bag = 0;
      for (std::size_t r = 0; r < rows_; ++r) bag += mix64(row_colours_[r] ^ (column[r] * 0x9e3779b97f4a7c15ULL));
      colours[j] = mix64(colours[j] ^ mix64(bag));
    }
  }

 private:
  std::size_t rows_;
  std::vector<std::uint64_t> hashes_;
  std::vector<std::uint64_t> row_colours_;
};

// The indices of `colours` sorted by colour, so that columns of one colour are adjacent.
std::vector<std::size_t> by_colour(const Colours& colours) {
  std::vector<std::size_t> order(colours.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t x, std::size_t y) { return std::pair(colours[x], x) < std::pair(colours[y], y); });
  return order;
}

bool same_bag(const Colours& x, const Colours& y) {
  Colours sorted_x = x;
  Colours sorted_y = y;
  std::sort(sorted_x.begin(), sorted_x.end());
  std::sort(sorted_y.begin(), sorted_y.end());
  return sorted_x == sorted_y;
}

std::size_t distinct_count(const Colours& colours) {
  Colours sorted = colours;
  std::sort(sorted.begin(), sorted.end());
  return static_cast<std::size_t>(std::unique(sorted.begin(), sorted.end()) - sorted.begin());
}

class Search {
 public:
  Search(const ColumnSide& a, const ColumnSide& b, std::int64_t max_steps,
         const std::function<bool(std::span<const std::size_t>)>& accept)
      : a_(a),
        b_(b),
        cells_(static_cast<std::int64_t>(2 * a.result.row_count() * a.columns.size())),
        max_steps_(max_steps),
        accept_(accept) {}

  // Whether some assignment that keeps these colours is accepted.
  Result<bool> run(Colours a, Colours b) {
    TRUSTSQL_ASSIGN_OR_RETURN(const bool possible, refine(a, b));
    if (!possible) return false;
    const auto order_a = by_colour(a);
    const auto order_b = by_colour(b);

    // Take the smallest class with more than one column: its first column of `a` must be assigned to one of its columns
    // of `b`.
    std::size_t target = 0;
    std::size_t target_size = 0;
    for (std::size_t begin = 0; begin < order_a.size();) {
      std::size_t end = begin + 1;
      while (end < order_a.size() && a[order_a[end]] == a[order_a[begin]]) ++end;
      if (end - begin > 1 && (target_size == 0 || end - begin < target_size)) {
        target = begin;
        target_size = end - begin;
      }
      begin = end;
    }
    if (target_size == 0) {
      std::vector<std::size_t> assignment(order_a.size());
      for (std::size_t k = 0; k < order_a.size(); ++k) assignment[order_a[k]] = order_b[k];
      return accept_(assignment);
    }
    const std::size_t chosen = order_a[target];
    const std::uint64_t fresh = mix64(a[chosen] + 1);
    for (std::size_t k = target; k < target + target_size; ++k) {
      TRUSTSQL_RETURN_IF_ERROR(spend(1));
      Colours next_a = a;
      Colours next_b = b;
      next_a[chosen] = fresh;
      next_b[order_b[k]] = fresh;
      TRUSTSQL_ASSIGN_OR_RETURN(const bool accepted, run(std::move(next_a), std::move(next_b)));
      if (accepted) return true;
    }
    return false;
  }

 private:
  Status spend(std::int64_t steps) {
    steps_ += steps;
    if (steps_ <= max_steps_) return ok_status();
    return limit_exceeded("the results are too symmetrical to be compared within " + std::to_string(max_steps_) +
                          " steps; the setting match_max_steps allows more");
  }

  // Refines both sides until their classes are stable (a round that splits no class of columns splits none of rows
  // either, since rows are coloured by columns). False if the sides then differ: no assignment keeps these colours.
  Result<bool> refine(Colours& a, Colours& b) {
    for (std::size_t classes = distinct_count(a); classes < a.size();) {
      TRUSTSQL_RETURN_IF_ERROR(spend(1 + cells_ / cells_per_step));
      a_.refine(a);
      b_.refine(b);
      if (!same_bag(a, b)) return false;
      const std::size_t refined = distinct_count(a);
      if (refined == classes) break;
      classes = refined;
    }
    return true;
  }

  HashMatrix a_;
  HashMatrix b_;
  std::int64_t cells_;
  std::int64_t max_steps_;
  std::int64_t steps_ = 0;
  const std::function<bool(std::span<const std::size_t>)>& accept_;
};

}  // namespace

Result<bool> search_assignment(ColumnSide a, ColumnSide b, std::int64_t max_steps,
                               const std::function<bool(std::span<const std::size_t>)>& accept) {
  Search search(a, b, max_steps, accept);
  return search.run(std::move(a.colours), std::move(b.colours));
}

}  // namespace trustsql
