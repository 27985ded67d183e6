// The options that rs_report and rs_html share: they define the contents of a report.
#pragma once

#include "ext/functions/rs/rs_source.hpp"
#include "score/report/report.hpp"

namespace trustsql::ext {

inline constexpr auto report_options = joined(
    joined(std::to_array<OptionSpec>({
               {.key = "c",
                .type = OptionType::scalar,
                .description = "One more penalty, a number >= 0 or 'N', in addition to 0, 10 and N."},
               {.key = "infeasible_share",
                .type = OptionType::real,
                .description = "Also gives RS as it would be if this share of the questions, 0 to 1, were infeasible.",
                .min = 0,
                .max = 1},
               {.key = "questions",
                .type = OptionType::text,
                .description = "A source whose column id lists all questions, so that questions for which no system "
                               "has a row are reported as missing."},
           }),
           comparison_options),
    source_options);

// The values of report_options, except `questions`.
Result<ReportOptions> report_options_of(const Options& options);

// Reads `source` as report_options specify, grouped by the columns `by`, and adds the questions that the option
// `questions` lists.
Result<OutcomeTable> read_report_source(Session& session, const SharedScope& scope, std::string_view source,
                                        const Options& options, std::vector<std::string> by);

}  // namespace trustsql::ext
