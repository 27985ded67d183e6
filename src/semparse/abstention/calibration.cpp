#include "semparse/abstention/calibration.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "score/reliability/threshold.hpp"
#include "score/statistics/binomial.hpp"
#include "semparse/learning/model_bytes.hpp"

namespace trustsql::semparse {

namespace {

constexpr std::uint32_t steps_of_confidence = 65535;

// Sequences of thresholds begin where so many answers are given, as a multiple of what no wrong answer would need, and
// at twice as many each; each is tested at its share of delta, so that an unlucky beginning does not end everything.
constexpr double first_beginning = 1.2;
constexpr double growth = 1.05;  // of the number of answers from one threshold to the next

// The answers above a threshold, by database.
class AnswerCounts {
 public:
  void add(const CalibrationRow& row) {
    auto& [answers, wrong] = by_database_[row.database];
    ++answers;
    ++answers_;
    if (!row.right) {
      ++wrong;
      ++wrong_;
    }
  }

  // The probability of at most that many wrong answers if a share `risk` of them is wrong.
  double p_value(double risk) const {
    const double effect = design_effect();
    const auto answers = static_cast<std::int64_t>(std::floor(answers_ / effect));
    const auto wrong = static_cast<std::int64_t>(std::ceil(wrong_ / effect));
    return binomial_cdf(wrong, answers, risk);
  }

 private:
  // 1 + (m - 1) rho, where rho is the intraclass correlation by analysis of variance.
  double design_effect() const {
    const auto groups = static_cast<double>(by_database_.size());
    if (groups < 2 || answers_ <= groups) return std::max(1.0, answers_ / std::max(1.0, groups));
    const double mean = wrong_ / answers_;
    double squares = 0;
    double between = 0;
    double within = 0;
    for (const auto& [database, count] : by_database_) {
      const auto& [n, w] = count;
      const double share = w / n;
      squares += n * n;
      between += n * (share - mean) * (share - mean);
      within += n * share * (1 - share);
    }
    const double size = (answers_ - squares / answers_) / (groups - 1);  // of a group, for unequal groups
    const double msb = between / (groups - 1);
    const double msw = within / (answers_ - groups);
    const double denominator = msb + (size - 1) * msw;
    const double rho = denominator > 0 ? std::clamp((msb - msw) / denominator, 0.0, 1.0) : 0;
    return 1 + (squares / answers_ - 1) * rho;
  }

  std::map<std::uint32_t, std::pair<double, double>> by_database_{};
  double answers_ = 0;
  double wrong_ = 0;
};

}  // namespace

Calibration::Calibration(std::vector<CalibrationRow> rows) : rows_(std::move(rows)) {
  for (auto& row : rows_)
    row.confidence = std::isfinite(row.confidence) ? std::clamp(row.confidence, 0.0F, 1.0F) : 0.0F;
  const auto before = [](const CalibrationRow& a, const CalibrationRow& b) {
    if (a.confidence != b.confidence) return a.confidence > b.confidence;
    if (a.database != b.database) return a.database < b.database;
    return std::pair(a.feasible, a.right) < std::pair(b.feasible, b.right);
  };
  // Those of a model file are in this order already.
  if (!std::is_sorted(rows_.begin(), rows_.end(), before)) std::stable_sort(rows_.begin(), rows_.end(), before);
}

std::optional<double> Calibration::risk_threshold(double risk, double delta) const {
  const double least = std::log(delta) / std::log1p(-risk);
  std::vector<std::size_t> beginnings;
  for (double answers = first_beginning * least; answers < static_cast<double>(rows_.size()); answers *= 2)
    beginnings.push_back(static_cast<std::size_t>(std::ceil(answers)));
  const double level = delta / static_cast<double>(beginnings.size());
  std::optional<double> best;
  for (auto next : beginnings) {
    AnswerCounts counts;
    for (std::size_t i = 0; i < rows_.size();) {
      // Equal confidences stand or fall together.
      const float confidence = rows_[i].confidence;
      for (; i < rows_.size() && rows_[i].confidence == confidence; ++i) counts.add(rows_[i]);
      if (i < next) continue;
      if (counts.p_value(risk) > level) break;
      best = std::min(best.value_or(1), static_cast<double>(confidence));
      next = std::max(i + 1, static_cast<std::size_t>(static_cast<double>(i) * growth));
    }
  }
  return best;
}

std::optional<double> Calibration::penalty_threshold(Penalty penalty) const {
  std::vector<ConfidentCase> cases;
  cases.reserve(rows_.size());
  for (const auto& row : rows_)
    cases.push_back({Number(static_cast<double>(row.confidence)), !row.feasible ? ReliabilityCase::IV
                                                                  : row.right   ? ReliabilityCase::I
                                                                                : ReliabilityCase::III});
  const auto ranking = ConfidenceRanking::create(cases);
  if (!ranking.ok()) return std::nullopt;
  const auto threshold = rs_threshold(*ranking, penalty);
  return threshold ? std::optional(threshold->real()) : std::nullopt;
}

std::string write_calibration(const Calibration& calibration) {
  std::map<std::uint32_t, std::vector<const CalibrationRow*>> by_database;
  for (const auto& row : calibration.rows()) by_database[row.database].push_back(&row);
  PartWriter out;
  out.varint(by_database.size());
  for (const auto& [database, rows] : by_database) {
    out.varint(database);
    out.varint(rows.size());
    for (const auto* row : rows) {
      const auto step = static_cast<std::uint32_t>(std::lround(row->confidence * steps_of_confidence));
      out.byte(static_cast<std::uint8_t>(step & 0xff));
      out.byte(static_cast<std::uint8_t>(step >> 8));
      out.byte(static_cast<std::uint8_t>((row->feasible ? 1 : 0) + (row->right ? 2 : 0)));
    }
  }
  return out.take();
}

Result<Calibration> read_calibration(std::string_view bytes) {
  PartReader in(bytes);
  std::vector<CalibrationRow> rows;
  const auto databases = in.count(2);
  for (std::size_t i = 0; i < databases && in.ok(); ++i) {
    const auto database = in.varint();
    const auto count = in.count(3);
    if (database > UINT32_MAX) return invalid_argument("the calibration is damaged");
    for (std::size_t k = 0; k < count && in.ok(); ++k) {
      const std::uint32_t low = in.byte();
      const std::uint32_t step = low + (std::uint32_t{in.byte()} << 8);
      const auto flags = in.byte();
      rows.push_back({static_cast<float>(step) / steps_of_confidence, static_cast<std::uint32_t>(database),
                      (flags & 1) != 0, (flags & 2) != 0});
    }
  }
  if (!in.at_end()) return invalid_argument("the calibration is damaged");
  return Calibration(std::move(rows));
}

}  // namespace trustsql::semparse
