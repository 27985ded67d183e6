#include "semparse/question/linking.hpp"

#include "link/lexicon/lexicon.hpp"
#include "tests/unit/semparse/parser_ground.hpp"

namespace trustsql::semparse {
namespace {

TEST(Linking, NamesValuesAndNumbers) {
  const ParserGround ground;
  QuestionLinker linker(ground.domain(), ground.knowledge().values);
  auto question = read_question("Which customers from new york are older than 30 and bought a \"Lamp\"?");
  const auto linking = linker.link(question);
  const auto& customers = linking.tables[static_cast<std::size_t>(ground.table("customer"))];
  ASSERT_FALSE(customers.empty());
  EXPECT_TRUE(customers.front().whole());
  ASSERT_EQ(linking.values.size(), 2U);
  EXPECT_EQ(linking.values[0].text, "new york");
  ASSERT_EQ(linking.values[0].cells.size(), 1U);
  EXPECT_EQ(linking.values[0].cells.front().column, ground.column("customer", "city"));
  EXPECT_EQ(linking.values[0].cells.front().text, "New York");
  EXPECT_TRUE(linking.values[1].quoted);
  ASSERT_EQ(linking.numbers.size(), 1U);
  EXPECT_EQ(linking.numbers.front().value, Value(std::int64_t{30}));
}

TEST(Linking, ARangeIsOneNumber) {
  const ParserGround ground;
  QuestionLinker linker(ground.domain(), ground.knowledge().values);
  const auto linking = linker.link(read_question("products with a price between 5 and 20.5"));
  ASSERT_EQ(linking.numbers.size(), 1U);
  EXPECT_EQ(linking.numbers.front().value, Value(std::int64_t{5}));
  EXPECT_EQ(linking.numbers.front().second, Value(20.5));
}

TEST(Linking, NegativeNumbers) {
  const ParserGround ground;
  QuestionLinker linker(ground.domain(), ground.knowledge().values);
  const auto number = [&linker](const char* text) {
    const auto linking = linker.link(read_question(text));
    return linking.numbers.size() == 1 ? linking.numbers.front().value : Value(std::int64_t{0});
  };
  EXPECT_EQ(number("prices below -5"), Value(std::int64_t{-5}));
  EXPECT_EQ(number("prices below minus 2.5?"), Value(-2.5));
  EXPECT_EQ(number("prices below - 5"), Value(std::int64_t{5}));
  EXPECT_EQ(number("the model A-5"), Value(std::int64_t{5}));
  const auto range = linker.link(read_question("a price between -5 and 20"));
  ASSERT_EQ(range.numbers.size(), 1U);
  EXPECT_EQ(range.numbers.front().value, Value(std::int64_t{-5}));
  EXPECT_EQ(range.numbers.front().second, Value(std::int64_t{20}));
}

TEST(Linking, WordsMatchByFormAndMeaning) {
  WordMatcher matcher;
  const auto word = [](const char* text) { return read_question(text).words.front(); };
  EXPECT_EQ(matcher.match(word("singers"), "singer"), WordMatch::form);
  EXPECT_EQ(matcher.match(word("dep"), "department"), WordMatch::none);  // too short to be sure
  EXPECT_EQ(matcher.match(word("depart"), "department"), WordMatch::abbreviation);
  EXPECT_EQ(matcher.match(word("banana"), "department"), WordMatch::none);
  if (link::lexicon::is_empty()) return;
  EXPECT_EQ(matcher.match(word("quarter"), "qrtr"), WordMatch::abbreviation);  // without its vowels
  EXPECT_EQ(matcher.match(word("customers"), "cstmr"), WordMatch::abbreviation);
  EXPECT_EQ(matcher.match(word("courses"), "crs"), WordMatch::abbreviation);
  EXPECT_EQ(matcher.match(word("quarter"), "qrx"), WordMatch::none);
  EXPECT_NE(matcher.match(word("batch"), "btch"), WordMatch::form);
}

TEST(Linking, CompoundsAndWholeNames) {
  if (link::lexicon::is_empty()) return;
  WordMatcher matcher;
  const auto word = [](const char* text) { return read_question(text).words.front(); };
  EXPECT_EQ(matcher.match(word("goalkeepers"), "goal"), WordMatch::none);
  EXPECT_EQ(matcher.match(word("expensive"), "price"), WordMatch::dimension);
  EXPECT_EQ(matcher.match(word("expensive"), "rate"), WordMatch::none);
  EXPECT_EQ(matcher.match(word("earns"), "salary"), WordMatch::dimension);
  const ParserGround ground("CREATE TABLE member(id INTEGER PRIMARY KEY, name TEXT, membership_type TEXT)");
  QuestionLinker linker(ground.domain(), ground.knowledge().values);
  const auto linking = linker.link(read_question("Who is the youngest member?"));
  EXPECT_TRUE(linking.columns[static_cast<std::size_t>(ground.column("member", "membership_type"))].empty());
}

TEST(Linking, NamesThatExcludeEachOther) {
  WordMatcher matcher;
  const auto word = [](const char* text) { return read_question(text).words.front(); };
  for (const auto* name : {"city", "region", "state", "street"})
    EXPECT_EQ(matcher.match(word("countries"), name), WordMatch::none) << name;
  EXPECT_EQ(matcher.match(word("age"), "year"), WordMatch::none);
  EXPECT_EQ(matcher.match(word("ages"), "birth"), WordMatch::none);
  EXPECT_EQ(matcher.match(word("town"), "city"), WordMatch::synonym);
  EXPECT_EQ(matcher.match(word("nationality"), "country"), WordMatch::synonym);
  EXPECT_EQ(matcher.match(word("place"), "city"), WordMatch::synonym);
  // Words for any amount or kind.
  EXPECT_EQ(matcher.match(word("value"), "rating"), WordMatch::none);
  EXPECT_EQ(matcher.match(word("category"), "type"), WordMatch::synonym);
}

TEST(Linking, NoValues) {
  const ParserGround ground(
      "CREATE TABLE club(id INTEGER PRIMARY KEY, name TEXT, city TEXT, open TEXT);"
      "INSERT INTO club VALUES (1, 'Rovers', 'Old', 'no'), (2, 'United', 'Leeds', 'no')");
  QuestionLinker linker(ground.domain(), ground.knowledge().values);
  EXPECT_TRUE(linker.link(read_question("Which is the oldest club with no players?")).values.empty());
  EXPECT_EQ(linker.link(read_question("clubs in Old")).values.size(), 1U);
}

TEST(Linking, WrittenOutNumbersAndDates) {
  const ParserGround ground;
  QuestionLinker linker(ground.domain(), ground.knowledge().values);
  const auto millions = linker.link(read_question("more than 2.5 million people"));
  ASSERT_EQ(millions.numbers.size(), 1U);
  EXPECT_EQ(millions.numbers.front().value, Value(std::int64_t{2'500'000}));
  EXPECT_EQ(millions.numbers.front().scale, 1e6);
  const auto half = linker.link(read_question("worth more than half a million"));
  ASSERT_EQ(half.numbers.size(), 1U);
  EXPECT_EQ(half.numbers.front().value, Value(std::int64_t{500'000}));
  const auto month = linker.link(read_question("purchases in May 2024"));
  ASSERT_EQ(month.numbers.size(), 1U);
  EXPECT_EQ(month.numbers.front().value, Value(std::string("2024-05")));
  EXPECT_TRUE(month.numbers.front().spelled);
}

// People leave out the unit of a column.
TEST(Linking, UnitsNeedNotBeNamed) {
  const ParserGround ground("CREATE TABLE patient(id INTEGER PRIMARY KEY, weight_kg REAL, height_score REAL)");
  QuestionLinker linker(ground.domain(), ground.knowledge().values);
  const auto linking = linker.link(read_question("weight in kg, weight and height"));
  const auto& weights = linking.columns[static_cast<std::size_t>(ground.column("patient", "weight_kg"))];
  ASSERT_EQ(weights.size(), 2U);
  EXPECT_TRUE(weights[0].whole());
  EXPECT_TRUE(weights[1].whole());
  EXPECT_EQ(std::max(weights[0].matched, weights[1].matched), 2);
  const auto& heights = linking.columns[static_cast<std::size_t>(ground.column("patient", "height_score"))];
  ASSERT_FALSE(heights.empty());
  EXPECT_FALSE(heights.front().whole());
}

TEST(Linking, ADateIsOneLiteral) {
  const ParserGround ground;
  QuestionLinker linker(ground.domain(), ground.knowledge().values);
  const auto one = linker.link(read_question("purchases after 2024-05-01?"));
  ASSERT_EQ(one.numbers.size(), 1U);
  EXPECT_EQ(one.numbers.front().value, Value(std::string("2024-05-01")));
  const auto range = linker.link(read_question("purchases between 2024-05-01 and 2024-06-01"));
  ASSERT_EQ(range.numbers.size(), 1U);
  EXPECT_EQ(range.numbers.front().second, Value(std::string("2024-06-01")));
}

TEST(Linking, LettersAndQuotedNames) {
  const ParserGround ground("CREATE TABLE p(first_name TEXT, last_name TEXT); INSERT INTO p VALUES ('Ann', 'Lee')");
  QuestionLinker linker(ground.domain(), ground.knowledge().values);
  const auto names = linker.link(read_question("the age of \"Ann Lee\""));
  ASSERT_EQ(names.values.size(), 2U);
  EXPECT_EQ(names.values[0].text, "Ann");
  EXPECT_EQ(names.values[1].text, "Lee");
  const auto letter = linker.link(read_question("names that contain the letter e"));
  ASSERT_EQ(letter.values.size(), 1U);
  EXPECT_EQ(letter.values[0].text, "e");
}

TEST(Linking, ValuesInOtherWords) {
  const ParserGround ground(
      "CREATE TABLE p(name TEXT, sex TEXT, country TEXT, grade TEXT);"
      "INSERT INTO p VALUES ('Ann', 'F', 'France', 'F'), ('Bob', 'M', 'Italy', 'M')");
  QuestionLinker linker(ground.domain(), ground.knowledge().values);
  const auto linking = linker.link(read_question("How many female people are French?"));
  ASSERT_EQ(linking.values.size(), link::lexicon::is_empty() ? 1U : 2U);
  ASSERT_EQ(linking.values[0].cells.size(), 1U);
  EXPECT_EQ(linking.values[0].cells.front().column, ground.column("p", "sex"));
  EXPECT_TRUE(linking.values[0].is_derived);
  if (linking.values.size() == 2) {
    EXPECT_EQ(linking.values[1].cells.front().text, "France");
  }
}

// A table of questions lies beside the tables that they are about.
TEST(Linking, TheQuestionItselfIsNoValue) {
  const ParserGround ground(
      "CREATE TABLE asked(question TEXT); INSERT INTO asked VALUES ('Books from France?'), ('France')");
  QuestionLinker linker(ground.domain(), ground.knowledge().values);
  const auto linking = linker.link(read_question("Books from France?"));
  ASSERT_EQ(linking.values.size(), 1U);
  EXPECT_EQ(linking.values[0].text, "France");
}

TEST(Linking, CellsThatDoNotFitAreLeftOut) {
  ParserGround ground;
  ValueIndexOptions options;
  options.max_value_bytes = 4;
  const auto index = ValueIndex::build(ground.domain(), ground.sandbox(), options);
  ASSERT_TRUE(index.ok());
  EXPECT_FALSE(index->find("lamp").empty());
  EXPECT_TRUE(index->find("chair").empty());
}

TEST(Linking, NamesThatAreWrittenTogether) {
  const ParserGround ground(
      "CREATE TABLE PolicyHolders(PolicyHolderID INTEGER PRIMARY KEY, HolderName TEXT);"
      "CREATE TABLE mbr(mbr_id INTEGER PRIMARY KEY, mbr_nm TEXT)");
  QuestionLinker linker(ground.domain(), ground.knowledge().values);
  const auto holders = linker.link(read_question("List the policyholders."));
  const auto& mentions = holders.tables[static_cast<std::size_t>(ground.table("PolicyHolders"))];
  ASSERT_EQ(mentions.size(), 1U);
  EXPECT_TRUE(mentions.front().whole());
  EXPECT_TRUE(mentions.front().spelled_out());
  // Consonants stand for a word, but not for the whole name.
  const auto members = linker.link(read_question("List the members."));
  const auto& table = members.tables[static_cast<std::size_t>(ground.table("mbr"))];
  ASSERT_EQ(table.size(), 1U);
  EXPECT_FALSE(table.front().whole());
  EXPECT_TRUE(table.front().spelled_out());
  // Another word that begins alike is no abbreviation.
  const ParserGround hills("CREATE TABLE mountain(id INTEGER PRIMARY KEY, name TEXT)");
  const auto other = QuestionLinker(hills.domain(), hills.knowledge().values).link(read_question("mountaineers"));
  for (const auto& mention : other.tables.front()) EXPECT_FALSE(mention.spelled_out());
}

// A name does not reach into the one before it, and a word may run a part of a name together.
TEST(Linking, NamesBesideEachOther) {
  const ParserGround ground(
      "CREATE TABLE film(film_id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, runtime_minutes INTEGER, "
      "list_price REAL)");
  QuestionLinker linker(ground.domain(), ground.knowledge().values);
  const auto spans = [&](const char* text, const char* column) {
    const auto question = read_question(text);
    const auto linking = linker.link(read_question(text));
    std::string said;
    for (const auto& mention : linking.columns[static_cast<std::size_t>(ground.column("film", column))])
      if (mention.coverage > 0.6F) said += std::string(question.text_of(mention.span)) + "|";
    return said;
  };
  EXPECT_EQ(spans("the first name and last name of all", "last_name"), "last name|");
  EXPECT_EQ(spans("first name, last name", "first_name"), "first name|");
  EXPECT_EQ(spans("first name, last name", "last_name"), "last name|");
  EXPECT_EQ(spans("the list price and number of films", "list_price"), "list price|");
  EXPECT_EQ(spans("list the films", "list_price"), "");
  EXPECT_EQ(spans("the runtime of all films", "runtime_minutes"), "runtime|");
  EXPECT_EQ(spans("the run time in minutes", "runtime_minutes"), "run time in minutes|");
  // What is compared, and not what it is called.
  EXPECT_EQ(spans("the runtime of the longest film", "runtime_minutes"), "runtime|");
  // "And" joins two names, unless one of them goes on behind it.
  EXPECT_EQ(spans("the name and first", "first_name"), "first|");
}

// Values that differ in their marks alone are told apart where the question has the marks.
TEST(Linking, ValuesWithTheirMarks) {
  const ParserGround ground(
      "CREATE TABLE donor(id INTEGER PRIMARY KEY, blood TEXT);"
      "INSERT INTO donor(blood) VALUES ('A+'), ('A-'), ('O+'), ('O-'), ('AB+')");
  QuestionLinker linker(ground.domain(), ground.knowledge().values);
  for (const auto* value : {"A+", "A-", "O+", "O-", "AB+"}) {
    auto question = read_question("Which donors have blood " + std::string(value) + "?");
    const auto linking = linker.link(question);
    ASSERT_EQ(linking.values.size(), 1U) << value;
    EXPECT_EQ(linking.values.front().text, value);
    ASSERT_EQ(linking.values.front().cells.size(), 1U) << value;
    EXPECT_EQ(linking.values.front().cells.front().text, value);
  }
  EXPECT_EQ(linker.link(read_question("blood O")).values.front().cells.size(), 2U);
}

// A word that is a table's whole name means nothing else.
TEST(Linking, AWholeNameOverrulesMeanings) {
  const ParserGround ground(
      "CREATE TABLE car(id INTEGER PRIMARY KEY, label TEXT);"
      "CREATE TABLE parking(id INTEGER PRIMARY KEY, automobile TEXT)");
  QuestionLinker linker(ground.domain(), ground.knowledge().values);
  const auto automobile = static_cast<std::size_t>(ground.column("parking", "automobile"));
  EXPECT_TRUE(linker.link(read_question("How many cars are there?")).columns[automobile].empty());
  EXPECT_FALSE(linker.link(read_question("How many automobiles are there?")).columns[automobile].empty());
}

}  // namespace
}  // namespace trustsql::semparse
