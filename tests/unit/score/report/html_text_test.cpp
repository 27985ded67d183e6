#include "score/report/html_text.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "base/text.hpp"

namespace trustsql {
namespace {

using namespace std::string_literals;

TEST(HtmlText, MarkupIsInert) {
  EXPECT_EQ(html_text("<script>alert(\"x\" & 'y')</script>"),
            "&lt;script&gt;alert(&quot;x&quot; &amp; &#39;y&#39;)&lt;/script&gt;");
}

TEST(HtmlText, WhatIsNoTextIsReplaced) {
  EXPECT_EQ(html_text("a\tb\nc\rd"), "a b c d");
  EXPECT_EQ(html_text("\0\x01\x7f"s), "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
  EXPECT_EQ(html_text("\xc2\x80\xc2\x9f"), "\xef\xbf\xbd\xef\xbf\xbd");  // C1
  EXPECT_EQ(html_text("\xe2\x80\xae x \xe2\x81\xa6"),
            "\xef\xbf\xbd x \xef\xbf\xbd");                                      // right-to-left override, isolate
  EXPECT_EQ(html_text("\xef\xbf\xbe\xef\xbf\xbf"), "\xef\xbf\xbd\xef\xbf\xbd");  // U+FFFE, U+FFFF
  EXPECT_EQ(html_text("a\xff\xe2\x82z"), "a\xef\xbf\xbd\xef\xbf\xbdz");          // ill-formed
  EXPECT_EQ(html_text("\xd7\xa9\xd6\xb8\xe4\xb8\xad\xf0\x9f\x98\x80"),
            "\xd7\xa9\xd6\xb8\xe4\xb8\xad\xf0\x9f\x98\x80");  // stays
}

TEST(HtmlText, EveryByteStringBecomesValidUtf8) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) {
    for (int j = 0; j < 256; ++j) {
      bytes = {static_cast<char>(i), static_cast<char>(j), 'a'};
      const std::string text = html_text(bytes);
      ASSERT_TRUE(is_valid_utf8(text));
      for (const char c : text) ASSERT_FALSE(c == '<' || c == '>' || c == '"' || (c >= 0 && c < 0x20)) << i << " " << j;
    }
  }
}

TEST(HtmlText, CutsAtCharacters) {
  EXPECT_EQ(cut_text("abcdef", 6), "abcdef");
  EXPECT_EQ(cut_text("abcdef", 5), "abcd\xe2\x80\xa6");
  EXPECT_EQ(cut_text("\xc3\xa4\xc3\xb6\xc3\xbc", 2), "\xc3\xa4\xe2\x80\xa6");
  EXPECT_EQ(cut_text_middle("abcdefg", 5),
            "ab\xe2\x80\xa6"
            "fg");
  EXPECT_EQ(cut_text("\xff", 3), "\xef\xbf\xbd");
}

TEST(HtmlText, FitsIntoAWidth) {
  const std::string name = "din_sql_gpt4_with_a_long_name_v2";
  EXPECT_EQ(fit_text(name, 11, 1000), name);
  const std::string fitted = fit_text(name, 11, 100);
  EXPECT_LE(text_width(fitted, 11), 100);
  EXPECT_GT(text_width(fitted, 11), 70);
  EXPECT_TRUE(fitted.starts_with("din_") && fitted.ends_with("v2")) << fitted;
  EXPECT_FALSE(fit_text(std::string(1 << 20, 'x'), 11, 100).empty());
}

TEST(HtmlText, Numbers) {
  EXPECT_EQ(plain_number(1.25), "1.2");
  EXPECT_EQ(plain_number(100, 1), "100");
  EXPECT_EQ(plain_number(-0.001), "0");
  EXPECT_EQ(plain_number(-12.96), "-13");
  EXPECT_EQ(print_number(-20512.34),
            "\xe2\x88\x92"
            "20,512.3");
  EXPECT_EQ(print_number(1234567, 0), "1,234,567");
  EXPECT_EQ(print_number(999.96), "1,000.0");
  EXPECT_EQ(print_number(-0.04), "0.0");
  EXPECT_EQ(print_number(123), "123.0");
  EXPECT_EQ(print_number(-std::numeric_limits<double>::infinity()), "\xe2\x88\x92\xe2\x88\x9e");
  EXPECT_EQ(print_count(1000), "1,000");
  EXPECT_EQ(print_significant(0.62134), "0.6213");
  EXPECT_EQ(print_significant(-1.5e-7),
            "\xe2\x88\x92"
            "1.5e\xe2\x88\x92"
            "07");
  EXPECT_FALSE(print_number(-1e308).empty());
}

TEST(HtmlText, TickLabelsTellTicksApart) {
  using Labels = std::vector<std::string>;
  EXPECT_EQ(tick_labels({0, 0.5, 1}), (Labels{"0", "0.5", "1"}));
  EXPECT_EQ(tick_labels({0.997, 0.998, 0.999}), (Labels{"0.997", "0.998", "0.999"}));
  EXPECT_EQ(tick_labels({-10000, -1000, 0}), (Labels{"\xe2\x88\x92"
                                                     "10K",
                                                     "\xe2\x88\x92"
                                                     "1K",
                                                     "0"}));
  EXPECT_EQ(tick_labels({1000000, 1500000}), (Labels{"1M", "1.5M"}));
  EXPECT_EQ(tick_labels({0, 500, 1000}), (Labels{"0", "500", "1K"}));
  EXPECT_EQ(tick_labels({0.1, 0.2, 0.1 + 0.2}), (Labels{"0.1", "0.2", "0.3"}));
  EXPECT_EQ(tick_labels({7}), (Labels{"7"}));
  EXPECT_EQ(tick_labels({0}), (Labels{"0"}));
  EXPECT_TRUE(tick_labels({}).empty());
  for (const double step : {1e-12, 1e-5, 3e-3, 1.0, 2e7, 1e17, 1e290}) {
    const auto labels = tick_labels({-step, 0, step, 2 * step, 3 * step});
    for (std::size_t i = 1; i < labels.size(); ++i) EXPECT_NE(labels[i], labels[i - 1]) << step;
    for (const auto& label : labels) EXPECT_LE(label.size(), 16U) << step;
  }
}

TEST(HtmlText, LinesStayLines) {
  EXPECT_EQ(html_lines("a\nb\r\nc\rd\te\r"), "a\nb\nc\nd e\n");
  EXPECT_EQ(html_text("a\nb\r\nc\rd\te"), "a b  c d e");
  EXPECT_EQ(html_lines("<\x01\xff>&"), "&lt;\xef\xbf\xbd\xef\xbf\xbd&gt;&amp;");
}

}  // namespace
}  // namespace trustsql
