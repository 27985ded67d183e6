#include "score/reliability/wrong_answers.hpp"

#include <algorithm>

namespace trustsql {

bool WrongAnswers::wants(const std::string& system) const {
  const auto kept = kept_.find(system);
  return (kept == kept_.end() ? 0 : kept->second) < most_;
}

void WrongAnswers::add(const std::string& system, WrongAnswer answer) {
  if (!wants(system)) return;
  ++kept_[system];
  answers_.push_back(std::move(answer));
}

std::vector<WrongAnswer> WrongAnswers::take(std::size_t most) && {
  const std::size_t share = std::max<std::size_t>(1, most / std::max<std::size_t>(1, kept_.size()));
  std::unordered_map<std::uint32_t, std::size_t> taken;
  std::vector<WrongAnswer> answers;
  for (auto& answer : answers_) {
    if (answers.size() == most) break;
    if (taken[answer.system]++ < share) answers.push_back(std::move(answer));
  }
  return answers;
}

}  // namespace trustsql
