#include "base/edit_distance.hpp"

#include <gtest/gtest.h>

#include <string>

namespace trustsql {
namespace {

TEST(EditDistance, CountsEdits) {
  EXPECT_EQ(edit_distance("", "", 3), 0U);
  EXPECT_EQ(edit_distance("name", "NAME", 3), 0U);
  EXPECT_EQ(edit_distance("", "abc", 3), 3U);
  EXPECT_EQ(edit_distance("singerid", "singer_id", 3), 1U);
  EXPECT_EQ(edit_distance("nmae", "name", 3), 1U) << "neighbours exchanged";
  EXPECT_EQ(edit_distance("ca", "abc", 5), 3U) << "nothing is edited twice";
  EXPECT_EQ(edit_distance("kitten", "sitting", 5), 3U);
}

TEST(EditDistance, StopsAtTheLimit) {
  EXPECT_EQ(edit_distance("abc", "xyz", 2), 3U);
  EXPECT_EQ(edit_distance("abc", "xyz", 3), 3U);
  EXPECT_EQ(edit_distance("a", std::string(1'000'000, 'a'), 4), 5U);
  EXPECT_EQ(edit_distance("abcdefgh", "hgfedcba", 1), 2U);
}

}  // namespace
}  // namespace trustsql
