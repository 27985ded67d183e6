#include "nl2sql/content/row_ranking.hpp"

#include <algorithm>
#include <utility>

namespace trustsql::nl2sql {

bool RowRanking::is_better(const Row& a, const Row& b) {
  return a.relevance != b.relevance ? a.relevance > b.relevance : a.position < b.position;
}

void RowRanking::add(float relevance, const ResultSet& rows, std::size_t row) {
  Row added{.relevance = relevance, .position = added_++, .values = {}};
  const auto read = [&] {
    for (std::size_t column = 0; column < rows.column_count(); ++column)
      added.values.push_back(to_value(rows.at(row, column)));
  };
  if (best_.size() < best_count_) {
    read();
    best_.push_back(std::move(added));
    std::push_heap(best_.begin(), best_.end(), is_better);
    return;
  }
  const bool is_among_best = best_count_ > 0 && is_better(added, best_.front());
  if (is_among_best) {
    read();
    std::pop_heap(best_.begin(), best_.end(), is_better);
    std::swap(best_.back(), added);  // `added` is now the one that is no longer among the best
    std::push_heap(best_.begin(), best_.end(), is_better);
  }
  const auto place = place_in_sample();
  if (!place) return;
  if (!is_among_best) read();
  if (*place == sample_.size()) {
    sample_.push_back(std::move(added));
  } else {
    sample_[*place] = std::move(added);
  }
}

// Reservoir sampling: the n-th row replaces one of the sample with the probability sample_count_ / n.
std::optional<std::size_t> RowRanking::place_in_sample() {
  if (sample_count_ == 0) return std::nullopt;
  ++others_;
  if (sample_.size() < sample_count_) return sample_.size();
  const auto place = static_cast<std::size_t>(random_.below(others_));
  return place < sample_count_ ? std::optional(place) : std::nullopt;
}

std::vector<std::vector<Value>> RowRanking::take() {
  std::sort(best_.begin(), best_.end(), is_better);
  std::sort(sample_.begin(), sample_.end(), [](const Row& a, const Row& b) { return a.position < b.position; });
  std::vector<std::vector<Value>> rows;
  for (auto* kept : {&best_, &sample_}) {
    for (auto& row : *kept) rows.push_back(std::move(row.values));
    kept->clear();
  }
  return rows;
}

}  // namespace trustsql::nl2sql
