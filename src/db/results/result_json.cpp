#include "db/results/result_json.hpp"

#include <algorithm>
#include <cmath>

#include "base/json_writer.hpp"

namespace trustsql {

namespace {

std::string hex_of(std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string hex;
  hex.reserve(2 * bytes.size());
  for (const char byte : bytes) {
    hex += digits[static_cast<unsigned char>(byte) >> 4];
    hex += digits[static_cast<unsigned char>(byte) & 15];
  }
  return hex;
}

void write(ValueView value, JsonWriter& json) {
  switch (value.type) {
    case ValueType::null: json.null(); break;
    case ValueType::integer: json.value(value.integer); break;
    case ValueType::real:
      if (std::isinf(value.real)) {
        json.value(value.real > 0 ? "Infinity" : "-Infinity");
      } else {
        json.value(value.real);
      }
      break;
    case ValueType::text: json.value(value.bytes); break;
    case ValueType::blob: json.begin_object().key("blob").value(hex_of(value.bytes)).end_object(); break;
  }
}

void write_rows(const ResultSet& result, std::size_t max_rows, JsonWriter& json) {
  json.begin_array();
  for (std::size_t i = 0; i < std::min(result.row_count(), max_rows); ++i) {
    json.begin_array();
    for (std::size_t j = 0; j < result.column_count(); ++j) write(result.at(i, j), json);
    json.end_array();
  }
  json.end_array();
}

}  // namespace

std::string result_json(const ResultSet& result, std::size_t max_rows) {
  JsonWriter json;
  json.begin_object().key("columns").value(result.column_names()).key("rows");
  write_rows(result, max_rows, json);
  if (max_rows < result.row_count()) json.key("more").value(true);
  return std::move(json.end_object()).text();
}

std::string column_names_json(const ResultSet& result) {
  return std::move(JsonWriter().value(result.column_names())).text();
}

std::string rows_json(const ResultSet& result, std::size_t max_rows) {
  JsonWriter json;
  write_rows(result, max_rows, json);
  return std::move(json).text();
}

}  // namespace trustsql
