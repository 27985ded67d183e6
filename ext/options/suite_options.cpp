#include "ext/options/suite_options.hpp"

namespace trustsql::ext {

equiv::SuiteOptions suite_options_of(Session& session, const Options& options) {
  equiv::SuiteOptions suite;
  suite.deviations = equiv::Deviations(options.get(deviations_option));
  suite.neighbours = options.get(neighbours_option);
  suite.databases = options.get(suite_databases_option);
  suite.largest = options.get(largest_option);
  suite.seed = options.get(suite_seed_option);
  suite.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(options.get(suite_timeout_option));
  suite.stop = [&session] { return session.database().interrupted(); };
  return suite;
}

}  // namespace trustsql::ext
