#include "score/reliability/wrong_answers.hpp"

#include <gtest/gtest.h>

namespace trustsql {
namespace {

std::vector<std::string> taken(const std::vector<std::uint32_t>& systems, std::size_t each, std::size_t most) {
  WrongAnswers answers(each);
  for (std::size_t i = 0; i < systems.size(); ++i)
    answers.add(std::to_string(systems[i]), {systems[i], ReliabilityCase::III, {.id = std::to_string(i)}, {}});
  std::vector<std::string> ids;
  for (const auto& answer : std::move(answers).take(most)) ids.push_back(*answer.texts.id);
  return ids;
}

using Ids = std::vector<std::string>;

TEST(WrongAnswers, KeepsTheFirstOfEachSystem) {
  EXPECT_EQ(taken({0, 0, 1, 0, 1}, 2, 100), (Ids{"0", "1", "2", "4"}));
  EXPECT_EQ(taken({0, 0, 1}, 0, 100), Ids{});
}

TEST(WrongAnswers, SharesWhatIsAllowedInAll) {
  EXPECT_EQ(taken({0, 0, 0, 1, 1, 1}, 3, 4), (Ids{"0", "1", "3", "4"}));
  EXPECT_EQ(taken({0, 0, 0, 1, 1, 1}, 3, 5), (Ids{"0", "1", "3", "4"}));
  EXPECT_EQ(taken({0, 1, 2, 0}, 3, 2), (Ids{"0", "1"}));
}

}  // namespace
}  // namespace trustsql
