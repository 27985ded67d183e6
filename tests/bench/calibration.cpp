// Calibration: how often the guarantee of the setting nl2sql_risk holds on databases that it was not fitted on, and
// what the thresholds of nl2sql_penalty and of TrustSQL's unified approaches are.
//
//   trustsql_bench_calibration FILE     a model, as trustsql_bench_parser --train writes it; by default the shipped one
//
// The databases of the calibration are split in two at random, a thousand times: one half chooses the threshold, the
// other says what it is worth.
#include <cstdio>
#include <set>

#include "base/random.hpp"
#include "db/stores/files.hpp"
#include "semparse/model/model_file.hpp"
#include "semparse/parser.hpp"

namespace {

using namespace trustsql;
using namespace trustsql::semparse;

constexpr int splits = 1'000;

struct Halves {
  std::vector<CalibrationRow> chosen{};
  std::vector<CalibrationRow> judged{};
};

Halves split(const std::vector<CalibrationRow>& rows, Random& random) {
  std::set<std::uint32_t> databases;
  for (const auto& row : rows) databases.insert(row.database);
  std::vector<std::uint32_t> order(databases.begin(), databases.end());
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  const std::set<std::uint32_t> first(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(order.size() / 2));
  Halves halves;
  for (const auto& row : rows) (first.count(row.database) != 0 ? halves.chosen : halves.judged).push_back(row);
  return halves;
}

// At a threshold.
struct Worth {
  double answers = 0;
  double wrong = 0;
  double leaked = 0;  // of the wrong ones, those to infeasible questions
  double right = 0;
  double feasible = 0;
  double all = 0;
};

Worth worth_of(const std::vector<CalibrationRow>& rows, std::optional<double> threshold) {
  Worth worth;
  for (const auto& row : rows) {
    ++worth.all;
    worth.feasible += row.feasible ? 1 : 0;
    if (!threshold || static_cast<double>(row.confidence) < *threshold) continue;
    ++worth.answers;
    (row.right ? worth.right : worth.wrong) += 1;
    worth.leaked += row.feasible ? 0 : 1;
  }
  return worth;
}

double reliability(const Worth& worth, double penalty) {
  // An infeasible question earns 1 by silence; a wrong answer to one loses that, too.
  return 100 * (worth.right + worth.all - worth.feasible - worth.leaked - penalty * worth.wrong) / worth.all;
}

}  // namespace

int main(int argc, char** argv) {
  std::shared_ptr<const ParserModel> model = shipped_model();
  if (argc > 1) {
    constexpr std::size_t max_bytes = 64U << 20U;
    const auto bytes = read_file(argv[1], max_bytes);
    auto read = bytes.ok() ? read_model(*bytes) : Result<ParserModel>(bytes.error());
    if (!read.ok()) {
      std::fprintf(stderr, "%s: %s\n", argv[1], read.error().message.c_str());
      return 1;
    }
    model = std::make_shared<const ParserModel>(std::move(*read));
  }
  if (!model || !model->calibration) {
    std::fprintf(stderr, "the model has no calibration\n");
    return 1;
  }
  const auto& calibration = *model->calibration;
  const auto all = worth_of(calibration.rows(), 0);
  std::printf("%.0f questions, %.0f of them feasible\n\n", all.all, all.feasible);
  std::printf("| risk | threshold | answered of the feasible | wrong | kept on other databases | answered there |\n");
  std::printf("|---|---|---|---|---|---|\n");
  for (const double risk : {0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3}) {
    const auto threshold = calibration.risk_threshold(risk);
    const auto here = worth_of(calibration.rows(), threshold);
    Random random(29);
    double kept = 0;
    double coverage = 0;
    for (int i = 0; i < splits; ++i) {
      const auto halves = split(calibration.rows(), random);
      const auto there = worth_of(halves.judged, Calibration(halves.chosen).risk_threshold(risk));
      kept += there.wrong <= risk * there.answers ? 1 : 0;
      coverage += there.right / there.feasible;
    }
    std::printf("| %.2f | %s | %.1f%% | %.2f%% | %.1f%% of %d | %.1f%% |\n", risk,
                threshold ? std::to_string(*threshold).c_str() : "none", 100 * here.right / here.feasible,
                here.answers == 0 ? 0.0 : 100 * here.wrong / here.answers, 100 * kept / splits, splits,
                100 * coverage / splits);
  }
  std::printf(
      "\n| penalty | threshold | answered of the feasible | wrong | RS on other databases | abstaining gives |\n");
  std::printf("|---|---|---|---|---|---|\n");
  for (const double penalty : {1.0, 5.0, 10.0, 50.0}) {
    const auto threshold = calibration.penalty_threshold(Penalty::of(penalty));
    const auto here = worth_of(calibration.rows(), threshold);
    Random random(31);
    double score = 0;
    double silent = 0;
    for (int i = 0; i < splits / 10; ++i) {
      const auto halves = split(calibration.rows(), random);
      const auto chosen = Calibration(halves.chosen).penalty_threshold(Penalty::of(penalty));
      score += reliability(worth_of(halves.judged, chosen), penalty);
      silent += reliability(worth_of(halves.judged, std::nullopt), penalty);
    }
    std::printf("| %.0f | %s | %.1f%% | %.2f%% | %.2f | %.2f |\n", penalty,
                threshold ? std::to_string(*threshold).c_str() : "none", 100 * here.right / here.feasible,
                here.answers == 0 ? 0.0 : 100 * here.wrong / here.answers, score / (splits / 10.0),
                silent / (splits / 10.0));
  }
  if (!model->unified) return 0;
  std::printf("\n| score | threshold |\n|---|---|\n");
  for (std::size_t i = 0; i < unified_scores; ++i) {
    const auto& threshold = model->unified->thresholds[i];
    std::printf("| %s | %s |\n", std::string(unified_name(static_cast<UnifiedScore>(i))).c_str(),
                threshold ? std::to_string(*threshold).c_str() : "none");
  }
}
