#include "score/execution/prediction_text.hpp"

#include <gtest/gtest.h>

namespace trustsql {
namespace {

std::string cleaned(std::string_view text, const PredictionCleaning& steps) {
  return clean_prediction(text, steps).value_or("(abstention)");
}

TEST(PredictionText, NothingIsDoneUnlessAskedFor) {
  EXPECT_EQ(cleaned(" ```\n I  abstain ", {}), " ```\n I  abstain ");
}

TEST(PredictionText, FencedBlocksAreUnwrapped) {
  const PredictionCleaning fence{.fence = true};
  EXPECT_EQ(cleaned("Here you are:\n```sql\nSELECT 1\nFROM t\n```\nDone.", fence), "SELECT 1\nFROM t");
  EXPECT_EQ(cleaned("```\nSELECT 1\n```", fence), "SELECT 1");
  EXPECT_EQ(cleaned("```SELECT 1```", fence), "SELECT 1");
  EXPECT_EQ(cleaned("```SQL SELECT 1```", fence), "SELECT 1");
  EXPECT_EQ(cleaned("```SELECT\n1```", fence), "SELECT\n1");
  EXPECT_EQ(cleaned("```sqlite\nSELECT 1", fence), "SELECT 1");
  EXPECT_EQ(cleaned("```sql\nSELECT 1\n``` or ```sql\nSELECT 2\n```", fence), "SELECT 1");
  EXPECT_EQ(cleaned("SELECT 1", fence), "SELECT 1");
  EXPECT_EQ(cleaned("```", fence), "");
}

TEST(PredictionText, QuotesAreUnified) {
  const PredictionCleaning quotes{.quotes = true};
  EXPECT_EQ(cleaned(R"(SELECT a FROM t WHERE b = "it's" AND c = "x""y" AND d = '"' AND `e` = 1)", quotes),
            R"(SELECT a FROM t WHERE b = 'it''s' AND c = 'x"y' AND d = '"' AND `e` = 1)");
}

TEST(PredictionText, SpaceIsFoldedOutsideOfQuotes) {
  const PredictionCleaning space{.space = true};
  EXPECT_EQ(cleaned("  SELECT\n\ta -- why\n , 'b  c' /* d */ FROM t  ", space), "SELECT a , 'b  c' FROM t");
  EXPECT_EQ(cleaned("SELECT a FROM t WHERE b = '  open", space), "SELECT a FROM t WHERE b = '  open");
}

TEST(PredictionText, TextsWithoutSelectAreAbstentions) {
  const PredictionCleaning abstain{.abstain = true};
  EXPECT_EQ(cleaned("null", abstain), "(abstention)");
  EXPECT_EQ(cleaned("", abstain), "(abstention)");
  EXPECT_EQ(cleaned("I can't tell; it was never selected", abstain), "(abstention)");
  EXPECT_EQ(cleaned("it's: select 1", abstain), "it's: select 1");
  EXPECT_EQ(cleaned("(SELECT)", abstain), "(SELECT)");
  // In a fenced block only the block counts.
  EXPECT_EQ(cleaned("I would select nothing:\n```\nnull\n```", {.fence = true, .abstain = true}), "(abstention)");
}

}  // namespace
}  // namespace trustsql
