// bounded_functions_test.cpp compares these with SQLite's own functions; here is what they should do.
#include "base/linear_text.hpp"

#include <gtest/gtest.h>

namespace trustsql {
namespace {

constexpr std::string_view umlauts = "\xc3\xa4\xc3\xb6\xc3\xbc";  // a, o, u with two dots

TEST(LinearText, InstrCountsBytesOrCharacters) {
  EXPECT_EQ(instr_bytes("abcabc", "ca"), 3);
  EXPECT_EQ(instr_bytes("abc", "d"), 0);
  EXPECT_EQ(instr_bytes("abc", ""), 1);
  EXPECT_EQ(instr_bytes(umlauts, "\xc3\xbc"), 5);
  EXPECT_EQ(instr_characters(umlauts, "\xc3\xbc"), 3);
  EXPECT_EQ(instr_characters(umlauts, ""), 1);
  EXPECT_EQ(instr_characters("", "a"), 0);
  EXPECT_EQ(instr_characters("", ""), 1);
}

TEST(LinearText, InstrFindsNothingInsideACharacter) {
  EXPECT_EQ(instr_bytes(umlauts, "\xa4"), 2);
  EXPECT_EQ(instr_characters(umlauts, "\xa4"), 0);
  EXPECT_EQ(instr_characters("\xa4z", "\xa4"), 1);  // except at the first byte
}

TEST(LinearText, ReplaceTakesMatchesFromTheLeft) {
  EXPECT_EQ(replace_all("aaa", "aa", "b", 100), "ba");
  EXPECT_EQ(replace_all("aba", "a", "", 100), "b");
  EXPECT_EQ(replace_all("abc", "d", "e", 100), "abc");
  EXPECT_EQ(replace_all("", "a", "b", 100), "");
}

TEST(LinearText, ReplaceHasALimit) {
  EXPECT_EQ(replace_all("aaa", "a", "bb", 6), "bbbbbb");
  EXPECT_EQ(replace_all("aaa", "a", "bb", 5), std::nullopt);
  EXPECT_EQ(replace_all("aaa", "b", "", 2), std::nullopt);
}

TEST(LinearText, TrimTakesCharactersOff) {
  const auto set = TrimSet::of("x\xc3\xa4");
  ASSERT_TRUE(set);
  EXPECT_EQ(set->trim_front("x\xc3\xa4xyx"), "yx");
  EXPECT_EQ(set->trim_back("xyx\xc3\xa4"), "xy");
  EXPECT_EQ(set->trim_front("xxx"), "");
  EXPECT_EQ(set->trim_back(""), "");
  EXPECT_EQ(set->trim_front("\xc3y"), "\xc3y");  // half a character is not a character
}

TEST(LinearText, TrimEndsItsSetAtNul) {
  const auto set = TrimSet::of(std::string_view("a\0b", 3));
  ASSERT_TRUE(set);
  EXPECT_EQ(set->trim_front("aab"), "b");
}

TEST(LinearText, TrimRefusesEndlessCharacters) {
  EXPECT_TRUE(TrimSet::of("\xc3" + std::string(TrimSet::longest - 1, '\xa4')));
  EXPECT_FALSE(TrimSet::of("\xc3" + std::string(TrimSet::longest, '\xa4')));
}

// Texts of a megabyte for which a search that starts over at each position would take hours.
TEST(LinearText, LongTextsAreFast) {
  const std::string text = std::string(1'000'000, 'a') + "b";
  const std::string needle = std::string(500'000, 'a') + "b";
  EXPECT_EQ(instr_bytes(text, needle), 500'001);
  EXPECT_EQ(instr_characters(text, needle), 500'001);
  EXPECT_EQ(replace_all(text, needle, "c", text.size())->size(), 500'001U);
  std::string characters;
  for (char c = '\x01'; c < 'b'; ++c) characters += c;
  for (int i = 0; i < 10'000; ++i) characters += "\xc3\xa4";
  EXPECT_EQ(TrimSet::of(characters)->trim_front(text), "b");
}

}  // namespace
}  // namespace trustsql
