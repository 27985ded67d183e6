#include "ext/options/rs_report_options.hpp"

#include "base/text.hpp"

namespace trustsql::ext {

Result<ReportOptions> report_options_of(const Options& options) {
  ReportOptions report;
  report.missing = missing_rows_of(options);
  report.infeasible_share = options.real("infeasible_share");
  report.clustered = options.has("cluster");
  report.bootstrap = bootstrap_of(options);
  if (const auto c = options.scalar("c")) {
    TRUSTSQL_ASSIGN_OR_RETURN(report.c, parse_penalty(trustsql::view(*c)));
    // Every mean in a report has to be a finite number.
    if (!report.c->is_n() && report.c->value(0) > largest_penalty)
      return invalid_argument("option 'c' must be at most " + format_real(largest_penalty));
  }
  return report;
}

Result<OutcomeTable> read_report_source(Session& session, const SharedScope& scope, std::string_view source,
                                        const Options& options, std::vector<std::string> by) {
  const auto questions = options.text("questions");
  TRUSTSQL_ASSIGN_OR_RETURN(
      auto table,
      read_source(session, scope, source, options,
                  {.by = std::move(by), .cluster = options.text("cluster"), .needs_id = questions.has_value()}));
  if (questions) {
    TRUSTSQL_ASSIGN_OR_RETURN(auto listed, Source::open(session.host(), *questions));
    TRUSTSQL_RETURN_IF_ERROR(expect_questions(std::move(listed), table));
  }
  return table;
}

}  // namespace trustsql::ext
