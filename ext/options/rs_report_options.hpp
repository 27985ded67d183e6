// The options that rs_report and rs_html share: they define the contents of a report.
#pragma once

#include "ext/options/rs_source_options.hpp"
#include "score/report/report.hpp"

namespace trustsql::ext {

inline constexpr Option<std::optional<Value>> report_penalty_option = {
    .key = "c", .description = "One more penalty, a number >= 0 or 'N', in addition to 0, 10 and N."};
inline constexpr Option<std::optional<double>> infeasible_share_option = {
    .key = "infeasible_share",
    .description = "Also gives RS as it would be if this share of the questions, 0 to 1, were infeasible.",
    .min = 0,
    .max = 1};
inline constexpr Option<std::optional<std::string>> questions_option = {
    .key = "questions",
    .description =
        "A source whose column id lists all questions, so that questions for which no system has a row are "
        "reported as missing."};

inline constexpr auto report_options =
    option_table(report_penalty_option, infeasible_share_option, questions_option, interval_options, source_options);

// The values of report_options, except `questions` and those of source_options. Error (invalid_argument): the penalty
// is none, or so large that a mean would not be finite.
Result<ReportOptions> report_options_of(const Options& options);

}  // namespace trustsql::ext
