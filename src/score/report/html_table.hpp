// HtmlTable: a table of the HTML report, written cell by cell.
//
// A number is written as <data value="...">: the page shows it rounded, while the attribute carries the exact value
// from rs_report. Texts are escaped here. Under the table stands a link that saves it as CSV, with the exact values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "score/report/html_csv.hpp"
#include "score/statistics/bootstrap.hpp"

namespace trustsql {

struct NumberStyle {
  std::optional<Interval> interval = {};  // shown below the number
  bool best = false;                      // set in bold
  int decimals = 1;
  int digits = 0;  // significant digits; 0: as many as the decimals give
};

class HtmlTable {
 public:
  // `caption` says what the table shows. A table wider than the page scrolls on its own; the link in it lets a keyboard
  // reach it. `id` must be unique on the page; it names the CSV file. A line feed in a column's heading ends the
  // heading proper; the text after it is set small. `intervals`: the columns (from 0) whose numbers have intervals,
  // which are columns of their own in the CSV file. `grouped`: group() will be called.
  HtmlTable(std::string_view id, std::string_view caption, const std::vector<std::string>& columns,
            const std::vector<bool>& intervals = {}, bool grouped = false);

  // The heading of the rows that follow; `note` is added to it on the page.
  void group(std::string_view name, std::string_view note = {});
  // Begins a row; `name` is its first cell. `classes` may be empty. With `index`, a swatch in the colour of that system
  // precedes the name.
  void row(std::string_view name, std::string_view classes = {}, std::optional<std::size_t> index = {});
  // Adds the next cell of the row; nullopt is shown as a dash.
  void text(std::string_view content);
  void count(std::int64_t value);
  void number(std::optional<double> value, const NumberStyle& style = {});

  std::string finish() &&;

 private:
  void close_row();

  std::string html_;
  std::string id_;
  CsvWriter csv_;
  std::size_t columns_ = 0;
  std::vector<bool> intervals_;  // by column
  bool grouped_ = false;
  std::string group_;       // the heading of the rows that are written
  std::size_t column_ = 0;  // of the next cell
  bool in_row_ = false;
  bool in_body_ = false;
};

}  // namespace trustsql
