#include "base/ranking_metrics.hpp"

#include <algorithm>
#include <cstdint>

namespace trustsql {

namespace {

struct TieGroup {
  std::int64_t positive = 0;
  std::int64_t negative = 0;
};

// Sorts `rows` by descending score and calls `visit` with the numbers of positive and negative rows of each distinct
// score.
template <class Visit>
void for_each_tie_group(std::vector<LabelledScore>& rows, Visit visit) {
  std::sort(rows.begin(), rows.end(), [](const LabelledScore& a, const LabelledScore& b) { return a.score > b.score; });
  for (std::size_t i = 0; i < rows.size();) {
    TieGroup group;
    const Number score = rows[i].score;
    for (; i < rows.size() && rows[i].score == score; ++i) ++(rows[i].positive ? group.positive : group.negative);
    visit(group);
  }
}

}  // namespace

std::optional<double> roc_auc(std::vector<LabelledScore>& rows) {
  std::int64_t positive = 0;
  std::int64_t negative = 0;
  std::int64_t doubled_wins = 0;  // 2 for each pair whose positive row ranks above the negative one, 1 for each tie
  for_each_tie_group(rows, [&](const TieGroup& group) {
    doubled_wins += group.negative * (2 * positive + group.positive);
    positive += group.positive;
    negative += group.negative;
  });
  if (positive == 0 || negative == 0) return std::nullopt;
  return static_cast<double>(doubled_wins) / 2 / (static_cast<double>(positive) * static_cast<double>(negative));
}

std::optional<double> aurc(std::vector<LabelledScore>& rows) {
  if (rows.empty()) return std::nullopt;
  double seen = 0;
  double wrong = 0;
  double sum = 0;
  for_each_tie_group(rows, [&](const TieGroup& group) {
    // In expectation over random orders of the group, its wrong rows are evenly spread.
    const auto size = static_cast<double>(group.positive + group.negative);
    const double share = static_cast<double>(group.negative) / size;
    for (double i = 1; i <= size; ++i) sum += (wrong + i * share) / (seen + i);
    seen += size;
    wrong += static_cast<double>(group.negative);
  });
  return sum / static_cast<double>(rows.size());
}

}  // namespace trustsql
