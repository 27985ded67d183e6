// The options of the functions that judge predictions by execution.
#pragma once

#include "base/options.hpp"
#include "ext/services/session.hpp"
#include "score/execution/batch.hpp"

namespace trustsql::ext {

// The steps of PredictionCleaning.
enum class CleaningStep { fence, quotes, space, abstain };

inline constexpr Option<ExecSemantics> semantics_option = {.key = "semantics",
                                                           .description = "How results are compared.",
                                                           .default_value = ExecOptions{}.semantics,
                                                           .choices = {{"bag", ExecSemantics::bag},
                                                                       {"spider", ExecSemantics::spider},
                                                                       {"trustsql", ExecSemantics::trustsql},
                                                                       {"strict", ExecSemantics::strict}}};
inline constexpr Option<SpiderDistinct> distinct_option = {
    .key = "distinct",
    .description = "With semantics spider: drop removes every DISTINCT from both queries, keep does not.",
    .default_value = ExecOptions{}.distinct,
    .choices = {{"drop", SpiderDistinct::drop}, {"keep", SpiderDistinct::keep}}};
inline constexpr Choices<TrustsqlDataset> dataset_choices = {{"atis", TrustsqlDataset::atis},
                                                             {"advising", TrustsqlDataset::advising},
                                                             {"ehrsql", TrustsqlDataset::ehrsql},
                                                             {"spider", TrustsqlDataset::spider}};
inline constexpr Option<TrustsqlDataset> dataset_option = {.key = "dataset",
                                                           .description = "With semantics trustsql: whose rules apply.",
                                                           .default_value = ExecOptions{}.dataset,
                                                           .choices = dataset_choices};
inline constexpr Option<std::optional<std::vector<CleaningStep>>> clean_option = {
    .key = "clean",
    .description =
        "How predictions are cleaned before they are judged, any of fence (unwrap a fenced block), quotes "
        "(\"x\" becomes 'x'), space (fold white space), abstain (a text without SELECT is an abstention); "
        "the default is none, and with semantics trustsql fence, space and abstain.",
    .choices = {{"fence", CleaningStep::fence},
                {"quotes", CleaningStep::quotes},
                {"space", CleaningStep::space},
                {"abstain", CleaningStep::abstain}}};

// The options of every function that computes EX.
inline constexpr auto execution_options = option_table(semantics_option, distinct_option, dataset_option, clean_option);

// What an option `on_gold_error` may be.
inline constexpr Choices<OnGoldError> gold_error_choices = {{"error", OnGoldError::error}, {"skip", OnGoldError::skip}};
inline constexpr Option<OnGoldError> on_gold_error_option = {
    .key = "on_gold_error",
    .description = "The effect of a gold query that fails: error makes the call fail, skip gives the row no case.",
    .default_value = BatchOptions{}.on_gold_error,
    .choices = gold_error_choices};

// The values of execution_options. Error (invalid_argument): an option that does not go with the semantics.
Result<ExecOptions> exec_options(const Options& options);

// The batch options for judging predictions as `options` specify: those of execution_options and, if it is listed,
// on_gold_error_option. The limits come from the settings. Errors: those of exec_options().
Result<BatchOptions> batch_options(const Session& session, const Options& options);

}  // namespace trustsql::ext
