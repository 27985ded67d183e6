// Fitting: a whole model from question-query pairs on several databases: the steps' weights, the ranking, the
// confidence.
//
// The ranking and the confidence are learned from candidates for databases that the steps' weights were not trained on:
// the databases are dealt into folds, and each fold's candidates come from a model of the others. So the confidence
// holds for databases like these that nobody has seen.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "db/sandbox/sandbox.hpp"
#include "semparse/model/parser_model.hpp"
#include "semparse/training/training.hpp"

namespace trustsql::semparse {

struct LabelledQuestion {
  std::size_t database = 0;  // index in the list of databases
  std::string question{};
  std::string sql{};
};

struct FittingOptions {
  TrainingOptions training{.epochs = 3};
  std::size_t folds = 5;
  std::size_t threads = 2;
  int ranking_epochs = 6;
  std::uint64_t seed = 17;
  // Called with what was finished, from any of the threads, one call at a time.
  std::function<void(std::string_view)> progress{};
};

// What the model would have answered to a question of a database that it was not trained on.
struct HeldOutAnswer {
  std::size_t database = 0;
  std::size_t question = 0;  // that it answers, or that the infeasible question was made from
  std::string kind{};        // "feasible", "other database", "surface", "unrelated"
  double confidence = 0;
  bool has_objections = false;  // so that it is given at no threshold (objections.hpp)
  bool right = false;           // the first reading returns what the query returns; false for an infeasible question
  bool ranked_first = false;    // right before the candidates were ranked again
  bool reachable = false;       // one of the candidates is right
  UnifiedInput unified{};       // of the first reading
};

struct Fit {
  ParserModel model{};
  std::vector<HeldOutAnswer> held_out{};
};

// Stores in `model` what `held_out` says about answers: the calibration, and the fits of the unified approaches if
// there are enough right answers for them.
void calibrate(ParserModel& model, const std::vector<HeldOutAnswer>& held_out);

// Databases and pairs that cannot be read are left out. The result depends on nothing but the arguments. Errors:
// interrupted, out_of_memory, and invalid_argument if there are fewer databases than folds.
Result<Fit> fit_model(const std::vector<std::shared_ptr<SandboxSource>>& databases,
                      const std::vector<LabelledQuestion>& questions, const FittingOptions& options = {});

}  // namespace trustsql::semparse
