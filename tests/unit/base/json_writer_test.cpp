#include "base/json_writer.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

namespace trustsql {
namespace {

TEST(JsonWriter, CommasStandBetweenValues) {
  JsonWriter json;
  json.begin_object().key("a").begin_array().value(1).begin_array().end_array().value("x").end_array();
  json.key("b").begin_object().end_object().key("c").null().key("d").value(true).end_object();
  EXPECT_EQ(std::move(json).text(), R"({"a":[1,[],"x"],"b":{},"c":null,"d":true})");
}

TEST(JsonWriter, NumbersReadBack) {
  JsonWriter json;
  json.begin_array().value(0.1).value(2.0).value(1e300).value(std::numeric_limits<double>::infinity());
  json.value(std::numeric_limits<std::int64_t>::min()).value(std::uint64_t{18446744073709551615U}).end_array();
  EXPECT_EQ(std::move(json).text(), "[0.1,2.0,1e+300,null,-9223372036854775808,18446744073709551615]");
}

TEST(JsonWriter, TextsAreEscapedAndInvalidBytesReplaced) {
  JsonWriter json;
  json.value(std::string_view("\"\\\n\x01\xff", 5));
  EXPECT_EQ(std::move(json).text(), R"("\"\\\n\u0001)"
                                    "\xef\xbf\xbd\"");
}

TEST(JsonWriter, ArraysOfTexts) {
  JsonWriter json;
  json.value(std::vector<std::string>{"a", "b,c"});
  EXPECT_EQ(std::move(json).text(), R"(["a","b,c"])");
}

// What nlohmann::json reads is what was written.
TEST(JsonWriter, IsRead) {
  JsonWriter json;
  json.begin_object().key("k\"").value(std::string_view("\0x", 2)).key("n").value(-0.5).end_object();
  const auto document = nlohmann::json::parse(std::move(json).text());
  EXPECT_EQ(document["k\""].get<std::string>(), std::string("\0x", 2));
  EXPECT_EQ(document["n"].get<double>(), -0.5);
}

}  // namespace
}  // namespace trustsql
