// WrongAnswers: the texts of the first wrong answers of each system, for a report that shows them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.hpp"
#include "score/execution/trustsql_text.hpp"
#include "score/reliability/reliability_case.hpp"

namespace trustsql {

// What a source says of a question and of a system's answer to it; nullopt: its column is missing, or NULL.
struct AnswerTexts {
  std::optional<std::string> id = {};
  std::optional<std::string> question = {};
  std::optional<std::string> gold = {};
  std::optional<std::string> prediction = {};
  std::optional<std::string> database = {};    // the file; nullopt: the host's database
  std::optional<std::string> error_kind = {};  // the source's own
};

struct WrongAnswer {
  std::uint32_t system = 0;  // its number in the OutcomeTable
  ReliabilityCase reliability_case = ReliabilityCase::III;
  AnswerTexts texts;
  std::optional<Error> failure;  // why SQLite rejected or stopped the prediction, if it did
  bool was_run = false;          // the queries were run to judge the answer; false: the source says its case
};

class WrongAnswers {
 public:
  // Keeps up to `most` wrong answers of each system.
  explicit WrongAnswers(std::size_t most) : most_(most) {}

  // Whether a wrong answer of a system would be kept.
  bool wants(const std::string& system) const;
  // Keeps a wrong answer, unless `most` of its system are kept already. Precondition: its case is harmful.
  void add(const std::string& system, WrongAnswer answer);

  // The answers, in the order of the source: at most `most` in all if there are fewer systems than that, an equal share
  // for each; otherwise one for each of the first `most` systems.
  std::vector<WrongAnswer> take(std::size_t most) &&;

 private:
  std::size_t most_;
  std::unordered_map<std::string, std::size_t> kept_;  // by system
  std::vector<WrongAnswer> answers_;
};

}  // namespace trustsql
