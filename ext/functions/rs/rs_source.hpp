// What the functions over a `source` of predictions share: reading it, and the options for that.
#pragma once

#include <array>

#include "ext/adaptor/table.hpp"
#include "score/reliability/outcome_reader.hpp"
#include "score/statistics/bootstrap.hpp"

namespace trustsql::ext {

// Options for judging the predictions of a source without a column `case`.
inline constexpr auto source_options = joined(
    std::to_array(exec_option_specs),
    std::to_array<OptionSpec>({
        {.key = "database",
         .type = OptionType::text,
         .description = "The database file for rows that name none; by default the database of this connection."},
        {.key = "on_gold_error",
         .type = OptionType::text,
         .description =
             "The effect of a gold query that fails: error (the default), or skip (its rows are excluded and counted).",
         .choices = "error|skip"},
    }));

// Options for the treatment of missing rows and for confidence intervals.
inline constexpr auto comparison_options = std::to_array<OptionSpec>({
    {.key = "missing",
     .type = OptionType::text,
     .description = "The effect of a question without a row in one of the systems: error (the default), or count (it "
                    "is excluded and counted).",
     .choices = "error|count"},
    {.key = "bootstrap",
     .type = OptionType::integer,
     .description = "Replicates of the bootstrap; 1000 by default, 0 for no intervals.",
     .min = 0,
     .max = 1'000'000},
    {.key = "confidence_level",
     .type = OptionType::real,
     .description = "The level of the intervals; 0.95 by default.",
     .min = 0.01,
     .max = 0.9999},
    {.key = "cluster",
     .type = OptionType::text,
     .description = "A column, for example database: the bootstrap resamples its values with all their questions; by "
                    "default it resamples questions."},
    {.key = "seed", .type = OptionType::integer, .description = "The seed of the bootstrap; 0 by default."},
});

// How many threads a table may use: the setting, or 1 if SQLite was built without mutexes.
std::size_t threads_of(const Session& session);

// Opens `source` and reads it as `reader` and `options` (those of source_options) specify.
Result<OutcomeTable> read_source(Session& session, const SharedScope& scope, std::string_view source,
                                 const Options& options, OutcomeReaderOptions reader);

MissingRows missing_rows_of(const Options& options);
BootstrapOptions bootstrap_of(const Options& options);

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
