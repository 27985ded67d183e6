#include "db/results/result_json.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/text.hpp"

namespace trustsql {

namespace {

nlohmann::ordered_json to_json(ValueView value) {
  switch (value.type) {
    case ValueType::null: return nullptr;
    case ValueType::integer: return value.integer;
    case ValueType::real:
      if (std::isinf(value.real)) return value.real > 0 ? "Infinity" : "-Infinity";
      return value.real;
    case ValueType::text: return std::string(value.bytes);
    case ValueType::blob: {
      constexpr std::string_view digits = "0123456789abcdef";
      std::string hex;
      hex.reserve(2 * value.bytes.size());
      for (const char byte : value.bytes) {
        hex += digits[static_cast<unsigned char>(byte) >> 4];
        hex += digits[static_cast<unsigned char>(byte) & 15];
      }
      return {{"blob", hex}};
    }
  }
  return nullptr;
}

nlohmann::ordered_json rows_of(const ResultSet& result, std::size_t max_rows) {
  auto rows = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < std::min(result.row_count(), max_rows); ++i) {
    auto row = nlohmann::ordered_json::array();
    for (std::size_t j = 0; j < result.column_count(); ++j) row.push_back(to_json(result.at(i, j)));
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string text_of(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace

std::string result_json(const ResultSet& result, std::size_t max_rows) {
  nlohmann::ordered_json json;
  json["columns"] = result.column_names();
  json["rows"] = rows_of(result, max_rows);
  if (max_rows < result.row_count()) json["more"] = true;
  return text_of(json);
}

std::string column_names_json(const ResultSet& result) { return text_of(result.column_names()); }

std::string rows_json(const ResultSet& result, std::size_t max_rows) { return text_of(rows_of(result, max_rows)); }

}  // namespace trustsql
