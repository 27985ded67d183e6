// What rs_report and rs_html have in common: options that say what a report holds.
#pragma once

#include "ext/rs_source.hpp"
#include "score/report.hpp"

namespace trustsql::ext {

inline constexpr auto report_options = joined(
    joined(std::to_array<OptionSpec>({
               {.key = "c",
                .type = OptionType::scalar,
                .description = "One more penalty, a number >= 0 or 'N', beside 0, 10 and N."},
               {.key = "infeasible_share",
                .type = OptionType::real,
                .description = "Gives RS also as it were if this share of the questions, 0 to 1, were infeasible.",
                .min = 0,
                .max = 1},
               {.key = "questions",
                .type = OptionType::text,
                .description = "A source whose column id lists all questions, so that one which no system has a row "
                               "for is found missing."},
           }),
           comparison_options),
    source_options);

// What report_options say, but for `questions`.
Result<ReportOptions> report_options_of(const Options& options);

// Reads `source` as report_options say, grouped by the columns `by`, and tells it of the questions that `questions`
// lists.
Result<OutcomeTable> read_report_source(Session& session, const SharedScope& scope, std::string_view source,
                                        const Options& options, std::vector<std::string> by);

}  // namespace trustsql::ext
