#include "ext/options/rs_report_options.hpp"

#include "base/text.hpp"

namespace trustsql::ext {

Result<ReportOptions> report_options_of(const Options& options) {
  ReportOptions report;
  report.missing = options.get(missing_option);
  report.infeasible_share = options.get(infeasible_share_option);
  report.clustered = options.has(cluster_option);
  report.bootstrap = bootstrap_options_of(options);
  if (const auto c = options.get(report_penalty_option)) {
    TRUSTSQL_ASSIGN_OR_RETURN(report.c, parse_penalty(trustsql::view(*c)));
    // Every mean in a report has to be a finite number.
    if (!report.c->is_n() && report.c->value(0) > largest_penalty)
      return invalid_argument("option 'c' must be at most " + format_real(largest_penalty) + ", not " +
                              format_real(report.c->value(0)));
  }
  return report;
}

}  // namespace trustsql::ext
