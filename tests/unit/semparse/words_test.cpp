#include "semparse/words/words.hpp"

#include <gtest/gtest.h>

#include "base/text.hpp"

namespace trustsql::semparse {
namespace {

std::string words_of_question(std::string_view text) {
  std::vector<std::string> words;
  for (const auto& word : read_question(text).words) words.push_back(word.text);
  return join(words, "|");
}

TEST(Words, PunctuationAndApostrophesAreWords) {
  EXPECT_EQ(words_of_question("What's Ann's age, please?"), "What|'s|Ann|'s|age|,|please|?");
  EXPECT_EQ(words_of_question(""), "");
}

TEST(Words, ContractionsAreTheWordsThatTheyAreShortFor) {
  const auto meaning = [](std::string_view text) {
    std::vector<std::string> words;
    for (const auto& word : read_question(text).words) words.push_back(word.lower);
    return join(words, " ");
  };
  EXPECT_EQ(meaning("the oldest we've got"), "the oldest we have got");
  EXPECT_EQ(meaning("they aren't, and we don\xe2\x80\x99t"), "they are not , and we do not");
  EXPECT_EQ(meaning("whats wrong? they dont and it hasnt, weve"),
            "what is wrong ? they do not and it has not , we have");
  EXPECT_EQ(meaning("I'd ask who'll come"), "i would ask who will come");
  EXPECT_EQ(meaning("D'Arcy, o'clock, Ann't"), "d ' arcy , o ' clock , ann 't");
}

TEST(Words, NumbersAreRead) {
  const auto question = read_question("more than 1,200 or 3.5 or twelve, but not 3rd");
  std::vector<double> numbers;
  for (const auto& word : question.words)
    if (word.number) numbers.push_back(*word.number);
  EXPECT_EQ(numbers, (std::vector<double>{1200, 3.5, 12}));
}

TEST(Words, QuotationsKeepTheirText) {
  const auto question = read_question("songs called \"Hey, you\" or 'x y' by the band's singer");
  ASSERT_EQ(question.quotations.size(), 2U);
  EXPECT_EQ(question.quotations[0].text, "Hey, you");
  EXPECT_EQ(question.text_of(question.quotations[0].words), "Hey, you");
  EXPECT_EQ(question.quotations[1].text, "x y");
}

TEST(Words, LongAndBrokenTextsEnd) {
  EXPECT_EQ(read_question(std::string(100'000, 'a')).words.size(), 1U);
  std::string many;
  for (int i = 0; i < 10'000; ++i) many += "a ";
  EXPECT_EQ(read_question(many).words.size(), max_question_words);
  EXPECT_FALSE(read_question("\xff\xfe \" ' `` \xe2\x80\x9c").words.empty());
}

}  // namespace
}  // namespace trustsql::semparse
