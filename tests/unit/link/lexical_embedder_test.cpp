#include "link/lexical_embedder.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.hpp"
#include "link/lexicon/lexicon.hpp"
#include "link/vector_math.hpp"
#include "link/vector_store.hpp"

namespace trustsql::link {
namespace {

Vector vector_of(const LexicalEmbedder& embedder, const std::string& text) {
  return embedder.embed(std::span(&text, 1)).front();
}

float cosine(const std::string& a, const std::string& b) {
  const LexicalEmbedder embedder;
  return dot(vector_of(embedder, a), vector_of(embedder, b));
}

TEST(LexicalEmbedder, ReadsTheBeginningOfALongText) {
  const LexicalEmbedder embedder;
  const std::string word(64 << 10, 'x');
  EXPECT_EQ(vector_of(embedder, word + " price"), vector_of(embedder, word));
  EXPECT_NE(vector_of(embedder, "price " + word), vector_of(embedder, word));
}

TEST(VectorMath, DotAllIsDotOfEachPair) {
  Random random(7);
  // Sizes that are not multiples of lanes, tiles and groups of probes.
  for (const std::size_t size : {1U, 7U, 8U, 33U, 512U}) {
    for (const std::size_t probe_count : {1U, 3U, 4U, 9U}) {
      const std::size_t row_count = 19;
      const auto fill = [&](std::size_t count) {
        std::vector<float> values(count);
        for (float& x : values) x = static_cast<float>(random.uniform()) - 0.5F;
        return values;
      };
      const auto rows = fill(row_count * size);
      const auto probes = fill(probe_count * size);
      std::vector<float> results(row_count * probe_count);
      dot_all(rows, probes, size, results);
      for (std::size_t r = 0; r < row_count; ++r) {
        for (std::size_t p = 0; p < probe_count; ++p) {
          double expected = 0;
          for (std::size_t i = 0; i < size; ++i)
            expected += static_cast<double>(rows[r * size + i]) * static_cast<double>(probes[p * size + i]);
          EXPECT_NEAR(results[r * probe_count + p], expected, 1e-4);
          EXPECT_EQ(results[r * probe_count + p],
                    dot(std::span(rows).subspan(r * size, size), std::span(probes).subspan(p * size, size)));
        }
      }
    }
  }
  std::vector<float> none;
  dot_all(none, none, 0, none);
}

TEST(LexicalEmbedder, UnitLengthOrZeros) {
  const LexicalEmbedder embedder;
  for (const std::string text :
       {"singer", "the of", "How many singers are French?", "a1", "\xff\xfe", "t.c", "x.y.z.w"}) {
    const auto vector = vector_of(embedder, text);
    ASSERT_EQ(vector.size(), WordVectors::dimensions);
    EXPECT_NEAR(dot(vector, vector), 1, 1e-4) << text;
  }
  for (const std::string text : {"", "   ", "?!", "..."}) {
    const auto vector = vector_of(embedder, text);
    EXPECT_EQ(dot(vector, vector), 0) << text;
  }
}

TEST(LexicalEmbedder, SpellingStylesOfANameAreEqual) {
  EXPECT_NEAR(cosine("race_id", "raceId"), 1, 1e-5);
  EXPECT_NEAR(cosine("Race ID", "race_id"), 1, 1e-5);
  EXPECT_GT(cosine("results", "result"), 0.9F);
}

TEST(LexicalEmbedder, WhatIsAlikeIsNearer) {
  EXPECT_GT(cosine("superhero", "hero"), cosine("superhero", "invoice") + 0.05F);
  EXPECT_GT(cosine("dob", "birthday"), cosine("dob", "salary") + 0.1F);
  EXPECT_GT(cosine("lat", "latitude"), 0.5F);
  EXPECT_GT(cosine("url", "website"), cosine("url", "height") + 0.1F);
  if (lexicon::is_empty()) GTEST_SKIP() << "built without WordNet";
  EXPECT_GT(cosine("doctor", "physician"), cosine("doctor", "bridge") + 0.1F);
  EXPECT_GT(cosine("old", "age"), cosine("old", "street") + 0.1F);
  EXPECT_GT(cosine("zip code", "postcode"), cosine("zip code", "nurse") + 0.1F);
}

TEST(LexicalEmbedder, TheColumnOfAQualifiedNameCountsMost) {
  EXPECT_GT(cosine("singer.age", "person.age"), cosine("singer.age", "singer.country"));
  // A name that repeats its table's is not about the table twice.
  EXPECT_NEAR(cosine("school.school", "school"), 1, 1e-4);
}

TEST(LexicalEmbedder, ContextPullsTowardsIt) {
  const LexicalEmbedder embedder;
  const std::string name = "t.name";
  const auto alone = vector_of(embedder, name);
  const auto race = embedder.embed_in_context("Which race had the most laps?", std::span(&name, 1), 0.6F)[0];
  const auto target = vector_of(embedder, "race.name");
  EXPECT_GT(dot(race, target), dot(alone, target));
  EXPECT_NEAR(dot(race, race), 1, 1e-4);
  EXPECT_NEAR(dot(embedder.embed_in_context("", std::span(&name, 1), 0.6F)[0], alone), 1, 1e-4);
}

TEST(LexicalEmbedder, TheInterfaceGivesTheSame) {
  LexicalEmbedder embedder;
  Embedder& base = embedder;
  const std::vector<std::string> texts = {"a singer", "singer.age"};
  const auto vectors = base.embed(texts, {});
  ASSERT_TRUE(vectors.ok());
  EXPECT_EQ(*vectors, std::as_const(embedder).embed(texts));
  const auto in_context = base.embed_in_context("Who sings?", texts, 0.6F, {});
  ASSERT_TRUE(in_context.ok());
  EXPECT_EQ(*in_context, std::as_const(embedder).embed_in_context("Who sings?", texts, 0.6F));
}

// What an embedder without word vectors does: a weighted sum.
TEST(Embedder, ContextByWeightedSum) {
  class Fixed final : public Embedder {
   public:
    std::string name() const override { return "fixed"; }
    std::size_t dimensions() const override { return 2; }
    Result<std::vector<Vector>> embed(std::span<const std::string> texts, const llm::RequestContext&) override {
      std::vector<Vector> vectors;
      for (const auto& text : texts) vectors.push_back(text == "question" ? Vector{0, 1} : Vector{1, 0});
      return vectors;
    }
  };
  Fixed fixed;
  const std::string text = "t.c";
  const auto vectors = fixed.embed_in_context("question", std::span(&text, 1), 0.75F, {});
  ASSERT_TRUE(vectors.ok());
  ASSERT_EQ(vectors->size(), 1U);
  EXPECT_NEAR((*vectors)[0][0], 0.8, 1e-6);
  EXPECT_NEAR((*vectors)[0][1], 0.6, 1e-6);
}

TEST(VectorStore, BytesAreLittleEndianFloats) {
  EXPECT_EQ(vector_to_bytes(Vector{1.0F}), std::string("\x00\x00\x80\x3f", 4));
  const Vector vector = {0.5F, -2.25F, 1e-30F};
  EXPECT_EQ(vector_from_bytes(vector_to_bytes(vector)), vector);
  EXPECT_EQ(vector_from_bytes("abc"), std::nullopt);
  EXPECT_EQ(vector_from_bytes(""), Vector());
}

}  // namespace
}  // namespace trustsql::link
