#include "ext/options/equivalence_options.hpp"

namespace trustsql::ext {

plan::Assume assume_of(Assumed assumed) {
  switch (assumed) {
    case Assumed::none: break;
    case Assumed::constraints: return plan::Assume();
    case Assumed::types: return plan::Assume::everything();
  }
  return plan::Assume::nothing();
}

equiv::ComparisonOptions comparison_options_of(Session& session, const Options& options) {
  equiv::ComparisonOptions comparison;
  comparison.assume = assume_of(options.get(assume_option));
  if (const auto ignored = options.get(ignore_option)) comparison.ignored = equiv::Deviations(*ignored);
  comparison.rows = options.get(rows_as_option);
  comparison.databases = options.get(compared_databases_option);
  comparison.seed = options.get(compared_seed_option);
  comparison.timeout = std::chrono::milliseconds(
      options.get(equivalence_timeout_option).value_or(session.settings().integer(Setting::equivalence_timeout_ms)));
  comparison.stop = [&session] { return session.database().interrupted(); };
  return comparison;
}

}  // namespace trustsql::ext
