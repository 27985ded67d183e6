// The options of schema_hallucinate and schema_link.
#pragma once

#include "ext/options/schema_options.hpp"
#include "link/linker.hpp"
#include "nl2sql/stages/hallucinate.hpp"

namespace trustsql::ext {

// --- schema_hallucinate ----------------------------------------------------------------------------------------------

inline constexpr Option<nl2sql::HallucinationKind> hallucination_kind_option = {
    .key = "kind",
    .description = "What the model is asked for: a schema, variables or relations (CRUSH4SQL, Table 4).",
    .default_value = nl2sql::HallucinationKind::schema,
    .choices = {{"schema", nl2sql::HallucinationKind::schema},
                {"variables", nl2sql::HallucinationKind::variables},
                {"relations", nl2sql::HallucinationKind::relations}}};
inline constexpr Option<std::size_t> shots_option = {.key = "shots",
                                                     .description = "Examples in the prompt.",
                                                     .default_value = nl2sql::hallucination_examples,
                                                     .min = 0,
                                                     .max = nl2sql::hallucination_examples};
inline constexpr Option<std::optional<std::uint64_t>> order_seed_option = {
    .key = "order_seed",
    .description = "The seed for shuffling the examples; by default their order is fixed.",
    .min = 0};
inline constexpr Option<double> hallucination_temperature_option = {
    .key = "temperature", .description = "The temperature of the model.", .default_value = 0, .min = 0, .max = 2};

inline constexpr auto hallucination_options =
    option_table(hallucination_kind_option, shots_option, order_seed_option, hallucination_temperature_option);

// Sets what hallucination_options give.
void apply_options(const Options& options, nl2sql::HallucinationOptions& hallucination);

// --- schema_link -----------------------------------------------------------------------------------------------------

// How columns are chosen: by Eq. 6, or by the probes in turn.
enum class Selection { greedy, turns };

inline constexpr Option<link::LinkMethod> link_method_option = {
    .key = "method",
    .description =
        "crush: collective retrieval; dpr: the question's vector alone; cosine: the candidates C(x) themselves; "
        "maxsim: word by "
        "word.",
    .default_value = link::LinkOptions{}.method,
    .choices = {{"crush", link::LinkMethod::crush},
                {"dpr", link::LinkMethod::dpr},
                {"cosine", link::LinkMethod::cosine},
                {"maxsim", link::LinkMethod::maxsim}}};
inline constexpr Option<std::optional<std::string>> element_source_option = {
    .key = "source",
    .description =
        "A table or SELECT of elements instead of the schema. Its columns are tbl and col, and optionally "
        "db (the database, in a union of several) and refs (the \"table.column\" that a foreign key refers "
        "to)."};
inline constexpr Option<std::optional<std::string>> hallucinated_option = {
    .key = "hallucinated",
    .description =
        "The hallucinated schema, a JSON array of texts like '[\"Club(name, id)\"]'; by default that of "
        "schema_hallucinate."};
inline constexpr Option<bool> entropy_option = {
    .key = "entropy",
    .description = "false: without entropy-guided similarity (Eq. 1 and 2).",
    .default_value = link::LinkOptions{}.entropy};
inline constexpr Option<bool> edges_option = {
    .key = "edges", .description = "false: without connectivity (Eq. 5).", .default_value = link::LinkOptions{}.edges};
inline constexpr Option<bool> coverage_option = {
    .key = "coverage",
    .description = "false: a plain sum instead of the soft maximum (Eq. 3 and 4).",
    .default_value = link::LinkOptions{}.coverage};
inline constexpr Option<bool> context_option = {
    .key = "context",
    .description = "false: probes are embedded without the question as a prefix.",
    .default_value = link::LinkOptions{}.context};
inline constexpr Option<bool> joint_evidence_option = {
    .key = "evidence",
    .description =
        "false: without the combined evidence of all probes about a database and about joined tables, an "
        "addition to the paper's method.",
    .default_value = link::LinkOptions{}.evidence};
inline constexpr Option<Selection> selection_option = {
    .key = "selection",
    .description = "greedy: by Eq. 6; turns: the probes choose in turn, as in the paper's public code.",
    .default_value = link::LinkOptions{}.take_turns ? Selection::turns : Selection::greedy,
    .choices = {{"greedy", Selection::greedy}, {"turns", Selection::turns}}};
inline constexpr Option<std::size_t> candidates_option = {.key = "candidates",
                                                          .description = "|C(x)|, at least the budget.",
                                                          .default_value = link::LinkOptions{}.candidates,
                                                          .min = 1,
                                                          .max = 100000};
inline constexpr Option<double> lambda_option = {.key = "lambda",
                                                 .description = "Weight of connectivity in Eq. 6.",
                                                 .default_value = link::LinkOptions{}.lambda,
                                                 .min = 0,
                                                 .max = 1000};
inline constexpr Option<double> gamma_option = {.key = "gamma",
                                                .description = "Strength of a connection in Eq. 5.",
                                                .default_value = link::LinkOptions{}.gamma,
                                                .min = 0,
                                                .max = 10};
inline constexpr Option<double> sharpness_option = {
    .key = "sharpness",
    .description = "The factor of similarities in the soft maximum; 1 in the paper.",
    .default_value = link::LinkOptions{}.sharpness,
    .min = 0.001,
    .max = 200};
inline constexpr Option<double> context_weight_option = {
    .key = "context_weight",
    .description =
        "Weight of the question in a probe's vector; if it is not given, and the hallucinated schema was not written "
        "by a model, it is 1.",
    .default_value = link::LinkOptions{}.context_weight,
    .min = 0,
    .max = 100};

inline constexpr auto link_options =
    option_table(link_method_option, element_source_option, hallucinated_option, entropy_option, edges_option,
                 coverage_option, context_option, joint_evidence_option, selection_option, candidates_option,
                 lambda_option, gamma_option, sharpness_option, context_weight_option, schema_options);

// The values of link_options, except `source`, `hallucinated` and those of schema_options. `by_model`: the hallucinated
// schema was written by a model, which matters for the defaults.
link::LinkOptions link_options_of(const Options& options, std::size_t budget, bool by_model);

}  // namespace trustsql::ext
