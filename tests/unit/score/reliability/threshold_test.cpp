#include "score/reliability/threshold.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string_view>

#include "score/reliability/risk_curve.hpp"

namespace trustsql {
namespace {

using enum ReliabilityCase;

// Confidences fall by 0.1 from 1.0; '+' a right answer, '-' a wrong one, 'x' an answer to an infeasible question.
ConfidenceRanking ranking_of(std::string_view marks) {
  std::vector<ConfidentCase> samples;
  double confidence = 1.0;
  for (const char mark : marks) {
    samples.push_back({confidence, mark == '+' ? I : mark == '-' ? III : IV});
    confidence -= 0.1;
  }
  return ConfidenceRanking::create(samples).value();
}

std::optional<double> kept_down_to(int answers) { return 1.0 - 0.1 * (answers - 1); }

void expect_threshold(const std::optional<Number>& actual, const std::optional<double>& expected) {
  ASSERT_EQ(actual.has_value(), expected.has_value());
  if (actual) {
    EXPECT_NEAR(actual->real(), *expected, 1e-12);
  }
}

TEST(ConfidenceRanking, EquallyConfidentAnswersAreOneStep) {
  const auto ranking = ConfidenceRanking::create(std::vector<ConfidentCase>{{0.5, I},
                                                                            {0.9, I},
                                                                            {0.5, III},
                                                                            {std::nullopt, II},
                                                                            {0.99, V},
                                                                            {-HUGE_VAL, IV},
                                                                            {std::nullopt, V},
                                                                            {0.5, IV}})
                           .value();
  ASSERT_EQ(ranking.steps().size(), 3U);
  EXPECT_EQ(ranking.steps()[0].kept, (CaseCounts{{1, 0, 0, 0, 0}}));
  EXPECT_EQ(ranking.steps()[1].kept, (CaseCounts{{2, 0, 1, 1, 0}}));
  EXPECT_EQ(ranking.steps()[2].kept, (CaseCounts{{2, 0, 1, 2, 0}}));
  EXPECT_EQ(ranking.all(), (CaseCounts{{2, 1, 1, 2, 2}}));
  EXPECT_EQ(ranking.counts_keeping({}), ranking.all().abstain_all());
  EXPECT_EQ(ranking.counts_keeping(ranking.steps()[1].kept), (CaseCounts{{2, 1, 1, 1, 3}}));
}

TEST(ConfidenceRanking, AnAnswerNeedsAConfidence) {
  EXPECT_FALSE(ConfidenceRanking::create(std::vector<ConfidentCase>{{std::nullopt, I}}).ok());
  EXPECT_FALSE(ConfidenceRanking::create(std::vector<ConfidentCase>{{std::nan(""), IV}}).ok());
  EXPECT_TRUE(ConfidenceRanking::create(std::vector<ConfidentCase>{{std::nullopt, II}, {std::nan(""), V}}).ok());
}

TEST(HeuristicThreshold, IsAtTheFirstGlobalMaximum) {
  expect_threshold(heuristic_threshold(ranking_of("+++-++--")), kept_down_to(6));
  expect_threshold(heuristic_threshold(ranking_of("+++-+--")),
                   kept_down_to(3));  // 3 again after 5, the earliest counts
  expect_threshold(heuristic_threshold(ranking_of("-++")), kept_down_to(3));
  expect_threshold(heuristic_threshold(ranking_of("+-x")), kept_down_to(1));
  expect_threshold(heuristic_threshold(ranking_of("-+")), std::nullopt);  // 0 at best, which abstaining has too
  expect_threshold(heuristic_threshold(ranking_of("")), std::nullopt);
}

TEST(HeuristicThreshold, TiesAreTakenAsAWhole) {
  const auto ranking =
      ConfidenceRanking::create(std::vector<ConfidentCase>{{0.9, I}, {0.8, I}, {0.8, III}, {0.8, IV}, {0.7, I}})
          .value();
  EXPECT_EQ(heuristic_threshold(ranking), 0.9);  // never 0.8 after its first answer
}

TEST(RsThreshold, WeighsWrongAnswersWithThePenalty) {
  const auto ranking = ranking_of("++-+++++x+");
  expect_threshold(rs_threshold(ranking, Penalty::of(0)),
                   kept_down_to(8));  // the last answer would only make up for the abstention lost at 'x'
  expect_threshold(rs_threshold(ranking, Penalty::of(4)), kept_down_to(8));  // five right ones after the wrong one
  expect_threshold(rs_threshold(ranking, Penalty::of(5)), kept_down_to(2));  // equal then: the first
  expect_threshold(rs_threshold(ranking, Penalty::n()), kept_down_to(2));
  expect_threshold(rs_threshold(ranking_of("-+"), Penalty::of(0)), kept_down_to(2));
  expect_threshold(rs_threshold(ranking_of("-+"), Penalty::of(1)), std::nullopt);
}

TEST(RsThreshold, EqualsTheBestOfAllThresholds) {
  std::mt19937 random(3);
  for (int round = 0; round < 300; ++round) {
    std::vector<ConfidentCase> samples(1 + random() % 25);
    for (auto& sample : samples) sample = {static_cast<double>(random() % 10), all_reliability_cases[random() % 5]};
    const auto ranking = ConfidenceRanking::create(samples).value();
    for (const auto c : {Penalty::of(0), Penalty::of(1.5), Penalty::n()}) {
      const auto rs_at = [&](std::optional<Number> threshold) {
        CaseCounts counts;
        for (const auto& s : samples) {
          const bool kept = is_answered(s.reliability_case) && threshold && *s.confidence >= *threshold;
          ++counts[kept ? s.reliability_case : is_feasible(s.reliability_case) ? II : V];
        }
        return *reliability_score(counts, c);
      };
      const auto chosen = rs_threshold(ranking, c);
      for (int t = 0; t < 10; ++t) {
        ASSERT_LE(rs_at(t), rs_at(chosen));
        if (chosen && t > *chosen) {
          ASSERT_LT(rs_at(t), rs_at(chosen));  // of equal ones the first
        }
      }
      if (chosen) {
        ASSERT_LT(rs_at(std::nullopt), rs_at(chosen));
      }
    }
  }
}

TEST(SelectiveRiskThreshold, AnswersAllWhereNothingIsWrongAndNothingWhereTooLittleIsKnown) {
  std::vector<ConfidentCase> samples;
  for (int i = 0; i < 200; ++i) samples.push_back({i * 0.01, I});
  EXPECT_EQ(selective_risk_threshold(ConfidenceRanking::create(samples).value(), 0.05, 0.05), -HUGE_VAL);
  samples.resize(58);  // 0.95^58 > 0.05
  EXPECT_EQ(selective_risk_threshold(ConfidenceRanking::create(samples).value(), 0.05, 0.05), std::nullopt);
  EXPECT_EQ(selective_risk_threshold(ConfidenceRanking(), 0.05, 0.05), std::nullopt);
}

TEST(SelectiveRiskThreshold, LiesJustAboveTheFirstDroppedAnswer) {
  std::vector<ConfidentCase> samples;
  for (int i = 0; i < 200; ++i) samples.push_back({0.8, I});
  for (int i = 0; i < 200; ++i) samples.push_back({0.7, III});
  const auto threshold = selective_risk_threshold(ConfidenceRanking::create(samples).value(), 0.05, 0.05);
  ASSERT_TRUE(threshold);
  EXPECT_GT(*threshold, 0.7 + 1e-6);
  EXPECT_LE(*threshold, 0.71);
}

// A world with a known risk: the share of wrong answers at confidence x is wrong(x); the guarantee is counted over many
// draws.
struct World {
  double (*confidence)(double u);
  double (*wrong)(double confidence);
};

// How often the true risk of the chosen threshold exceeds alpha in `rounds` draws of `n` samples; the risk is that of
// 2^17 even quantiles.
double violation_rate(const World& world, int n, int rounds, double alpha, double delta, double* mean_coverage) {
  constexpr int grid = 1 << 17;
  std::vector<std::pair<double, double>> population(grid);
  for (int i = 0; i < grid; ++i) {
    const double x = world.confidence((i + 0.5) / grid);
    population[static_cast<std::size_t>(i)] = {x, world.wrong(x)};
  }
  std::sort(population.begin(), population.end(), std::greater<>());
  std::vector<double> sums(1, 0.0);
  for (const auto& [x, w] : population) sums.push_back(sums.back() + w);
  std::mt19937_64 random(20240511);
  const auto uniform = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
  int violations = 0;
  *mean_coverage = 0;
  for (int round = 0; round < rounds; ++round) {
    std::vector<ConfidentCase> samples;
    for (int i = 0; i < n; ++i) {
      const double x = world.confidence(uniform());
      samples.push_back({x, uniform() < world.wrong(x) ? (i % 2 ? III : IV) : I});
    }
    const auto threshold = selective_risk_threshold(ConfidenceRanking::create(samples).value(), alpha, delta);
    if (!threshold) continue;
    const auto kept =
        static_cast<std::size_t>(std::partition_point(population.begin(), population.end(),
                                                      [&](const auto& p) { return p.first >= *threshold; }) -
                                 population.begin());
    *mean_coverage += static_cast<double>(kept) / grid / rounds;
    if (kept > 0 && sums[kept] / static_cast<double>(kept) > alpha) ++violations;
  }
  return static_cast<double>(violations) / rounds;
}

TEST(SelectiveRiskThreshold, TheGuaranteeHoldsInSimulation) {
  const World worlds[] = {
      {[](double u) { return u; }, [](double x) { return 0.4 * (1 - x); }},         // a good confidence
      {[](double u) { return u; }, [](double) { return 0.101; }},                   // a useless one, just above alpha
      {[](double u) { return u; }, [](double x) { return x > 0.9 ? 0.2 : 0.07; }},  // worst at the top
      {[](double u) { return u; },
       [](double x) { return 0.1 + 0.09 * std::sin(40 * x); }},  // not monotone, crosses alpha often
      {[](double u) { return std::floor(u * 6) / 5; },
       [](double x) { return 0.25 * (1 - x) * (1 - x); }},  // votes of five: heavy ties
      {[](double u) { return std::floor(u * 6) / 5; }, [](double x) { return x > 0.3 ? 0.1001 : 0.05; }},
  };
  for (const double delta : {0.05, 0.2}) {
    for (const auto& world : worlds) {
      double mean_coverage = 0;
      const int rounds = 400;
      const double rate = violation_rate(world, 500, rounds, 0.1, delta, &mean_coverage);
      // Three standard errors above delta would still be compatible with the guarantee; the union bound stays well
      // below.
      EXPECT_LE(rate, delta + 3 * std::sqrt(delta * (1 - delta) / rounds)) << &world - worlds;
    }
    // The guarantee must not be met by abstaining: in the first world, answering half of the questions meets alpha
    // exactly.
    double mean_coverage = 0;
    violation_rate(worlds[0], 2000, 50, 0.1, delta, &mean_coverage);
    EXPECT_GT(mean_coverage, 0.3);
  }
}

TEST(RiskCurve, HandMadeValues) {
  const auto ranking = ConfidenceRanking::create(
                           std::vector<ConfidentCase>{{0.9, I}, {0.8, III}, {0.8, I}, {0.1, IV}, {std::nullopt, V}})
                           .value();
  const auto curve = risk_curve(ranking);
  ASSERT_EQ(curve.size(), 4U);
  EXPECT_FALSE(curve[0].confidence);
  EXPECT_EQ(curve[0].rs_n, 40);
  EXPECT_EQ(curve[0].coverage, 0);
  EXPECT_FALSE(curve[0].selective_risk);
  EXPECT_EQ(curve[1].cumulative, 1);
  EXPECT_EQ(curve[1].coverage, 20);
  EXPECT_EQ(curve[1].selective_risk, 0);
  EXPECT_EQ(curve[1].rs_10, 60);
  EXPECT_EQ(curve[2].answers, 3);
  EXPECT_EQ(curve[2].cumulative, 1);
  EXPECT_EQ(curve[2].selective_risk, 100.0 / 3);
  EXPECT_EQ(curve[2].rs_0, 80);
  EXPECT_EQ(curve[2].rs_n, 100.0 * (4 - 5) / 5);
  EXPECT_EQ(curve[3].cumulative, 0);
  EXPECT_EQ(curve[3].rs_10, 100.0 * (3 - 20) / 5);
  EXPECT_TRUE(risk_curve(ConfidenceRanking()).empty());
}

}  // namespace
}  // namespace trustsql
