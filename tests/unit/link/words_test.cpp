// Words: splitting, base forms, abbreviations, and the lexicon behind them.
#include <gtest/gtest.h>

#include "base/text.hpp"
#include "link/abbreviations.hpp"
#include "link/lexicon/lexicon.hpp"
#include "link/schema_words.hpp"
#include "link/word_forms.hpp"
#include "link/word_split.hpp"

namespace trustsql::link {
namespace {

std::string words(std::string_view text) { return join(split_words(text), " "); }

TEST(WordSplit, IdentifiersOfEveryStyle) {
  EXPECT_EQ(words("singer_in_concert"), "singer in concert");
  EXPECT_EQ(words("buildUpPlaySpeed"), "build up play speed");
  EXPECT_EQ(words("HTMLPage"), "html page");
  EXPECT_EQ(words("airportIDs"), "airport ids");
  EXPECT_EQ(words("FRPM Count (K-12)"), "frpm count k 12");
  EXPECT_EQ(words("a1b22"), "a 1 b 22");
  EXPECT_EQ(words("the player's name"), "the player name");
  EXPECT_EQ(words(""), "");
  EXPECT_EQ(words("--- ,."), "");
  EXPECT_EQ(words("caf\xc3\xa9 cr\xc3\xa8me"), "caf\xc3\xa9 cr\xc3\xa8me");
  EXPECT_EQ(words(std::string_view("a\0b\xff\xfe", 5)), "a b\xff\xfe");
}

TEST(WordSplit, CompoundsOfKnownWords) {
  if (lexicon::is_empty()) GTEST_SKIP() << "built without WordNet";
  EXPECT_EQ(words("customerid"), "customer id");
  EXPECT_EQ(words("shippingaddress"), "shipping address");
  EXPECT_EQ(words("concertname"), "concert name");
  EXPECT_EQ(words("constructorid"), "constructor id");
  // Words, and names not made of words, stay whole.
  for (const std::string_view whole : {"understand", "carpet", "nationality", "xqzzwk", "notebook", "shpmt", "winery",
                                       "apiary", "apiaries", "litre", "metre", "because", "within"})
    EXPECT_EQ(words(whole), whole);
  EXPECT_EQ(words("useracct"), "user acct");
  const std::string endless(5000, 'a');
  EXPECT_EQ(words(endless), endless);
}

TEST(WordForms, BaseForms) {
  if (lexicon::is_empty()) GTEST_SKIP() << "built without WordNet";
  const auto base = [](std::string_view word) { return word_forms(word)[0].lemma; };
  EXPECT_EQ(base("children"), "child");
  EXPECT_EQ(base("cities"), "city");
  EXPECT_EQ(base("boxes"), "box");
  EXPECT_EQ(base("laps"), "lap");
  EXPECT_EQ(base("status"), "status");
  EXPECT_EQ(base("lens"), "lens");
  EXPECT_EQ(base("oldest"), "old");
  EXPECT_EQ(base("stopped"), "stop");
  EXPECT_EQ(base("xqzzwks"), "xqzzwk");
  for (const std::string_view word : {"ratings", "married", "is", "a", "s", "es", "ing"}) {
    float total = 0;
    for (const auto& form : word_forms(word)) {
      EXPECT_FALSE(form.lemma.empty());
      total += form.weight;
    }
    EXPECT_NEAR(total, 1, 1e-5) << word;
  }
}

TEST(Lexicon, SynonymsShareAConceptAndHypernymsLeadToIt) {
  if (lexicon::is_empty()) GTEST_SKIP() << "built without WordNet";
  const auto car = lexicon::find("car");
  const auto automobile = lexicon::find("automobile");
  ASSERT_TRUE(car && automobile);
  bool shared = false;
  for (std::size_t i = 0; i < lexicon::sense_count(*car); ++i)
    for (std::size_t j = 0; j < lexicon::sense_count(*automobile); ++j)
      shared = shared || lexicon::sense(*car, i).meaning == lexicon::sense(*automobile, j).meaning;
  EXPECT_TRUE(shared);
  EXPECT_FALSE(lexicon::find("xqzzwk"));
  EXPECT_FALSE(lexicon::find(""));
  EXPECT_EQ(lexicon::irregular_base("mice"), "mouse");
  EXPECT_FALSE(lexicon::irregular_base("mouse"));
  EXPECT_GT(lexicon::log_frequency(*car), lexicon::log_frequency(*automobile));
}

// Every number in the tables leads somewhere, and the senses of a word are a distribution.
TEST(Lexicon, TablesAreSound) {
  for (lexicon::WordId word = 0; word < lexicon::word_count(); ++word) {
    float total = 0;
    for (std::size_t i = 0; i < lexicon::sense_count(word); ++i) {
      const auto sense = lexicon::sense(word, i);
      ASSERT_LT(sense.meaning, lexicon::concept_count());
      total += sense.probability;
    }
    ASSERT_GT(total, 0);
    ASSERT_LE(total, 1.05F);
  }
  for (lexicon::ConceptId meaning = 0; meaning < lexicon::concept_count(); ++meaning)
    for (std::size_t i = 0; i < lexicon::related_count(meaning); ++i)
      ASSERT_LT(lexicon::related(meaning, i).meaning, lexicon::concept_count());
}

TEST(SchemaWords, AbbreviationsAndGroups) {
  EXPECT_EQ(expansion("dob"), "date of birth");
  EXPECT_EQ(expansion("qty"), "quantity");
  EXPECT_EQ(expansion("quantity"), "");
  EXPECT_FALSE(schema_groups("price").empty());
  EXPECT_TRUE(schema_groups("xqzzwk").empty());
  EXPECT_TRUE(is_function_word("which"));
  EXPECT_FALSE(is_function_word("singer"));
}

TEST(Abbreviations, Letters) {
  EXPECT_TRUE(abbreviates("alb", "albumin"));
  EXPECT_TRUE(abbreviates("hct", "hematocrit"));
  EXPECT_FALSE(abbreviates("hct", "hospitalisation"));  // leaves out too much
  EXPECT_FALSE(abbreviates("alb", "tablet"));
  EXPECT_FALSE(abbreviates("alb", "alba"));  // nothing is saved
  EXPECT_FALSE(abbreviates("", "word"));
  EXPECT_FALSE(abbreviates("word", ""));
}

TEST(Abbreviations, FoundInAQuestion) {
  if (lexicon::is_empty()) GTEST_SKIP() << "built without WordNet";
  ElementSet elements;
  elements.add({"", "orders", "rqd"});
  elements.add({"", "orders", "zqtol"});
  elements.add({"", "orders", "price"});
  const Abbreviations abbreviations(elements);
  EXPECT_EQ(join(abbreviations.in("Show the Regional Quality Department of each order"), " "), "rqd");
  EXPECT_TRUE(abbreviations.in("Show the price").empty());
  EXPECT_TRUE(abbreviations.in("").empty());
  EXPECT_EQ(abbreviations.add_to("a Zqtolian vase"), "a Zqtolian vase zqtol");
}

}  // namespace
}  // namespace trustsql::link
