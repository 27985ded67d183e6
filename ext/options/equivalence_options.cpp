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

equiv::Question question_of(Session& session, const Options& options) {
  equiv::Question question;
  question.assume = assume_of(options.get(assume_option));
  if (const auto ignored = options.get(ignore_option)) question.ignored = equiv::Deviations(*ignored);
  question.rows = options.get(rows_as_option);
  question.databases = options.get(compared_databases_option);
  question.seed = options.get(compared_seed_option);
  question.timeout = std::chrono::milliseconds(
      options.get(equivalence_timeout_option).value_or(session.settings().integer(Setting::equivalence_timeout_ms)));
  question.stop = [&session] { return session.database().interrupted(); };
  return question;
}

}  // namespace trustsql::ext
