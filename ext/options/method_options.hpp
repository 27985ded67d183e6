// The options that select the method by which questions are answered, and override parts of it.
#pragma once

#include "base/options.hpp"
#include "ext/options/execution_options.hpp"
#include "ext/options/question_options.hpp"
#include "nl2sql/method.hpp"

namespace trustsql::ext {

// What samples must share to agree; see nl2sql::VoteRule.
enum class Vote { reply, text, execution, equivalence };

inline constexpr Option<std::optional<std::string>> method_option = {
    .key = "method", .description = "The method, by the papers' names; by default the setting nl2sql_method."};
inline constexpr Option<bool> infeasible_type_option = {
    .key = "type",
    .description =
        "true: in a second request, CLS asks for the type of a question that cannot be answered; the reason "
        "names it.",
    .default_value = false};
inline constexpr Option<std::optional<int>> demonstrations_option = {
    .key = "demonstrations",
    .description = "S: examples of the question's database in the prompt; by default 8 for SQLPROMPT, 9 for DAIL.",
    .min = 0,
    .max = 1'000};
inline constexpr Option<int> rewrite_rows_option = {.key = "rewrite_rows",
                                                    .description = "K: rows of each table that RW sees.",
                                                    .default_value = nl2sql::MethodNumbers{}.rewrite_rows,
                                                    .min = 0,
                                                    .max = 1'000};
inline constexpr Option<int> content_rows_option = {
    .key = "content_rows",
    .description = "N: rows of each table that CAP puts into the prompt.",
    .default_value = nl2sql::MethodNumbers{}.content_rows,
    .min = 0,
    .max = 1'000};
inline constexpr Option<int> ranked_rows_option = {
    .key = "ranked_rows",
    .description =
        "The most rows of a table that CAP ranks by their relevance to the question. Of a bigger table half of them "
        "are its first rows, the others are at random positions (in a table without rowids all are its first rows).",
    .default_value = nl2sql::MethodNumbers{}.ranked_rows,
    .min = 1,
    .max = 1'000'000'000};
inline constexpr Option<int> rounds_option = {.key = "rounds",
                                              .description = "R: rounds of ER.",
                                              .default_value = nl2sql::MethodNumbers{}.rounds,
                                              .min = 0,
                                              .max = 100};
inline constexpr Option<int> result_rows_option = {.key = "result_rows",
                                                   .description = "M: rows of a result that ER shows.",
                                                   .default_value = nl2sql::MethodNumbers{}.result_rows,
                                                   .min = 0,
                                                   .max = 1'000};
inline constexpr Option<std::optional<int>> samples_option = {
    .key = "samples",
    .description = "n: samples of each generation of SQL; by default 1, with SC and VOTING 5, with C3 20.",
    .min = 1,
    .max = 128};
inline constexpr Option<std::optional<double>> generation_temperature_option = {
    .key = "temperature",
    .description = "T: the temperature of each generation of SQL; by default 0, or 1 if there are several samples.",
    .min = 0,
    .max = 2};
inline constexpr Option<std::optional<Vote>> vote_option = {
    .key = "vote",
    .description =
        "What samples must share to agree: `reply` (the texts as they came), `text` (the SQL, cleaned), "
        "`execution` (the result), `equivalence` (proved).",
    .choices = {{"reply", Vote::reply},
                {"text", Vote::text},
                {"execution", Vote::execution},
                {"equivalence", Vote::equivalence}}};
inline constexpr Option<std::optional<nl2sql::Quorum>> quorum_option = {
    .key = "quorum",
    .description = "How many of them must agree: `majority` (the largest group wins), `unanimous` (all).",
    .choices = {{"majority", nl2sql::Quorum::majority}, {"unanimous", nl2sql::Quorum::unanimous}}};
inline constexpr Option<int> asks_again_option = {
    .key = "asks_again",
    .description = "How often a query with LEFT JOIN or SELECT * is requested again if ER forbids them.",
    .default_value = nl2sql::MethodNumbers{}.asks_again,
    .min = 0,
    .max = 100};
inline constexpr Option<int> recall_samples_option = {.key = "recall_samples",
                                                      .description = "Samples of C3's recall of tables and of columns.",
                                                      .default_value = nl2sql::MethodNumbers{}.recall_samples,
                                                      .min = 1,
                                                      .max = 128};
inline constexpr Option<int> link_budget_option = {.key = "budget",
                                                   .description = "Columns that CRUSH leaves in the schema.",
                                                   .default_value = nl2sql::MethodNumbers{}.link_budget,
                                                   .min = 1,
                                                   .max = 100'000};
inline constexpr Option<std::optional<double>> threshold_option = {
    .key = "threshold", .description = "The confidence below which it abstains; by default none.", .min = 0, .max = 1};
inline constexpr Option<std::optional<std::vector<nl2sql::Signal>>> confidence_option = {
    .key = "confidence",
    .description =
        "What the confidence is the product of, any of votes (share of the samples that agree), maxprob, "
        "maxent (as exp(-MaxEnt)), verification (of ERROR); by default votes and verification as far as the "
        "method has them.",
    .choices = {{"votes", nl2sql::Signal::votes},
                {"maxprob", nl2sql::Signal::max_probability},
                {"maxent", nl2sql::Signal::max_entropy},
                {"verification", nl2sql::Signal::verification}}};

inline constexpr Option<std::optional<nl2sql::UnknownFunctions>> unknown_functions_option = {
    .key = "unknown_functions",
    .description =
        "What a query is that calls a function which neither SQLite nor this connection has: `answer` (a wrong answer, "
        "as in the papers; the default without ->RUNS), `abstain`. With ->RUNS it is never an answer.",
    .choices = {{"answer", nl2sql::UnknownFunctions::answer}, {"abstain", nl2sql::UnknownFunctions::abstain}}};
inline constexpr Option<std::optional<TrustsqlDataset>> method_dataset_option = {
    .key = "dataset",
    .description =
        "Queries are tried as the TrustSQL benchmark runs those of this data set: for ehrsql, NOW(), CURDATE(), "
        "DATE_SUB(...), current_time and the like are translated first, as with semantics trustsql. The answer itself "
        "stays as it was written.",
    .choices = dataset_choices};

inline constexpr auto method_options =
    option_table(method_option, infeasible_type_option, demonstrations_option, rewrite_rows_option, content_rows_option,
                 ranked_rows_option, rounds_option, result_rows_option, samples_option, generation_temperature_option,
                 vote_option, quorum_option, asks_again_option, recall_samples_option, link_budget_option,
                 threshold_option, confidence_option, unknown_functions_option, method_dataset_option);

// The options of every function that runs questions through the pipeline.
inline constexpr auto nl2sql_options = option_table(method_options, question_options);

// Overrides what `options` give, except `method`. Error (invalid_argument): options that do not go together.
Status apply_options(const Options& options, nl2sql::Method& method);

}  // namespace trustsql::ext
