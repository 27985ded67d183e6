// JsonWriter: writes JSON text value by value, without a document in memory.
//
// nlohmann::json would do as well, but its destructor allocates memory, and so do the moves of an ordered object that
// grows: where there is none left, they end the process of the host (json_release.hpp).
//
//   JsonWriter json;
//   json.begin_object().key("name").value("Ann").key("ages").begin_array().value(3).value(4).end_array().end_object();
//   std::move(json).text();  // {"name":"Ann","ages":[3,4]}
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace trustsql {

class JsonWriter {
 public:
  JsonWriter& begin_object() { return open('{'); }
  JsonWriter& end_object() { return close('}'); }
  JsonWriter& begin_array() { return open('['); }
  JsonWriter& end_array() { return close(']'); }

  // The name of the next member of an object.
  JsonWriter& key(std::string_view name);

  // A text; bytes that are not valid UTF-8 become U+FFFD.
  JsonWriter& value(std::string_view text);
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(bool truth) { return json(truth ? "true" : "false"); }
  // The shortest digits that read back as the same number; null for infinities and NaN, which JSON does not have.
  JsonWriter& value(double number);
  template <std::integral Integer>
  JsonWriter& value(Integer number) {
    return json(std::to_string(number));
  }
  JsonWriter& null() { return json("null"); }

  // An array of texts.
  template <class Texts>
  requires requires(const Texts& texts) {
    std::string_view(*texts.begin());
  } &&(!std::convertible_to<Texts, std::string_view>)JsonWriter& value(const Texts& texts) {
    begin_array();
    for (const auto& text : texts) value(std::string_view(text));
    return end_array();
  }

  // A value that is JSON already.
  JsonWriter& json(std::string_view text);

  // What was written. Precondition: every object and array is closed.
  std::string text() && { return std::move(text_); }

 private:
  JsonWriter& open(char bracket);
  JsonWriter& close(char bracket);
  void separate();

  std::string text_;
  bool needs_comma_ = false;
};

}  // namespace trustsql
