#include "nl2sql/replies/reply_json.hpp"

#include <nlohmann/json.hpp>

#include "base/json_brackets.hpp"
#include "base/json_release.hpp"

namespace trustsql::nl2sql {

namespace {

using Json = nlohmann::ordered_json;

constexpr int max_tries = 64;                          // opening brackets that are tried
constexpr std::size_t longest = std::size_t{1} << 20;  // maximal bytes of a JSON text

std::optional<Json> first_json(std::string_view reply, char bracket) {
  std::size_t begin = reply.find(bracket);
  for (int tries = 0; tries < max_tries && begin != std::string_view::npos; ++tries) {
    const auto length = bracketed_json_length(reply.substr(begin, longest));
    if (length > 0) {
      auto json = Json::parse(reply.substr(begin, length), nullptr, false);
      if (!json.is_discarded()) return json;
    }
    begin = reply.find(bracket, begin + 1);
  }
  return std::nullopt;
}

std::vector<std::string> texts_of(const Json& json) {
  std::vector<std::string> texts;
  if (json.is_string()) texts.push_back(json.get<std::string>());
  if (!json.is_array()) return texts;
  for (const auto& element : json) {
    if (element.is_string()) texts.push_back(element.get<std::string>());
  }
  return texts;
}

}  // namespace

std::optional<std::vector<std::string>> text_list_in(std::string_view reply) {
  auto json = first_json(reply, '[');
  if (!json) return std::nullopt;
  const JsonRelease release(*json);
  return texts_of(*json);
}

std::optional<TextLists> text_lists_in(std::string_view reply) {
  auto json = first_json(reply, '{');
  if (!json) return std::nullopt;
  const JsonRelease release(*json);
  TextLists lists;
  for (const auto& [name, value] : json->items()) lists.emplace_back(name, texts_of(value));
  return lists;
}

}  // namespace trustsql::nl2sql
