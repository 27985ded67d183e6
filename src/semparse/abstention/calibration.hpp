// Calibration: how sure the parser was of what it would have answered for databases that it was not trained on, and
// whether that was right. Thresholds with a guarantee are chosen from it.
//
//   risk      the share of wrong answers among those given is at most `risk`, with probability 1 - delta: Learn then
//             Test (Angelopoulos et al. 2021) with fixed sequences of thresholds
//   penalty   RS(c) is largest (TrustSQL, Eq. 1)
//
// Errors cluster by database, so the databases are what is exchangeable: the numbers of answers are divided by the
// design effect 1 + (m - 1) rho (Kish 1965), where m is the mean number of answers of an answer's database and rho the
// correlation of errors within a database. The guarantee is for databases like those of the calibration, with
// infeasible questions in the same share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "score/reliability/reliability.hpp"

namespace trustsql::semparse {

struct CalibrationRow {
  float confidence = 0;        // 0..1
  std::uint32_t database = 0;  // a number for each database
  bool feasible = true;        // whether the question can be answered
  bool right = false;          // whether the answer was; false for an infeasible question

  friend bool operator==(const CalibrationRow&, const CalibrationRow&) = default;
};

class Calibration {
 public:
  Calibration() = default;
  // Rows whose confidence is no number count as confidence 0.
  explicit Calibration(std::vector<CalibrationRow> rows);

  // By descending confidence.
  const std::vector<CalibrationRow>& rows() const { return rows_; }

  // The lowest threshold from which on answers are wrong in a share of at most `risk`, with probability 1 - delta;
  // nullopt if no threshold guarantees that: then nothing may be answered. Preconditions: 0 < risk < 1, 0 < delta < 1.
  std::optional<double> risk_threshold(double risk, double delta = default_delta) const;

  // The threshold with the largest RS(c); nullopt if that is to answer nothing.
  std::optional<double> penalty_threshold(Penalty penalty) const;

  static constexpr double default_delta = 0.1;

 private:
  std::vector<CalibrationRow> rows_;
};

// Three bytes a row and a few for each database; confidences are rounded to 1/65535. Rows are as a set: their order is
// not kept.
std::string write_calibration(const Calibration& calibration);
// Error (invalid_argument): damaged.
Result<Calibration> read_calibration(std::string_view bytes);

}  // namespace trustsql::semparse
