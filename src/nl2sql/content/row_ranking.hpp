// RowRanking: from rows that come one by one, the most relevant ones and a sample of the others, in memory for those
// alone (DART-SQL, section 3.2).
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "base/random.hpp"
#include "base/value.hpp"
#include "db/results/result_set.hpp"

namespace trustsql::nl2sql {

class RowRanking {
 public:
  // Keeps the `best` most relevant rows, and `sampled` of the others, each of which has the same chance.
  RowRanking(std::size_t best, std::size_t sampled, const Random& random)
      : best_count_(best), sample_count_(sampled), random_(random) {}

  // Adds a row; of equally relevant ones, those that were added first are preferred.
  void add(float relevance, const ResultSet& rows, std::size_t row);

  // How many rows were added.
  std::size_t size() const { return added_; }

  // The kept rows: the most relevant ones, the best first, then the sample in the order in which its rows were added.
  // Ends the ranking.
  std::vector<std::vector<Value>> take();

 private:
  struct Row {
    float relevance = 0;
    std::size_t position = 0;
    std::vector<Value> values;
  };
  static bool is_better(const Row& a, const Row& b);
  // The place of the next of the other rows in the sample; nullopt: it is not taken.
  std::optional<std::size_t> place_in_sample();

  std::size_t best_count_;
  std::size_t sample_count_;
  Random random_;
  std::size_t added_ = 0;
  std::size_t others_ = 0;  // rows that are not among the best
  std::vector<Row> best_;   // a heap with the worst one on top
  std::vector<Row> sample_;
};

}  // namespace trustsql::nl2sql
