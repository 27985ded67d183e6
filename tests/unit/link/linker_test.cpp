#include "link/linker.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <map>
#include <set>

#include "base/text.hpp"
#include "db/sources/ddl_source.hpp"
#include "link/lexical_embedder.hpp"
#include "link/question_schema.hpp"
#include "link/vector_math.hpp"
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

TEST(Elements, KeysAreInferredFromManyFormsOfNames) {
  ElementSet elements;
  const auto add = [&](const char* table, const char* column) { return elements.add({"d", table, column}); };
  const auto user = add("users", "Id");
  const auto owner = add("posts", "OwnerUserId");
  const auto event = add("event", "event_id");
  const auto to_event = add("budget", "link_to_event");
  const auto team = add("team", "team_api_id");
  const auto home = add("match", "home_team_api_id");
  const auto hero = add("superhero", "id");
  const auto power = add("hero_power", "hero_id");
  const auto school = add("schools", "CDSCode");
  const auto same = add("frpm", "CDSCode");
  const auto scores = add("satscores", "cds");
  const auto set = add("sets", "code");
  const auto card = add("cards", "setCode");
  const auto airport = add("airports", "AirportCode");
  const auto flight = add("flights", "SourceAirport");
  elements.infer_links();
  for (const auto& [from, to] :
       {std::pair(owner, user), std::pair(to_event, event), std::pair(home, team), std::pair(power, hero),
        std::pair(same, school), std::pair(scores, school), std::pair(card, set), std::pair(flight, airport)}) {
    EXPECT_TRUE(connected(elements, from, to)) << elements[from].text() << " " << elements[to].text();
    EXPECT_TRUE(elements.declared(from).empty());
  }
  EXPECT_FALSE(connected(elements, owner, event));
}

TEST(Elements, PlainIdsAreKeysOnlyWhereNothingElseIs) {
  ElementSet elements;
  const auto patient = elements.add({"", "Patient", "ID"});
  const auto laboratory = elements.add({"", "Laboratory", "ID"});
  elements.infer_links();
  EXPECT_TRUE(connected(elements, patient, laboratory));
  ElementSet with_key;
  const auto race = with_key.add({"", "race", "id"});
  const auto colour = with_key.add({"", "colour", "id"});
  with_key.add({"", "hero", "race_id"});
  with_key.infer_links();
  EXPECT_FALSE(connected(with_key, race, colour));
}

TEST(Elements, DeclaredKeysAreNotAddedTo) {
  ElementSet elements;
  const auto race = elements.add({"", "race", "race_id"});
  const auto lap = elements.add({"", "lap", "race_id"});
  const auto car = elements.add({"", "car", "car_id"});
  const auto lap_car = elements.add({"", "lap", "car_id"});
  elements.connect(lap, race);
  elements.infer_links();
  EXPECT_TRUE(connected(elements, lap, race));
  EXPECT_EQ(elements.declared(lap).size(), 1U);
  EXPECT_FALSE(connected(elements, lap_car, car));
}

TEST(Elements, TablesWhoseNamesCarryTheDatabase) {
  const auto elements =
      elements_of(*catalog_of("CREATE TABLE \"zoo.animal\"(animal_id, name); CREATE TABLE \"zoo.cage\"(id, animal_id);"
                              "CREATE TABLE \"shop.sale\"(id, animal_id); CREATE TABLE note(text)"));
  EXPECT_EQ(elements.database_count(), 3U);  // zoo, shop, and that of the table without a dot
  EXPECT_EQ(elements[0].database, "zoo");
  EXPECT_EQ(elements[0].table, "animal");
  EXPECT_EQ(elements[0].text(), "zoo.animal.animal_id");
  EXPECT_TRUE(connected(elements, 0, 3));
  EXPECT_FALSE(connected(elements, 0, 5));  // another database
  // Few dots are part of names.
  EXPECT_EQ(elements_of(*catalog_of("CREATE TABLE \"v1.0\"(a); CREATE TABLE t(a); CREATE TABLE u(a)")).database_count(),
            1U);
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

// In the paper's form the cosines are those of the texts' vectors, whatever their tables and databases are.
TEST(Linker, ThePapersFormHasNothingElse) {
  ElementSet elements;
  for (const auto& [database, table, column] :
       {std::array{"zoo", "animal", "name"}, std::array{"zoo", "animal", "wgt"}, std::array{"shop", "product", "name"},
        std::array{"shop", "product", "price"}})
    elements.add({database, table, column});
  LexicalEmbedder embedder;
  const auto corpus = *Corpus::build(std::move(elements), embedder, nullptr, {});
  const Linker linker(*corpus, embedder);
  auto options = default_link_options(LinkForm::paper);
  EXPECT_FALSE(options.evidence);
  EXPECT_EQ(options.sharpness, 1);
  EXPECT_EQ(without_model(options).question_probes, 0U);
  options.method = LinkMethod::dpr;
  const std::string question = "What do products cost?";
  const auto vector_of = [&](const std::string& text) { return embedder.embed(std::span(&text, 1))[0]; };
  const auto ranked = linker.link(question, {}, options, {});
  ASSERT_EQ(ranked->size(), 4U);
  for (const auto& [element, score, covers] : *ranked)
    EXPECT_NEAR(score, dot(vector_of(question), vector_of(corpus->elements()[element].text())), 1e-6);
  options.method = LinkMethod::cosine;
  options.context = false;
  const auto nearest = linker.link(question, {"product(price)"}, options, {});
  for (const auto& [element, score, covers] : *nearest) {
    const auto cosine = dot(vector_of("product.price"), vector_of(corpus->elements()[element].text()));
    EXPECT_NEAR(score, 0.5 * (1 + cosine), 1e-6);
  }
  // The extended form adds what stands around a column.
  EXPECT_NE((*linker.link(question, {"product(price)"}, {.method = LinkMethod::cosine, .context = false}, {}))[0].score,
            (*nearest)[0].score);
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
