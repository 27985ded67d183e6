#include "score/report/html_csv.hpp"

#include "base/text.hpp"

namespace trustsql {

namespace {

bool is_taken_for_formula(std::string_view text) {
  return !text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos;
}

// Whether a byte stands for itself in a URI: RFC 3986's unreserved characters, and the comma, of which there are many.
bool is_plain_in_uri(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("-._~,").find(c) != std::string_view::npos;
}

}  // namespace

void CsvWriter::separate() {
  if (in_row_) rows_ += ',';
  in_row_ = true;
}

void CsvWriter::text(std::string_view content) {
  separate();
  std::string cell = replace_invalid_utf8(std::string(content));
  if (is_taken_for_formula(cell)) cell.insert(0, 1, '\'');
  if (cell.find_first_of(",\"\r\n") == std::string::npos) {
    rows_ += cell;
    return;
  }
  rows_ += '"';
  for (const char c : cell) rows_.append(c == '"' ? 2 : 1, c);
  rows_ += '"';
}

void CsvWriter::number(std::string_view digits) {
  separate();
  rows_ += digits;
}

void CsvWriter::end_row() {
  rows_ += "\r\n";
  in_row_ = false;
}

std::string CsvWriter::data_uri() const {
  static constexpr std::string_view hexadecimal = "0123456789ABCDEF";
  std::string uri = "data:text/csv;charset=utf-8,";
  for (const char c : rows_) {
    if (is_plain_in_uri(c)) {
      uri += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    uri += '%';
    uri += hexadecimal[byte >> 4];
    uri += hexadecimal[byte & 0xf];
  }
  return uri;
}

}  // namespace trustsql
