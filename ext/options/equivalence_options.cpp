#include "ext/options/equivalence_options.hpp"

namespace trustsql::ext {

plan::Assume assume_of(Assumed assumed) {
  auto assume = plan::Assume::nothing();
  switch (assumed) {
    case Assumed::none: break;
    case Assumed::types: assume.declared_types = true; [[fallthrough]];
    case Assumed::constraints: assume.primary_key_not_null = assume.foreign_keys = assume.checks = true; break;
    case Assumed::texts: assume.number_texts = true; break;
    case Assumed::ties: assume.ties = true; break;
  }
  return assume;
}

plan::Assume assume_of(std::span<const Assumed> assumed) {
  auto all = plan::Assume::nothing();
  for (const auto each : assumed) {
    const auto more = assume_of(each);
    all.primary_key_not_null |= more.primary_key_not_null;
    all.foreign_keys |= more.foreign_keys;
    all.checks |= more.checks;
    all.declared_types |= more.declared_types;
    all.number_texts |= more.number_texts;
    all.ties |= more.ties;
  }
  return all;
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
