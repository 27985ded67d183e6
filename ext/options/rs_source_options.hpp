// The options of the functions over a `source` of predictions: how it is read, and how systems are compared.
#pragma once

#include "ext/options/execution_options.hpp"
#include "score/reliability/outcome_reader.hpp"
#include "score/statistics/bootstrap.hpp"

namespace trustsql::ext {

inline constexpr Option<std::optional<std::string>> source_database_option = {
    .key = "database",
    .description = "The database file for rows that name none; by default the database of this connection."};
inline constexpr Option<OnGoldError> source_on_gold_error_option = {
    .key = "on_gold_error",
    .description = "The effect of a gold query that fails: error, or skip (its rows are excluded and counted).",
    .default_value = BatchOptions{}.on_gold_error,
    .choices = gold_error_choices};

// For judging the predictions of a source without a column `case`.
inline constexpr auto source_options =
    option_table(execution_options, source_database_option, source_on_gold_error_option);

inline constexpr Option<MissingRows> missing_option = {
    .key = "missing",
    .description =
        "The effect of a question without a row in one of the systems: error, or count (it is excluded and "
        "counted).",
    .default_value = MissingRows::error,
    .choices = {{"error", MissingRows::error}, {"count", MissingRows::count}}};
inline constexpr Option<std::int64_t> bootstrap_option = {
    .key = "bootstrap",
    .description = "Replicates of the bootstrap; 0 for no intervals.",
    .default_value = BootstrapOptions{}.replicates,
    .min = 0,
    .max = 1'000'000};
inline constexpr Option<double> confidence_level_option = {.key = "confidence_level",
                                                           .description = "The level of the intervals.",
                                                           .default_value = BootstrapOptions{}.level,
                                                           .min = 0.01,
                                                           .max = 0.9999};
inline constexpr Option<std::optional<std::string>> cluster_option = {
    .key = "cluster",
    .description =
        "A column, for example database: the bootstrap resamples its values with all their questions; by "
        "default it resamples questions."};
inline constexpr Option<std::uint64_t> bootstrap_seed_option = {
    .key = "seed", .description = "The seed of the bootstrap.", .default_value = BootstrapOptions{}.seed};

// For the treatment of missing rows and for confidence intervals.
inline constexpr auto interval_options =
    option_table(missing_option, bootstrap_option, confidence_level_option, cluster_option, bootstrap_seed_option);

// The values of interval_options about the bootstrap.
inline BootstrapOptions bootstrap_options_of(const Options& options) {
  return {.replicates = options.get(bootstrap_option),
          .level = options.get(confidence_level_option),
          .seed = options.get(bootstrap_seed_option)};
}

}  // namespace trustsql::ext
