#include "base/json_release.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

namespace trustsql {
namespace {

template <class Json>
void release(const std::string& text) {
  Json document = Json::parse(text);
  { const JsonRelease release(document); }
  EXPECT_TRUE(!document.is_structured() || document.empty()) << text;
}

TEST(JsonRelease, TakesAnyDocumentApart) {
  for (const auto* text : {"null", "1", "\"x\"", "[]", "{}", "[1,[2,[3,{\"a\":[4,{}]}],5],[],6]",
                           R"({"a":{"b":{"c":null}},"d":[{"e":1},{"f":[[]]}]})"}) {
    release<nlohmann::json>(text);
    release<nlohmann::ordered_json>(text);
  }
  release<nlohmann::json>(std::string(100'000, '[') + std::string(100'000, ']'));
}

}  // namespace
}  // namespace trustsql
