#include "base/json_writer.hpp"

#include <nlohmann/json.hpp>
#include <utility>

namespace trustsql {

namespace {

// Of one number or text; the destructors of those allocate nothing.
std::string json_of(const nlohmann::json& scalar) {
  return scalar.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

void JsonWriter::separate() {
  if (needs_comma_) text_ += ',';
}

JsonWriter& JsonWriter::open(char bracket) {
  separate();
  text_ += bracket;
  needs_comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
  text_ += bracket;
  needs_comma_ = true;
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  value(name);
  text_ += ':';
  needs_comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) { return json(json_of(std::string(text))); }

JsonWriter& JsonWriter::value(double number) { return json(json_of(number)); }

JsonWriter& JsonWriter::json(std::string_view text) {
  separate();
  text_ += text;
  needs_comma_ = true;
  return *this;
}

}  // namespace trustsql
