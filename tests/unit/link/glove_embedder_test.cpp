#include "link/glove_embedder.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "link/vector_math.hpp"
#include "unit/db/support.hpp"

namespace trustsql::link {
namespace {

Result<std::unique_ptr<GloveEmbedder>> open(const std::string& content) {
  const test::TempDir dir;
  const auto path = dir.file("vectors.txt");
  std::ofstream(path) << content;
  return GloveEmbedder::open(path);
}

TEST(GloveEmbedder, MeanOfWordVectors) {
  auto opened = open("red 1 0 0\ncar 0 2 0\ncar 9 9 9\nblue 0 0 -1.5\n");
  ASSERT_TRUE(opened.ok()) << opened.error().message;
  EXPECT_EQ((*opened)->dimensions(), 3U);
  EXPECT_EQ((*opened)->size(), 3U);
  const std::vector<std::string> texts = {"A Red, unknown car!", "red", "nothing", R"({"blue":"car"})"};
  const auto vectors = (*opened)->embed(texts, {});
  ASSERT_TRUE(vectors.ok());
  EXPECT_NEAR(vectors->at(0)[0], 1 / std::sqrt(5.0), 1e-6);
  EXPECT_NEAR(vectors->at(0)[1], 2 / std::sqrt(5.0), 1e-6);
  EXPECT_EQ(vectors->at(1), (Vector{1, 0, 0}));
  EXPECT_EQ(vectors->at(2), (Vector{0, 0, 0}));
  EXPECT_NEAR(dot(vectors->at(3), vectors->at(1)), 0, 1e-6);
}

TEST(GloveEmbedder, TakesAHeaderAndALastLineWithoutEnd) {
  auto opened = open("2 2\nred 1 0\ncar 0 1");
  ASSERT_TRUE(opened.ok());
  EXPECT_EQ((*opened)->size(), 2U);
  const std::vector<std::string> texts = {"car"};
  EXPECT_EQ((*opened)->embed(texts, {})->front(), (Vector{0, 1}));
}

TEST(GloveEmbedder, RefusesWhatIsNone) {
  EXPECT_FALSE(open("").ok());
  EXPECT_FALSE(open("\n\n").ok());
  EXPECT_FALSE(open("red 1 0\ncar 1\n").ok());
  EXPECT_FALSE(open("red\n").ok());
  EXPECT_FALSE(GloveEmbedder::open("/nowhere/vectors.txt").ok());
  EXPECT_FALSE(GloveEmbedder::open("/tmp").ok());
  auto odd = open("red 1 x\ncar 1 nan\n");
  ASSERT_TRUE(odd.ok());
  const std::vector<std::string> texts = {"red car"};
  EXPECT_EQ((*odd)->embed(texts, {})->front(), (Vector{0, 0})) << "a vector that cannot be read does not count";
}

}  // namespace
}  // namespace trustsql::link
