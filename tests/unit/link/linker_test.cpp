#include "link/linker.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <set>

#include "base/text.hpp"
#include "db/sources/ddl_source.hpp"
#include "link/lexical_embedder.hpp"
#include "link/question_schema.hpp"
#include "unit/db/support.hpp"
#include "unit/link/connected.hpp"

namespace trustsql::link {
namespace {

constexpr std::string_view ddl =
    "CREATE TABLE singer(singer_id INTEGER PRIMARY KEY, name TEXT, country TEXT, age INT);"
    "CREATE TABLE stadium(stadium_id INTEGER PRIMARY KEY, location TEXT, capacity INT);"
    "CREATE TABLE concert(concert_id INTEGER PRIMARY KEY, theme TEXT, stadium_id INT REFERENCES stadium(stadium_id), "
    "year INT);"
    "CREATE TABLE singer_in_concert(concert_id INT REFERENCES concert, singer_id INT REFERENCES singer);"
    "CREATE TABLE trustsql_examples(question TEXT);"
    "CREATE VIEW old AS SELECT name AS old_name FROM singer";

std::shared_ptr<const Catalog> catalog_of(std::string_view text) {
  auto source = open_ddl(text, test::default_settings());
  EXPECT_TRUE(source.ok());
  return source.ok() ? *(*source)->catalog() : std::make_shared<const Catalog>();
}

std::vector<std::string> texts(const Corpus& corpus, const std::vector<LinkedElement>& linked) {
  std::vector<std::string> result;
  for (const auto& link : linked) result.push_back(corpus.elements()[link.element].text());
  return result;
}

class LinkerTest : public ::testing::Test {
 protected:
  LexicalEmbedder embedder_;
  std::shared_ptr<const Corpus> corpus_ = *Corpus::build(elements_of(*catalog_of(ddl)), embedder_, nullptr, {});
  Linker linker_{*corpus_, embedder_};
};

TEST(Elements, OfACatalog) {
  std::vector<std::pair<std::size_t, std::size_t>> places;
  const auto catalog = catalog_of(ddl);
  const auto elements = elements_of(*catalog, &places);
  ASSERT_EQ(elements.size(), 14U);  // the view's column counts, the extension's table has none
  ASSERT_EQ(places.size(), 14U);
  std::map<std::string, std::size_t> numbers;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    numbers[elements[i].text()] = i;
    const auto& table = catalog->tables()[places[i].first];
    EXPECT_EQ(elements[i].text(), table.name + "." + table.columns[places[i].second].name);
  }
  EXPECT_TRUE(connected(elements, numbers.at("concert.stadium_id"), numbers.at("stadium.stadium_id")));
  EXPECT_TRUE(connected(elements, numbers.at("singer.singer_id"), numbers.at("singer_in_concert.singer_id")));
  EXPECT_TRUE(connected(elements, numbers.at("singer.name"), numbers.at("singer.age")));
  EXPECT_FALSE(connected(elements, numbers.at("singer.name"), numbers.at("stadium.location")));
}

TEST(Elements, LinksAreInferredFromNames) {
  ElementSet elements;
  const auto race = elements.add({"f", "races", "raceId"});
  const auto result = elements.add({"f", "results", "raceid"});
  const auto hero = elements.add({"h", "superhero", "id"});
  const auto power = elements.add({"h", "hero_power", "superhero_id"});
  const auto other = elements.add({"g", "results", "race_id"});  // another database
  const auto name = elements.add({"f", "results", "name"});
  elements.infer_links();
  EXPECT_TRUE(connected(elements, race, result));
  EXPECT_TRUE(connected(elements, hero, power));
  EXPECT_FALSE(connected(elements, race, other));
  EXPECT_FALSE(connected(elements, race, name));
}

TEST_F(LinkerTest, ImpliedElementsComeFirst) {
  const auto linked =
      linker_.link("Which stadiums hold more than 5000 people?", {"arena(location, capacity)"}, {.budget = 2}, {});
  ASSERT_TRUE(linked.ok());
  auto names = texts(*corpus_, *linked);
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, (std::vector<std::string>{"stadium.capacity", "stadium.location"}));
  for (const auto& element : *linked) {
    EXPECT_TRUE(element.covers == "arena.location" || element.covers == "arena.capacity") << element.covers;
    EXPECT_GT(element.score, 0.5);
    EXPECT_LE(element.score, 1);
  }
}

TEST_F(LinkerTest, EveryMethodAndAblationRespectsTheBudget) {
  const std::string question = "What is the age of each singer from France?";
  const std::vector<std::string> relations = {"singer(age, country)"};
  for (const auto method : {LinkMethod::crush, LinkMethod::cosine, LinkMethod::dpr, LinkMethod::maxsim}) {
    for (const std::size_t budget : {1U, 5U, 1000U}) {
      LinkOptions options{.method = method, .budget = budget};
      const auto linked = linker_.link(question, relations, options, {});
      ASSERT_TRUE(linked.ok());
      EXPECT_EQ(linked->size(), std::min<std::size_t>(budget, corpus_->elements().size()));
      std::set<std::size_t> distinct;
      for (const auto& link : *linked) distinct.insert(link.element);
      EXPECT_EQ(distinct.size(), linked->size());
      EXPECT_EQ(texts(*corpus_, *linked)[0], "singer.age") << static_cast<int>(method);
    }
  }
  for (const auto& options : {LinkOptions{.entropy = false}, LinkOptions{.coverage = false},
                              LinkOptions{.edges = false}, LinkOptions{.context = false},
                              LinkOptions{.evidence = false}, LinkOptions{.take_turns = true}, without_model({})}) {
    const auto linked = linker_.link(question, relations, options, {});
    ASSERT_TRUE(linked.ok());
    EXPECT_EQ(linked->size(), corpus_->elements().size());
  }
}

TEST_F(LinkerTest, WithoutAModelTheQuestionSpeaksForItself) {
  const std::string question = "How many concerts took place in 2014?";
  const auto linked = linker_.link(question, schema_of_question(question), without_model({.budget = 4}), {});
  ASSERT_TRUE(linked.ok());
  const auto names = texts(*corpus_, *linked);
  EXPECT_NE(std::find(names.begin(), names.end(), "concert.year"), names.end());
}

TEST_F(LinkerTest, NothingImpliedNothingFound) {
  EXPECT_TRUE(linker_.link("x", {}, {}, {})->empty());
  EXPECT_EQ(linker_.link("", {"singer(age)"}, {.budget = 1}, {})->size(), 1U);
  EXPECT_EQ(linker_.link("", {}, without_model({.budget = 1}), {})->size(), 1U);
  const auto empty = *Corpus::build(ElementSet(), embedder_, nullptr, {});
  for (const auto method : {LinkMethod::crush, LinkMethod::cosine, LinkMethod::dpr, LinkMethod::maxsim})
    EXPECT_TRUE(Linker(*empty, embedder_).link("x", {"t(c)"}, {.method = method}, {})->empty());
}

// --- the persistent index --------------------------------------------------------------------------------------------

class CountingEmbedder final : public Embedder {
 public:
  explicit CountingEmbedder(std::size_t dimensions = 3) : dimensions_(dimensions) {}
  std::string name() const override { return "counting"; }
  std::size_t dimensions() const override { return dimensions_; }
  Result<std::vector<Vector>> embed(std::span<const std::string> texts, const llm::RequestContext&) override {
    embedded += texts.size();
    std::vector<Vector> vectors;
    for (const auto& text : texts) {
      Vector vector(dimensions_, 0.0F);
      vector[text.size() % dimensions_] = 1;
      vectors.push_back(std::move(vector));
    }
    return vectors;
  }
  std::size_t embedded = 0;

 private:
  std::size_t dimensions_;
};

class MemoryStore final : public VectorStore {
 public:
  Result<std::vector<std::optional<Vector>>> get(std::string_view embedder,
                                                 std::span<const std::string> texts) override {
    std::vector<std::optional<Vector>> stored;
    for (const auto& text : texts) {
      const auto entry = vectors.find(std::string(embedder) + "\n" + text);
      stored.push_back(entry == vectors.end() ? std::nullopt : std::optional(entry->second));
    }
    return stored;
  }
  Status put(std::string_view embedder, std::span<const std::string> texts, std::span<const Vector> values) override {
    for (std::size_t i = 0; i < texts.size(); ++i) vectors[std::string(embedder) + "\n" + texts[i]] = values[i];
    return ok_status();
  }
  std::map<std::string, Vector> vectors;
};

TEST(Corpus, OnlyWhatChangedIsEmbedded) {
  MemoryStore store;
  CountingEmbedder embedder;
  const auto elements = [](std::size_t count) {
    ElementSet set;
    for (std::size_t i = 0; i < count; ++i) set.add({"", "t", "column" + std::to_string(i)});
    return set;
  };
  ASSERT_TRUE(Corpus::build(elements(5), embedder, &store, {}).ok());
  EXPECT_EQ(embedder.embedded, 5U);
  ASSERT_TRUE(Corpus::build(elements(5), embedder, &store, {}).ok());
  EXPECT_EQ(embedder.embedded, 5U);
  ASSERT_TRUE(Corpus::build(elements(7), embedder, &store, {}).ok());
  EXPECT_EQ(embedder.embedded, 7U);
  // Vectors of another embedder, or in a damaged file, are computed again.
  CountingEmbedder larger(4);
  ASSERT_TRUE(Corpus::build(elements(8), larger, &store, {}).ok());
  EXPECT_EQ((*Corpus::build(elements(8), larger, &store, {}))->index().dimensions(), 4U);
  store.vectors["counting\nt.column3"] = {};
  store.vectors["counting\nt.column4"] = {std::numeric_limits<float>::quiet_NaN(), 0, 0, 0};
  larger.embedded = 0;
  ASSERT_TRUE(Corpus::build(elements(8), larger, &store, {}).ok());
  EXPECT_EQ(larger.embedded, 2U);
}

}  // namespace
}  // namespace trustsql::link
