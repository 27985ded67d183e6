// The options of sql_similarity.
#pragma once

#include <array>

#include "equiv/similarity/options.hpp"
#include "ext/options/schema_options.hpp"

namespace trustsql::ext {

inline constexpr Option<double> node_weight_option = {
    .key = "alpha",
    .description = "relpm, astpm: the weight of a node itself; its children share the rest.",
    .default_value = SimilarityOptions{}.alpha,
    .min = 0.01,
    .max = 0.99};
inline constexpr Option<double> recall_weight_option = {
    .key = "beta",
    .description =
        "relpm, astpm: above 1, recall (the share of the first query that is in the second) has more "
        "weight, below 1 precision.",
    .default_value = SimilarityOptions{}.beta,
    .min = 0.01,
    .max = 100};
inline constexpr Option<TreeScoring> tree_scoring_option = {
    .key = "scoring",
    .description =
        "relpm, astpm: mean is the mean match of all nodes (FuncEvalGMN's Appendix A.3); recursive goes down from the "
        "root, where each node has the share omega of its score and its children the rest (A.2).",
    .default_value = SimilarityOptions{}.scoring,
    .choices = {{"mean", TreeScoring::mean}, {"recursive", TreeScoring::recursive}}};
inline constexpr Option<double> own_share_option = {
    .key = "omega",
    .description = "relpm, astpm with scoring recursive: a node's own share of its score.",
    .default_value = SimilarityOptions{}.omega,
    .min = 0.01,
    .max = 0.99};
inline constexpr Option<std::optional<std::vector<Value>>> clause_weights_option = {
    .key = "clause_weights",
    .description =
        "relpm: weights of operators and their subtrees, as alternating names and numbers, such as "
        "[\"filter\", 2, \"sort\", 0.5]; the others have 1. The names are scan, filter, project, join, "
        "aggregate, window, distinct, sort, limit, set."};
inline constexpr Option<int> max_n_option = {
    .key = "max_n",
    .description = "bleu, crystalbleu, codebleu, codebleu-rot: the longest n-grams.",
    .default_value = SimilarityOptions{}.max_n,
    .min = 1,
    .max = max_ngram};
inline constexpr Option<std::optional<std::string>> corpus_option = {
    .key = "corpus",
    .description =
        "crystalbleu: a table, view or SELECT with a column `sql`, whose most frequent n-grams are ignored. "
        "Without it, n-grams of only keywords, operators and punctuation are ignored."};
inline constexpr Option<std::size_t> ignored_ngrams_option = {
    .key = "k",
    .description = "crystalbleu: how many n-grams of the corpus are ignored.",
    .default_value = 500,
    .min = 0,
    .max = 1'000'000};
inline constexpr std::array default_code_weights = {
    SimilarityOptions{}.ngram_weight, SimilarityOptions{}.keyword_weight, SimilarityOptions{}.syntax_weight,
    SimilarityOptions{}.dataflow_weight};
inline constexpr Option<std::vector<Value>> code_weights_option = {
    .key = "weights",
    .description = "codebleu, codebleu-rot: weights of n-grams, keywords, syntax and data flow.",
    .default_value = default_code_weights};
inline constexpr Option<std::optional<std::string>> judge_model_option = {
    .key = "model", .description = "g-eval: the model that judges; the setting llm_model by default."};
inline constexpr Option<bool> weighted_option = {
    .key = "weighted",
    .description =
        "g-eval: true returns the model's probability of 1 against 0 instead of 0 or 1, if the server "
        "returns probabilities.",
    .default_value = false};

inline constexpr auto similarity_options =
    option_table(node_weight_option, recall_weight_option, tree_scoring_option, own_share_option, clause_weights_option,
                 schema_options, max_n_option, corpus_option, ignored_ngrams_option, code_weights_option,
                 judge_model_option, weighted_option);

// The values of similarity_options, except those of schema_options and those about the corpus and the judge. Errors
// (invalid_argument): weights that are none.
Result<SimilarityOptions> similarity_options_of(const Options& options);

}  // namespace trustsql::ext
