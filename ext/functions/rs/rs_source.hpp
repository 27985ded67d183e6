// What the functions over a `source` of predictions share: reading it, and writing results.
#pragma once

#include "ext/adaptor/table.hpp"
#include "ext/options/rs_report_options.hpp"
#include "score/reliability/outcome_reader.hpp"

namespace trustsql::ext {

// Opens `source` and reads it as `reader` and `options` (those of source_options) specify. The wrong answers are kept
// in `wrong_answers`, unless it is null.
Result<OutcomeTable> read_source(Session& session, const SharedScope& scope, std::string_view source,
                                 const Options& options, OutcomeReaderOptions reader,
                                 WrongAnswers* wrong_answers = nullptr);

// Reads `source` as report_options specify, grouped by the columns `by`, and adds the questions that the option
// `questions` lists.
Result<OutcomeTable> read_report_source(Session& session, const SharedScope& scope, std::string_view source,
                                        const Options& options, std::vector<std::string> by,
                                        WrongAnswers* wrong_answers = nullptr);

// Builds a result cell by cell.
class RowWriter {
 public:
  // Creates a result with the columns that `columns`, a table's FunctionDoc::columns, declares.
  explicit RowWriter(std::string_view columns);

  // Writes the next cells, one for each argument; an Interval takes two cells, for its ends.
  template <class... Cells>
  void write(const Cells&... cells) {
    (cell(cells), ...);
  }
  ResultSet finish() && { return std::move(rows_); }

 private:
  void cell(std::int64_t value) { rows_.append(ValueView::of_integer(value)); }
  void cell(double value) { rows_.append(ValueView::of_real(value)); }
  void cell(const Number& value) { rows_.append(value.as_value()); }
  void cell(std::string_view text) { rows_.append(ValueView::of_text(text)); }
  void cell(ValueView value) { rows_.append(value); }
  void cell(std::nullopt_t) { rows_.append(ValueView::null()); }
  void cell(const Interval& interval) { write(interval.low, interval.high); }
  void cell(const std::optional<Interval>& interval) {
    interval ? write(*interval) : write(std::nullopt, std::nullopt);
  }
  template <class T>
  void cell(const std::optional<T>& value) {
    value ? write(*value) : write(std::nullopt);
  }

  ResultSet rows_;
};

}  // namespace trustsql::ext
