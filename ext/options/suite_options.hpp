// The options of sql_suite_generate.
#pragma once

#include "equiv/suite.hpp"
#include "ext/options/equivalence_options.hpp"

namespace trustsql::ext {

inline constexpr Option<std::vector<equiv::Deviation>> deviations_option = {
    .key = "deviations",
    .description =
        "What the databases may contain in addition to ordinary rows, any of null, case, empty, "
        "foreign_key, type.",
    .default_value = equiv::SuiteOptions::default_deviations,
    .choices = {deviation_choice(equiv::Deviation::null), deviation_choice(equiv::Deviation::letter_case),
                deviation_choice(equiv::Deviation::empty), deviation_choice(equiv::Deviation::foreign_key),
                deviation_choice(equiv::Deviation::type)}};
inline constexpr Option<std::size_t> neighbours_option = {
    .key = "neighbours",
    .description = "The maximum number of neighbours of each gold query.",
    .default_value = equiv::SuiteSize{}.neighbours,
    .min = 1,
    .max = 10'000};
inline constexpr Option<int> suite_databases_option = {
    .key = "databases",
    .description =
        "The number of random databases to choose from, in addition to those generated for the gold "
        "queries.",
    .default_value = equiv::SuiteSize{}.databases,
    .min = 1,
    .max = 100'000};
inline constexpr Option<std::size_t> largest_option = {.key = "largest",
                                                       .description = "The maximum number of databases in the suite.",
                                                       .default_value = equiv::SuiteSize{}.largest,
                                                       .min = 1,
                                                       .max = 999};
inline constexpr Option<std::uint64_t> suite_seed_option = {.key = "seed",
                                                            .description = "The seed of the random databases.",
                                                            .default_value = equiv::SuiteSize{}.seed,
                                                            .min = 0};
inline constexpr Option<std::string> suite_name_option = {
    .key = "name", .description = "The name of the files: <name>_001.sqlite and so on.", .default_value = "suite"};
inline constexpr Option<std::int64_t> suite_timeout_option = {
    .key = "timeout_ms",
    .description = "Milliseconds for trying databases. The suite consists of what has been found by then.",
    .default_value = 60'000,
    .min = 1,
    .max = 24 * 3600 * 1000};

inline constexpr auto suite_options =
    option_table(schema_options, deviations_option, neighbours_option, suite_databases_option, largest_option,
                 suite_seed_option, suite_name_option, suite_timeout_option);

// The values of suite_options, except `name` and those of schema_options. The time begins now.
equiv::SuiteOptions suite_options_of(Session& session, const Options& options);

}  // namespace trustsql::ext
