// Adapting: a model that goes on learning from questions of a user's own, about any number of databases, with questions
// among them that cannot be answered.
//
//   - The choice among the best candidates and the confidence go on from those of the model that is adapted: trees are
//     added to theirs, if that makes them better on questions that were left out.
//   - The classifier of questions (TrustSQL's CLS_M) and the error detector (ERROR_M) are learned anew.
//   - The calibration, from which thresholds follow, is of the user's questions.
//
// Everything is judged by cross-fitting. What is left out together are the questions of one database, if there are
// enough databases, and otherwise the questions whose queries have one form: a new question of the user's need not have
// a form that was seen. The weights of single steps and of candidates, the vocabulary and the query forms stay as they
// are: a few hundred questions about one database would teach these its content.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "db/sandbox/sandbox.hpp"
#include "semparse/model/parser_model.hpp"

namespace trustsql::semparse {

struct UserQuestion {
  std::size_t database = 0;  // index in the list of databases
  std::string question{};
  std::optional<std::string> sql{};      // none: it cannot be answered
  std::optional<std::string> written{};  // what another system answered; none: nothing, or it was not asked
};

struct AdaptingOptions {
  static constexpr std::size_t default_folds = 5;
  static constexpr std::uint64_t default_seed = 17;

  std::size_t folds = default_folds;
  std::size_t threads = 1;
  std::uint64_t seed = default_seed;
  std::size_t min_feasible = 20;
  std::size_t min_infeasible = 10;
  ResolveOptions dialect{};
  std::optional<std::chrono::steady_clock::time_point> deadline{};
  // Whether to stop; called from any thread.
  std::function<bool()> stop{};
  // Called with what was finished, in the caller's thread.
  std::function<void(std::string_view)> progress{};
};

// A question that training cannot use, and why.
struct UnusedQuestion {
  std::size_t number = 0;  // index in the list of questions
  std::string reason{};
};

// What became of a question when it was left out.
struct LeftOutAnswer {
  std::size_t number = 0;  // index in the list of questions
  bool feasible = false;
  double confidence_before = 0;  // of the parser, with the model that is adapted
  bool right_before = false;
  double confidence = 0;  // of the parser, with the adapted model
  bool right = false;
  double answerable = 0;  // by the classifier
  bool detected = false;  // whether there is an answer that the detector judged
  double correct = 0;     // by the detector, of the answer of the other system, if there are such, else of the parser
  bool answer_right = false;  // whether that one is right
};

struct Adaptation {
  ParserModel model{};
  std::size_t feasible = 0;  // questions that were used
  std::size_t infeasible = 0;
  std::size_t folds = 0;
  bool by_database = false;      // whether databases were left out, or else forms of queries
  bool detects_written = false;  // whether the detector learned from answers of another system
  bool adapted_choice = false;
  bool adapted_confidence = false;
  std::vector<UnusedQuestion> unused{};
  std::vector<LeftOutAnswer> left_out{};
};

// Adapts `start`. The result depends on the databases, the questions, the seed and `start` alone, not on the number of
// threads. Errors: invalid_argument (fewer questions of a kind than are needed, or all of one form), limit_exceeded
// (the deadline), interrupted, out_of_memory, what keeps a database from being read.
Result<Adaptation> adapt_model(const std::shared_ptr<const ParserModel>& start,
                               const std::vector<std::shared_ptr<SandboxSource>>& databases,
                               const std::vector<UserQuestion>& questions, const AdaptingOptions& options = {});

}  // namespace trustsql::semparse
