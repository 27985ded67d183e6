// The options of the functions that compare the meaning of two queries.
#pragma once

#include "equiv/verdict.hpp"
#include "ext/options/schema_options.hpp"

namespace trustsql::ext {

// What may be assumed although SQLite does not enforce it. Rewriting a single query makes no use of `ties`.
enum class Assumed { none, constraints, types, texts, ties };
inline constexpr Choices<Assumed> rewriting_assume_choices = {
    {"none", Assumed::none}, {"constraints", Assumed::constraints}, {"types", Assumed::types}};
plan::Assume assume_of(Assumed assumed);
// All of them together.
plan::Assume assume_of(std::span<const Assumed> assumed);

// Names `deviation` in the choices of an option.
constexpr Choice<equiv::Deviation> deviation_choice(equiv::Deviation deviation) {
  return {equiv::name(deviation), deviation};
}

inline constexpr Assumed assumed_by_default[] = {Assumed::none};
inline constexpr Option<std::vector<Assumed>> assume_option = {
    .key = "assume",
    .description =
        "What is assumed although SQLite does not enforce it, one or several of: `none`; `constraints`: declared "
        "primary keys hold no NULL, foreign keys and CHECKs are satisfied; `types`: in addition, columns hold values "
        "of their declared types; `texts`: columns of texts that a query takes for numbers hold texts of numbers ('5', "
        "not '05'; of integers, where it casts them to INTEGER); `ties`: where LIMIT, a bare column, group_concat or a "
        "window function leaves open which rows come first, both queries take the same ones, if they order equal rows "
        "by equal keys.",
    .default_value = assumed_by_default,
    .choices = {{"none", Assumed::none},
                {"constraints", Assumed::constraints},
                {"types", Assumed::types},
                {"texts", Assumed::texts},
                {"ties", Assumed::ties}}};
inline constexpr Option<std::optional<std::vector<equiv::Deviation>>> ignore_option = {
    .key = "ignore",
    .description =
        "Grades that do not count as a difference, any of duplicates, empty, column_order, row_order, null, "
        "foreign_key, type, case, affinity.",
    .choices = {deviation_choice(equiv::Deviation::duplicates), deviation_choice(equiv::Deviation::empty),
                deviation_choice(equiv::Deviation::column_order), deviation_choice(equiv::Deviation::row_order),
                deviation_choice(equiv::Deviation::null), deviation_choice(equiv::Deviation::foreign_key),
                deviation_choice(equiv::Deviation::type), deviation_choice(equiv::Deviation::letter_case),
                deviation_choice(equiv::Deviation::affinity)}};
inline constexpr Option<equiv::RowsAs> rows_as_option = {
    .key = "rows",
    .description =
        "How results are compared: `auto`, as lists if one of the queries has ORDER BY at its outermost "
        "level, else as bags; `list`, where rows that no ORDER BY puts in order may come in any; `bag`; `set`.",
    .default_value = equiv::RowsAs::automatic,
    .choices = {{"auto", equiv::RowsAs::automatic},
                {"list", equiv::RowsAs::list},
                {"bag", equiv::RowsAs::bag},
                {"set", equiv::RowsAs::set}}};
inline constexpr Option<int> compared_databases_option = {
    .key = "databases",
    .description = "The maximum number of random databases to try, in addition to those generated for the pair.",
    .default_value = equiv::RefuteOptions::default_databases,
    .min = 1,
    .max = 100'000};
inline constexpr Option<std::uint64_t> compared_seed_option = {.key = "seed",
                                                               .description = "The seed of the random databases.",
                                                               .default_value = equiv::RefuteOptions::default_seed,
                                                               .min = 0};
inline constexpr Option<std::optional<std::int64_t>> equivalence_timeout_option = {
    .key = "timeout_ms",
    .description = "Overrides the setting equivalence_timeout_ms.",
    .min = 1,
    .max = 24 * 3600 * 1000};

inline constexpr auto equivalence_options =
    option_table(schema_options, assume_option, ignore_option, rows_as_option, compared_databases_option,
                 compared_seed_option, equivalence_timeout_option);

// The values of equivalence_options, except those of schema_options.
equiv::ComparisonOptions comparison_options_of(Session& session, const Options& options);

}  // namespace trustsql::ext
