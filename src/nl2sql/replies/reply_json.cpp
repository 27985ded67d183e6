#include "nl2sql/replies/reply_json.hpp"

#include <nlohmann/json.hpp>

namespace trustsql::nl2sql {

namespace {

using Json = nlohmann::ordered_json;

constexpr int max_tries = 64;                          // opening brackets that are tried
constexpr std::size_t longest = std::size_t{1} << 20;  // maximal bytes of a JSON text

// The length of the JSON text at the start of `text`, which begins with a bracket, found by counting brackets outside
// strings; 0 if it does not end.
std::size_t bracketed_length(std::string_view text) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < std::min(text.size(), longest); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      ++depth;
    } else if (c == ']' || c == '}') {
      if (--depth == 0) return i + 1;
    }
  }
  return 0;
}

std::optional<Json> first_json(std::string_view reply, char bracket) {
  std::size_t begin = reply.find(bracket);
  for (int tries = 0; tries < max_tries && begin != std::string_view::npos; ++tries) {
    const auto length = bracketed_length(reply.substr(begin));
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
  const auto json = first_json(reply, '[');
  return json ? std::optional(texts_of(*json)) : std::nullopt;
}

std::optional<TextLists> text_lists_in(std::string_view reply) {
  const auto json = first_json(reply, '{');
  if (!json) return std::nullopt;
  TextLists lists;
  for (const auto& [name, value] : json->items()) lists.emplace_back(name, texts_of(value));
  return lists;
}

}  // namespace trustsql::nl2sql
