#include "link/recall.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace trustsql::link {
namespace {

using Names = std::vector<std::string>;

TEST(ElementRecall, IsTheShareOfGoldThatWasRetrieved) {
  EXPECT_EQ(element_recall(Names{"t.a", "t.b"}, Names{"t.b", "t.c"}), 0.5);
  EXPECT_EQ(element_recall(Names{"t.a"}, Names{}), 0.0);
  EXPECT_EQ(element_recall(Names{"t.a", "t.b"}, Names{"t.c", "t.b", "t.a"}), 1.0);
}

TEST(ElementRecall, CountsANameOnceWhateverItsCaseAndSpace) {
  EXPECT_EQ(element_recall(Names{"t.A"}, Names{" T.a "}), 1.0);
  EXPECT_EQ(element_recall(Names{"t.a", "T.a", "t.b"}, Names{"t.a"}), 0.5);
}

TEST(ElementRecall, OfNothingIsNothing) { EXPECT_EQ(element_recall(Names{}, Names{"t.a"}), std::nullopt); }

}  // namespace
}  // namespace trustsql::link
