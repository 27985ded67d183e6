#include "base/text.hpp"

#include <gtest/gtest.h>

namespace trustsql {
namespace {

TEST(Text, InvalidUtf8IsDroppedAsPythonDoes) {
  // Each pair was checked with bytes.decode(errors='ignore').
  EXPECT_EQ(drop_invalid_utf8("a\xff"
                              "b"),
            "ab");
  EXPECT_EQ(drop_invalid_utf8("\xe2\x82"
                              "a"),
            "a");                                      // truncated euro sign, then a letter
  EXPECT_EQ(drop_invalid_utf8("\xed\xa0\x80z"), "z");  // a surrogate
  EXPECT_EQ(drop_invalid_utf8("\xc0\xafq"), "q");      // overlong
  EXPECT_EQ(drop_invalid_utf8("\xf0\x9f\x98\x80"), "\xf0\x9f\x98\x80");
  EXPECT_FALSE(is_valid_utf8("\xf4\x90\x80\x80"));  // above U+10FFFF
  EXPECT_TRUE(is_valid_utf8("\xf4\x8f\xbf\xbf"));
}

TEST(Text, MessagesAreCutAtACharacterAndPrintable) {
  EXPECT_EQ(quote_for_message("a\nb"), "'a b'");
  EXPECT_EQ(quote_for_message("\xc3\xa4\xc3\xb6", 3), "'\xc3\xa4...'");
  EXPECT_EQ(quote_for_message("\xff"), "'\xef\xbf\xbd'");
}

TEST(Text, RealsKeepTheirPoint) {
  EXPECT_EQ(format_real(1), "1.0");
  EXPECT_EQ(format_real(0.1), "0.1");
  EXPECT_EQ(format_real(1e100), "1e+100");
}

TEST(Text, NumbersThatPeopleReadHaveAtMost15Digits) {
  EXPECT_EQ(print_real(1 - 0.95), "0.05");
  EXPECT_EQ(format_real(1 - 0.95), "0.050000000000000044");
  EXPECT_EQ(print_real(1), "1.0");
  EXPECT_EQ(print_real(-2.5e-300), "-2.5e-300");
  EXPECT_EQ(print_real(1.0 / 3), "0.333333333333333");
}

}  // namespace
}  // namespace trustsql
