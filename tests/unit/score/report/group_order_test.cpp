#include "score/report/group_order.hpp"

#include <gtest/gtest.h>

namespace trustsql {
namespace {

using Groups = std::vector<std::vector<Value>>;

// The first values of the groups in their order, as text.
std::vector<std::string> firsts(const Groups& groups) {
  std::vector<std::string> values;
  for (const auto number : sorted_groups(groups)) {
    const auto& value = groups[number].front();
    values.push_back(view(value).is_null() ? "NULL" : std::get<std::string>(value));
  }
  return values;
}

Groups one_column(const std::vector<std::string>& values) {
  Groups groups;
  for (const auto& value : values) groups.push_back({Value(value)});
  return groups;
}

TEST(GroupOrder, LevelsOfHardness) {
  EXPECT_EQ(firsts(one_column({"extra", "easy", "medium", "hard"})),
            (std::vector<std::string>{"easy", "medium", "hard", "extra"}));
  EXPECT_EQ(firsts(one_column({"Hard", "Extra Hard", "Easy"})),
            (std::vector<std::string>{"Easy", "Hard", "Extra Hard"}));
  EXPECT_EQ(firsts(one_column({"challenging", "moderate", "simple"})),
            (std::vector<std::string>{"simple", "moderate", "challenging"}));
}

TEST(GroupOrder, NullComesFirst) {
  Groups groups = one_column({"hard", "easy"});
  groups.push_back({Value()});
  EXPECT_EQ(firsts(groups), (std::vector<std::string>{"NULL", "easy", "hard"}));
}

TEST(GroupOrder, OtherValuesHaveTheOrderOfSqlite) {
  EXPECT_EQ(firsts(one_column({"medium", "easy", "hard", "unknown"})),
            (std::vector<std::string>{"easy", "hard", "medium", "unknown"}));
  EXPECT_EQ(firsts(one_column({"unseen", "seen"})), (std::vector<std::string>{"seen", "unseen"}));
  EXPECT_TRUE(sorted_groups({}).empty());
}

TEST(GroupOrder, EachColumnHasItsOwnOrder) {
  const Groups groups = {{Value(std::string("unseen")), Value(std::string("medium"))},
                         {Value(std::string("seen")), Value(std::string("hard"))},
                         {Value(std::string("seen")), Value(std::string("medium"))},
                         {Value(std::string("unseen")), Value(std::string("easy"))}};
  EXPECT_EQ(sorted_groups(groups), (std::vector<std::uint32_t>{2, 1, 3, 0}));
}

}  // namespace
}  // namespace trustsql
