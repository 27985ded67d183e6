#include "link/corpus_cache.hpp"

#include <gtest/gtest.h>

#include "db/sources/ddl_source.hpp"
#include "link/lexical_embedder.hpp"
#include "unit/db/support.hpp"

namespace trustsql::link {
namespace {

// Counts how often a store is opened: once for each corpus that is prepared.
class CorpusCacheTest : public testing::Test {
 protected:
  static std::shared_ptr<const Catalog> catalog() {
    auto source = open_ddl("CREATE TABLE t(a, b)", test::default_settings());
    EXPECT_TRUE(source.ok());
    return *(*source)->catalog();
  }
  static ElementSet elements(const std::string& column) {
    ElementSet set;
    set.add({"", "t", column});
    return set;
  }
  template <class Key>
  std::shared_ptr<const Corpus> get(Key&& key, const std::string& place = "") {
    const auto open = [this]() -> Result<std::unique_ptr<VectorStore>> {
      ++prepared_;
      if (fails_) return io_error("away");
      return std::unique_ptr<VectorStore>();
    };
    auto corpus = cache_.corpus(std::forward<Key>(key), embedder_, {place, open}, {});
    EXPECT_EQ(corpus.ok(), !fails_);
    return corpus.ok() ? *corpus : nullptr;
  }

  CorpusCache cache_;
  LexicalEmbedder embedder_;
  int prepared_ = 0;
  bool fails_ = false;
};

TEST_F(CorpusCacheTest, ACatalogIsPreparedOnce) {
  const auto first = catalog();
  const auto corpus = get(first);
  EXPECT_EQ(get(first), corpus);
  EXPECT_EQ(prepared_, 1);
  get(catalog());  // another object, if with the same tables
  EXPECT_EQ(prepared_, 2);
}

TEST_F(CorpusCacheTest, ElementsAreKnownByTheirContent) {
  const auto corpus = get(elements("a"));
  EXPECT_EQ(get(elements("a")), corpus);
  EXPECT_NE(get(elements("b")), corpus);
  EXPECT_EQ(prepared_, 2);
}

TEST_F(CorpusCacheTest, AnotherPlaceIsAnotherCorpus) {
  const auto corpus = get(elements("a"), "here");
  EXPECT_NE(get(elements("a"), "there"), corpus);
  EXPECT_EQ(get(elements("a"), "here"), corpus);
}

TEST_F(CorpusCacheTest, TheOldestIsDropped) {
  for (std::size_t i = 0; i <= CorpusCache::max_corpora; ++i) get(elements(std::to_string(i)));
  const int before = prepared_;
  get(elements("1"));
  EXPECT_EQ(prepared_, before);
  get(elements("0"));
  EXPECT_EQ(prepared_, before + 1);
}

TEST_F(CorpusCacheTest, AFailureIsNotKept) {
  fails_ = true;
  get(elements("a"));
  fails_ = false;
  EXPECT_NE(get(elements("a")), nullptr);
}

}  // namespace
}  // namespace trustsql::link
