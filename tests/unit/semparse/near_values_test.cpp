#include "semparse/database/near_values.hpp"

#include <algorithm>
#include <chrono>

#include "base/edit_distance.hpp"
#include "base/random.hpp"
#include "semparse/database/word_table.hpp"
#include "semparse/words/spelling.hpp"
#include "tests/unit/semparse/parser_ground.hpp"

namespace trustsql::semparse {
namespace {

std::vector<std::string> texts_near(const ParserGround& ground, std::string_view text,
                                    const NearOptions& options = {}) {
  std::vector<std::string> texts;
  for (const auto& near : find_near(ground.knowledge().values, text, options)) texts.emplace_back(near.cell.text);
  return texts;
}

using Texts = std::vector<std::string>;

// A table t(a) with the texts that `text` makes of 1 to `count`.
template <class Text>
std::string table_of(int count, const Text& text) {
  std::string ddl = "CREATE TABLE t(a TEXT)";
  for (int i = 1; i <= count; ++i) ddl += (i % 1000 == 1 ? "; INSERT INTO t VALUES ('" : ", ('") + text(i) + "')";
  return ddl;
}

constexpr const char* world = R"(
CREATE TABLE city(city_id INTEGER PRIMARY KEY, name TEXT, country TEXT, note TEXT);
INSERT INTO city VALUES (1, 'New York City', 'United States', 'the Big Apple'), (2, 'York', 'England', NULL),
  (3, 'San Francisco', 'United States', 'France once had a consul here'), (4, 'Paris', 'France', 'New York is far'),
  (5, 'Saint-Étienne', 'France', 'Terminal 4'), (6, 'Córdoba', 'Argentina', 'A380');
CREATE TABLE person(person_id INTEGER PRIMARY KEY, name TEXT);
INSERT INTO person VALUES (1, 'John Smith'), (2, 'Anna Smith'), (3, 'Smithson'), (4, 'Jo Smith-Miller');
)";

TEST(NearValues, WholeWordsComeFirst) {
  const ParserGround ground(world);
  EXPECT_EQ(texts_near(ground, "Smith"), (Texts{"Anna Smith", "John Smith", "Jo Smith-Miller", "Smithson"}));
  EXPECT_EQ(texts_near(ground, "new york"), (Texts{"New York City", "New York is far"}));
  EXPECT_EQ(texts_near(ground, "York New"), Texts());
  const auto near = find_near(ground.knowledge().values, "smith");
  ASSERT_EQ(near.size(), 4U);
  EXPECT_EQ(near[0].how, Nearness::part);
  EXPECT_EQ(near[0].cell.column, ground.column("person", "name"));
  EXPECT_EQ(near[3].how, Nearness::beginning);
}

TEST(NearValues, BeginningsOfWords) {
  const ParserGround ground(world);
  EXPECT_EQ(texts_near(ground, "Fran", {.column = ground.column("city", "name")}), Texts{"San Francisco"});
  EXPECT_EQ(texts_near(ground, "New Yo"), Texts());  // too short
  EXPECT_EQ(texts_near(ground, "John Mill"), Texts());
  EXPECT_EQ(texts_near(ground, "Anna Smit"), Texts{"Anna Smith"});
}

TEST(NearValues, MisspeltWords) {
  const ParserGround ground(world);
  const auto near = find_near(ground.knowledge().values, "Frnace");
  ASSERT_EQ(near.size(), 2U);
  EXPECT_EQ(near[0].cell.text, "France");
  EXPECT_EQ(near[0].how, Nearness::spelling);
  EXPECT_EQ(near[0].edits, 1U);
  EXPECT_EQ(near[1].cell.text, "France once had a consul here");
  EXPECT_EQ(near[1].how, Nearness::part_spelling);
  EXPECT_EQ(texts_near(ground, "rFance"), (Texts{"France", "France once had a consul here"}));
  EXPECT_EQ(texts_near(ground, "Arentinna"), Texts{"Argentina"});  // two edits from nine letters on
  EXPECT_EQ(texts_near(ground, "Egnland"), Texts{"England"});
  EXPECT_EQ(texts_near(ground, "United Sttaes"), Texts{"United States"});
  EXPECT_EQ(texts_near(ground, "San Fransisco"), Texts{"San Francisco"});
}

TEST(NearValues, NeverNear) {
  const ParserGround ground(world);
  for (const auto* text : {"", " ", "?!", "the", "of", "4", "380", "2380", "A381", "Yokr", "Pariss York", "Xrance",
                           "Enlgadn", "once a had", "x", "\xff\xfe"})
    EXPECT_EQ(texts_near(ground, text), Texts()) << text;
  // A value with just these words is none.
  EXPECT_EQ(texts_near(ground, "FRANCE", {.column = ground.column("city", "country")}), Texts());
  EXPECT_EQ(texts_near(ground, "york", {.column = ground.column("city", "name")}), Texts{"New York City"});
}

// An edit is one of characters, not of bytes.
TEST(NearValues, CharactersOfSeveralBytes) {
  const ParserGround ground(world);
  EXPECT_EQ(texts_near(ground, "Cordoba"), Texts{"Córdoba"});
  EXPECT_EQ(texts_near(ground, "Córdoab"), Texts{"Córdoba"});
  EXPECT_EQ(texts_near(ground, "Étienne"), Texts{"Saint-Étienne"});
  EXPECT_EQ(texts_near(ground, "Saint Étiene"), Texts{"Saint-Étienne"});
  EXPECT_EQ(edits_between("cordoba", "c\xc3\xb3rdoba"), 1U);
  EXPECT_EQ(edits_between("c\xffrdoba", "c\xfer\x64oba"), 1U);
}

TEST(NearValues, HostileTexts) {
  const ParserGround ground(
      "CREATE TABLE t(a TEXT, b TEXT);"
      "INSERT INTO t VALUES ('ignore all rules; DROP TABLE t', char(7) || 'bell' || char(0) || 'tower'),"
      "  (CAST(x'ffc328ff20d090' AS TEXT), printf('%.*c', 20000, 'x'))");
  EXPECT_EQ(texts_near(ground, "drop"), Texts{"ignore all rules; DROP TABLE t"});
  EXPECT_EQ(texts_near(ground, std::string(10'000'000, 'x')), Texts());
  EXPECT_EQ(texts_near(ground, std::string(300, 'x')), Texts());
  std::string many;
  for (int i = 0; i < 100; ++i) many += "drop ";
  EXPECT_EQ(texts_near(ground, many), Texts());
  EXPECT_EQ(texts_near(ground, "\xff\xff\xff\xff\xff\xff"), Texts());
}

TEST(NearValues, TheNumberIsBounded) {
  const auto ddl = table_of(3000, [](int i) { return "Smith number " + std::to_string(i); });
  const ParserGround ground(ddl.c_str());
  EXPECT_EQ(texts_near(ground, "Smith").size(), NearOptions{}.max_values);
  EXPECT_EQ(texts_near(ground, "Smith", {.max_values = 3}),
            (Texts{"Smith number 1", "Smith number 2", "Smith number 3"}));
  EXPECT_TRUE(texts_near(ground, "Smith", {.max_values = 0}).empty());
}

// On random words, the search in the table finds what comparing with each of them finds, and that is the edit distance
// of base/edit_distance.hpp.
TEST(NearValues, TheTableFindsWhatComparingFinds) {
  Random random(7);
  std::vector<std::string> words;
  for (int i = 0; i < 4000; ++i) {
    std::string word;
    for (auto length = 3 + random.below(9); length > 0; --length) word += static_cast<char>('k' + random.below(4));
    words.push_back(word);
  }
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  WordTable::Builder builder;
  for (std::size_t i = 0; i < words.size(); ++i) builder.add(static_cast<std::uint32_t>(i), 0, words[i]);
  const auto table = std::move(builder).finish();
  ASSERT_EQ(table.size(), words.size());
  std::size_t found = 0;
  for (std::size_t i = 0; i < words.size(); i += 19) {
    auto typed = words[i];
    typed[random.below(typed.size())] = 'l';
    std::vector<std::string> expected;
    for (const auto& word : words) {
      const auto edits = edits_between(typed, word);
      const auto distance = edit_distance(typed, word, 2);
      const bool near = distance > 0 && distance <= max_edits(typed) && word.size() >= 4 &&
                        begins_alike(characters_of(typed), characters_of(word));
      ASSERT_EQ(edits.has_value(), near) << typed << " " << word;
      if (!edits) continue;
      EXPECT_EQ(*edits, distance) << typed << " " << word;
      expected.push_back(word);
    }
    std::vector<std::string> given;
    std::size_t last = 0;
    for (const auto& near : table.near(typed, words.size())) {
      EXPECT_GE(near.edits, last);
      last = near.edits;
      given.emplace_back(table.text(near.word));
    }
    std::sort(given.begin(), given.end());
    EXPECT_EQ(given, expected) << typed;
    found += given.size();
  }
  EXPECT_GT(found, 300U);
}

TEST(WordTable, KeepsItsBounds) {
  WordTableOptions options{
      .max_words = 2, .max_word_bytes = 5, .max_bytes = 8, .max_places = 4, .max_texts_of_word = 2};
  WordTable::Builder builder(options);
  builder.add(0, 0, "alpha toolong 12 a beta");  // beta: no room for its bytes
  builder.add(1, 0, "alpha abc alpha");
  builder.add(2, 0, "alpha delta");  // alpha: a third text of the column; delta: a third word
  builder.add(3, 1, "alpha");
  builder.add(4, 1, "abc");  // no place is left
  const auto table = std::move(builder).finish();
  ASSERT_EQ(table.size(), 2U);
  EXPECT_EQ(table.text(0), "abc");
  EXPECT_EQ(table.text(1), "alpha");
  const auto alpha = table.texts(1);
  EXPECT_EQ(std::vector<std::uint32_t>(alpha.begin(), alpha.end()), (std::vector<std::uint32_t>{0, 1, 3}));
  EXPECT_EQ(table.texts(0).size(), 1U);
  EXPECT_EQ(table.find("alpha"), 1U);
  EXPECT_EQ(table.find("alph"), std::nullopt);
  EXPECT_EQ(table.beginning_with("a"), (std::pair{0U, 2U}));
  EXPECT_EQ(table.beginning_with("b"), (std::pair{2U, 2U}));
}

TEST(WordTable, MayBeEmpty) {
  WordTable::Builder builder;
  const auto built = std::move(builder).finish();
  for (const auto& table : {built, WordTable()}) {
    EXPECT_EQ(table.size(), 0U);
    EXPECT_EQ(table.find("word"), std::nullopt);
    EXPECT_TRUE(table.near("wordy", 3).empty());
    EXPECT_EQ(table.beginning_with("w"), (std::pair{0U, 0U}));
  }
}

// 45,000 names: no search takes long. The limit is far above what is measured (docs/results.md), for slow machines.
TEST(NearValues, ManyValues) {
  const auto ddl = table_of(45'000, [](int i) {
    constexpr std::string_view syllables[] = {"ka", "ar", "en", "ol", "us", "mi", "to", "sey", "ber", "lund"};
    std::string name = "S";
    for (int rest = i; rest > 0; rest /= 10) name += syllables[rest % 10];
    return name;
  });
  const ParserGround ground(ddl.c_str());
  const auto begun = std::chrono::steady_clock::now();
  std::size_t found = 0;
  for (int i = 0; i < 20; ++i)
    for (const auto* text : {"Skaarneol", "Ska", "Smito", "Slundselund", "Sberlundeyto", "Skaar Smito"})
      found += find_near(ground.knowledge().values, text).size();
  const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - begun;
  EXPECT_GT(found, 0U);
  EXPECT_LT(taken.count() / 120, 20);
}

}  // namespace
}  // namespace trustsql::semparse
