// What all probes together say about columns.
#include "link/relevance.hpp"

#include <gtest/gtest.h>

#include "link/name_index.hpp"

namespace trustsql::link {
namespace {

std::vector<float> scores_of(const ElementSet& elements, const std::vector<float>& cosines, std::size_t probes,
                             const std::vector<std::string>& columns) {
  return relevance({elements, NameIndex(elements), cosines, probes, columns});
}

TEST(Relevance, TheDatabaseThatCoversAllProbesGains) {
  ElementSet elements;
  elements.add({"a", "t", "x"});
  elements.add({"a", "t", "y"});
  elements.add({"b", "t", "x"});
  elements.add({"b", "t", "z"});
  // Both databases have the first probe; only `a` has the second. The third number is the question's.
  const std::vector<float> cosines = {0.8F, 0.1F, 0.2F, 0.1F, 0.8F, 0.2F, 0.8F, 0.1F, 0.2F, 0.1F, 0.1F, 0.2F};
  const auto scores = scores_of(elements, cosines, 2, {"x", "y"});
  EXPECT_GT(scores[0], scores[2]);
  EXPECT_GT(scores[1], scores[3]);
}

TEST(Relevance, KeysThatJoinNeededTablesGain) {
  ElementSet elements;
  const auto name = elements.add({"", "singer", "name"});
  const auto id = elements.add({"", "singer", "number"});
  const auto theme = elements.add({"", "concert", "theme"});
  const auto singer = elements.add({"", "concert", "singer"});
  const auto other = elements.add({"", "concert", "stadium"});
  const auto stadium = elements.add({"", "stadium", "number"});
  elements.connect(id, singer);
  elements.connect(other, stadium);
  std::vector<float> cosines(elements.size() * 3, 0.1F);
  cosines[name * 3] = 0.9F;
  cosines[theme * 3 + 1] = 0.9F;
  const auto scores = scores_of(elements, cosines, 2, {"name", "theme"});
  EXPECT_GT(scores[singer], scores[other]);
  EXPECT_GT(scores[id], scores[stadium]);
  EXPECT_GT(scores[name], scores[stadium]);
}

TEST(Relevance, OfGraphs) {
  // a - b - c: b lies between two needed tables.
  ElementSet elements;
  elements.add({"", "a", "id"});
  elements.add({"", "a", "x"});
  elements.add({"", "b", "a"});
  elements.add({"", "b", "c"});
  elements.add({"", "c", "id"});
  elements.add({"", "c", "y"});
  elements.connect(0, 2);
  elements.connect(3, 4);
  const std::vector<float> scores = {-3, 4, -3, -3, -3, 4};
  const auto features = graph_features_of(elements, NameIndex(elements), scores);
  ASSERT_EQ(features.size(), 6U);
  constexpr std::size_t between = graph_features - 1;
  EXPECT_GT(features[2][between], features[0][between]);
  EXPECT_FLOAT_EQ(features[2][between], features[3][between]);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(features[i][0], scores[i]);
}

TEST(NameIndex, WordsAndGroups) {
  ElementSet elements;
  elements.add({"", "race", "raceId"});
  elements.add({"", "result", "race_id"});
  elements.add({"", "result", "points"});
  elements.add({"x", "result", "race_id"});
  const NameIndex names(elements);
  EXPECT_EQ(names.name_count(), 3U);
  EXPECT_EQ(names.name_of(1), names.name_of(3));
  ASSERT_EQ(names.group_count(), 3U);
  EXPECT_EQ(names.group(0), (std::vector<std::uint32_t>{0, 1}));
  const std::vector<std::string> texts = {"point", "id"};
  const auto shared = names.shared_words(texts);
  EXPECT_FLOAT_EQ(shared[names.name_of(2)], 1);
  EXPECT_GT(shared[names.name_of(0)], 0);
  EXPECT_LT(shared[names.name_of(0)], 1);
  const auto cosines = names.cosines(texts);
  EXPECT_GT(cosines[names.name_of(2) * 2], cosines[names.name_of(0) * 2]);
}

}  // namespace
}  // namespace trustsql::link
