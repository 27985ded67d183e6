#include "semparse/abstention/calibration.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "semparse/abstention/unified.hpp"
#include "semparse/model/model_file.hpp"
#include "semparse/training/fitting.hpp"

namespace trustsql::semparse {
namespace {

// Rows of `databases` databases with `size` questions each: an answer of confidence p is right with probability p.
std::vector<CalibrationRow> honest_rows(std::uint32_t databases, int size, std::uint64_t seed) {
  std::vector<CalibrationRow> rows;
  Random random(seed);
  for (std::uint32_t database = 0; database < databases; ++database)
    for (int i = 0; i < size; ++i) {
      const double confidence = random.uniform();
      rows.push_back({static_cast<float>(confidence), database, true, random.uniform() < confidence});
    }
  return rows;
}

double share_wrong(const std::vector<CalibrationRow>& rows, double threshold) {
  double answers = 0;
  double wrong = 0;
  for (const auto& row : rows) {
    if (static_cast<double>(row.confidence) < threshold) continue;
    ++answers;
    wrong += row.right ? 0 : 1;
  }
  return answers == 0 ? 0 : wrong / answers;
}

TEST(CalibrationTest, TheRiskIsKept) {
  int kept = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto threshold = Calibration(honest_rows(60, 60, seed)).risk_threshold(0.1);
    ASSERT_TRUE(threshold);
    // Of answers above t, a share of (1 - t) / 2 is wrong.
    EXPECT_LT(*threshold, 0.95);
    kept += share_wrong(honest_rows(200, 100, seed + 1000), *threshold) <= 0.1 ? 1 : 0;
  }
  EXPECT_GE(kept, 17);
}

TEST(CalibrationTest, AStricterRiskHasAHigherThreshold) {
  const Calibration calibration(honest_rows(100, 100, 5));
  const auto strict = calibration.risk_threshold(0.05);
  const auto loose = calibration.risk_threshold(0.2);
  ASSERT_TRUE(strict && loose);
  EXPECT_GT(*strict, *loose);
}

TEST(CalibrationTest, TooFewAnswersGuaranteeNothing) {
  EXPECT_FALSE(Calibration().risk_threshold(0.1));
  EXPECT_FALSE(Calibration().penalty_threshold(Penalty::of(10)));
  std::vector<CalibrationRow> right;
  for (std::uint32_t i = 0; i < 20; ++i) right.push_back({0.9F, i, true, true});
  EXPECT_FALSE(Calibration(right).risk_threshold(0.02));
  EXPECT_TRUE(Calibration(right).penalty_threshold(Penalty::of(10)));
}

// A hundred answers in each of ten databases, of which one has all the errors, count as few answers.
TEST(CalibrationTest, ErrorsOfOneDatabaseCountTogether) {
  std::vector<CalibrationRow> spread;
  std::vector<CalibrationRow> together;
  for (std::uint32_t database = 0; database < 10; ++database)
    for (int i = 0; i < 100; ++i) {
      spread.push_back({0.9F, database, true, i % 50 != 0});
      together.push_back({0.9F, database, true, database != 0 || i >= 20});
    }
  EXPECT_TRUE(Calibration(spread).risk_threshold(0.1));
  EXPECT_FALSE(Calibration(together).risk_threshold(0.1));
}

TEST(CalibrationTest, PenaltyWeighsErrors) {
  std::vector<CalibrationRow> rows;
  for (int i = 0; i < 10; ++i) rows.push_back({0.9F, 0, true, true});
  for (int i = 0; i < 10; ++i) rows.push_back({0.5F, 0, true, i != 0});
  rows.push_back({0.4F, 0, false, false});
  const Calibration calibration(rows);
  EXPECT_NEAR(*calibration.penalty_threshold(Penalty::of(1)), 0.5, 1e-6);
  EXPECT_NEAR(*calibration.penalty_threshold(Penalty::of(10)), 0.9, 1e-6);
  EXPECT_NEAR(*calibration.penalty_threshold(Penalty::n()), 0.9, 1e-6);
}

TEST(CalibrationTest, TravelsInBytes) {
  std::vector<CalibrationRow> rows = {{1, 3, true, true}, {0.5F, 7, false, false}, {0, 3, true, false}};
  const auto bytes = write_calibration(Calibration(rows));
  const auto read = read_calibration(bytes);
  ASSERT_TRUE(read.ok());
  ASSERT_EQ(read->rows().size(), 3U);
  EXPECT_EQ(read->rows().front(), rows.front());
  EXPECT_NEAR(read->rows()[1].confidence, 0.5, 1e-4);
  EXPECT_FALSE(read->rows()[1].feasible);
  EXPECT_FALSE(read_calibration(bytes + "x").ok());
  for (std::size_t length = 1; length < bytes.size(); ++length)
    EXPECT_FALSE(read_calibration(std::string_view(bytes).substr(0, length)).ok()) << length;
}

std::vector<UnifiedExample> examples() {
  std::vector<UnifiedExample> list;
  Random random(3);
  for (int i = 0; i < 200; ++i) {
    UnifiedExample example;
    example.right = i % 2 == 0;
    example.feasible = i % 4 != 1;
    const float best = static_cast<float>(example.right ? 0.7 + 0.3 * random.uniform() : 0.3 + 0.3 * random.uniform());
    example.input.probabilities = {best, 1 - best};
    for (int k = 0; k < 4; ++k)
      example.input.features.push_back(static_cast<float>(random.uniform() + (example.right ? 0 : 4)));
    list.push_back(std::move(example));
  }
  return list;
}

TEST(Unified, ScoresTellRightFromWrong) {
  const auto fits = fit_unified(examples());
  ASSERT_TRUE(fits.ok()) << fits.error().message;
  for (std::size_t i = 0; i < unified_scores; ++i) {
    const auto score = static_cast<UnifiedScore>(i);
    ASSERT_TRUE(fits->thresholds[i]) << unified_name(score);
    int mistakes = 0;
    double last = -1;
    double last_share = -1;
    for (const auto& example : examples()) {
      const auto confidence = unified_confidence(score, example.input, &*fits);
      ASSERT_TRUE(confidence.ok() && *confidence);
      mistakes += (**confidence >= *fits->thresholds[i]) != example.right ? 1 : 0;
      const double share = unified_share(score, **confidence);
      EXPECT_TRUE(share >= 0 && share <= 1);
      if (last_share >= 0 && **confidence > last) {
        EXPECT_GE(share, last_share);
      }
      last = **confidence;
      last_share = share;
    }
    EXPECT_LT(mistakes, 20) << unified_name(score);
  }
}

TEST(Unified, TravelsInBytes) {
  const auto fits = fit_unified(examples());
  ASSERT_TRUE(fits.ok());
  const auto bytes = write_unified(*fits);
  const auto read = read_unified(bytes);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->right, fits->right);
  EXPECT_EQ(read->thresholds, fits->thresholds);
  for (std::size_t length = 0; length < bytes.size(); length += 31)
    EXPECT_FALSE(read_unified(std::string_view(bytes).substr(0, length)).ok());
  EXPECT_FALSE(read_unified(bytes + "x").ok());
}

TEST(Unified, NeedsFits) {
  EXPECT_FALSE(fit_unified({}).ok());
  const UnifiedInput input{{0.5F, 0.5F}, {1, 2}};
  EXPECT_TRUE(unified_confidence(UnifiedScore::max_entropy, input, nullptr).ok());
  EXPECT_FALSE(unified_confidence(UnifiedScore::feature_distance, input, nullptr).ok());
  EXPECT_FALSE(*unified_confidence(UnifiedScore::max_probability, {}, nullptr));
}

// A model with these parts, and one without, are both read.
TEST(Unified, IsPartOfTheModel) {
  constexpr std::size_t size = 64;
  ParserModel model;
  model.weights = model.ranking = LinearModel(size);
  model.weights.weights()[1] = 1;
  std::vector<HeldOutAnswer> answers;
  for (const auto& example : examples())
    answers.push_back({.database = answers.size() % 5,
                       .kind = example.feasible ? "feasible" : "surface",
                       .confidence = example.right ? 0.9 : 0.2,
                       .right = example.right,
                       .unified = example.input});
  const auto old = read_model(write_model(model, size));
  ASSERT_TRUE(old.ok());
  EXPECT_FALSE(old->calibration || old->unified);
  calibrate(model, answers);
  const auto bytes = write_model(model, size);
  const auto read = read_model(bytes);
  ASSERT_TRUE(read.ok()) << read.error().message;
  ASSERT_TRUE(read->calibration && read->unified);
  EXPECT_EQ(read->calibration->rows().size(), answers.size());
  EXPECT_FALSE(read_model(bytes + "x").ok());
  EXPECT_FALSE(read_model(std::string_view(bytes).substr(0, bytes.size() - 1)).ok());
}

}  // namespace
}  // namespace trustsql::semparse
