// CsvWriter: a table as comma-separated values (RFC 4180), and as a link of the HTML report that saves it.
#pragma once

#include <string>
#include <string_view>

namespace trustsql {

class CsvWriter {
 public:
  // The next cell of the row. A text that a spreadsheet would take for a formula (it begins with = + - @, a tab or a
  // carriage return) gets an apostrophe before it: texts come from databases, and nobody expects them to be run.
  void text(std::string_view content);
  // A number, as it is; empty: none.
  void number(std::string_view digits);
  void end_row();

  // All rows so far, each ended by CR LF.
  const std::string& rows() const { return rows_; }
  // The rows as a data URI (RFC 2397), of letters that need no escaping within an attribute.
  std::string data_uri() const;

 private:
  void separate();

  std::string rows_;
  bool in_row_ = false;
};

}  // namespace trustsql
