#include "score/execution/python_value.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace trustsql {
namespace {

// Every expectation here was printed by CPython 3.11.
TEST(PythonValue, FloatsPrintAsInPython) {
  const std::pair<double, const char*> cases[] = {{0.0, "0.0"},
                                                  {-0.0, "-0.0"},
                                                  {1.0, "1.0"},
                                                  {-1.5, "-1.5"},
                                                  {0.1, "0.1"},
                                                  {1e15, "1000000000000000.0"},
                                                  {1e16, "1e+16"},
                                                  {123456789012345680.0, "1.2345678901234568e+17"},
                                                  {0.0001, "0.0001"},
                                                  {0.00001, "1e-05"},
                                                  {1.5e-7, "1.5e-07"},
                                                  {1e100, "1e+100"},
                                                  {5e-324, "5e-324"},
                                                  {1.7976931348623157e308, "1.7976931348623157e+308"},
                                                  {100.0, "100.0"},
                                                  {9999999999999998.0, "9999999999999998.0"},
                                                  {30.333333333333332, "30.333333333333332"},
                                                  {1234.5, "1234.5"}};
  for (const auto& [value, text] : cases) EXPECT_EQ(python_float_str(value), text);
  EXPECT_EQ(python_float_str(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(python_float_str(-std::numeric_limits<double>::infinity()), "-inf");
  EXPECT_EQ(python_float_str(std::nan("")), "nan");
}

TEST(PythonValue, OtherValuesPrintAsInPython) {
  EXPECT_EQ(python_str(ValueView::null()), "None");
  EXPECT_EQ(python_str(ValueView::of_integer(-7)), "-7");
  EXPECT_EQ(python_str(ValueView::of_text("a'b")), "a'b");
  EXPECT_EQ(python_str(ValueView::of_blob(std::string_view("a\0\n\t\r\\\x7f\xe9~", 9))),
            R"(b'a\x00\n\t\r\\\x7f\xe9~')");
  EXPECT_EQ(python_str(ValueView::of_blob("it's")), R"(b"it's")");
  EXPECT_EQ(python_str(ValueView::of_blob("'\"")), R"(b'\'"')");
  EXPECT_EQ(python_str(ValueView::of_blob("")), "b''");
}

TEST(PythonValue, FloatReadsWhatPythonReads) {
  const std::pair<const char*, double> cases[] = {{"1", 1},
                                                  {" 1.5\n", 1.5},
                                                  {"-.5", -0.5},
                                                  {"5.", 5},
                                                  {"+1e3", 1000},
                                                  {"1_000.5", 1000.5},
                                                  {"1e1_0", 1e10},
                                                  {"0.1e-2", 0.001},
                                                  {"1e400", INFINITY},
                                                  {"-1e400", -INFINITY},
                                                  {"1e-400", 0},
                                                  {"0e999", 0},
                                                  {"inf", INFINITY},
                                                  {"-Infinity", -INFINITY},
                                                  {"\v2\f", 2},
                                                  {"00012", 12},
                                                  {"0.000000001e310", 1e301}};
  for (const auto& [text, value] : cases) {
    const auto parsed = python_float(text);
    ASSERT_TRUE(parsed.has_value()) << text;
    EXPECT_EQ(*parsed, value) << text;
  }
  EXPECT_TRUE(std::isnan(*python_float("NaN")));
  for (const auto* text : {"",
                           " ",
                           ".",
                           "e5",
                           "1e",
                           "1e+",
                           "_1",
                           "1_",
                           "1__0",
                           "1._5",
                           "1_.5",
                           "0x10",
                           "1,5",
                           "1 2",
                           "abc",
                           "infin",
                           "--1",
                           "+ 1",
                           "1d5",
                           "None",
                           "\x1c"
                           "2"})
    EXPECT_FALSE(python_float(text).has_value()) << text;
  EXPECT_FALSE(python_float(std::string_view("1\0", 2)).has_value());
}

TEST(PythonValue, RoundsAsPython) {
  const std::pair<double, double> cases[] = {
      {1.0005, 1.0},   {1.0015, 1.002}, {2.0004999, 2.0}, {0.0625, 0.062},
      {0.1875, 0.188}, {-0.0001, -0.0}, {1e300, 1e300},   {123456.7895, 123456.789},
      {2.675, 2.675},  {0.0005, 0.001}, {0.0015, 0.002},  {1.7976931348623157e308, 1.7976931348623157e308}};
  for (const auto& [value, rounded] : cases) {
    EXPECT_EQ(python_round3(value), rounded) << value;
    EXPECT_EQ(std::signbit(python_round3(value)), std::signbit(rounded)) << value;
  }
}

}  // namespace
}  // namespace trustsql
