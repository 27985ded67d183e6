// The options of schema_hallucinate and schema_link.
#pragma once

#include "ext/options/schema_options.hpp"
#include "ext/services/session.hpp"
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
inline constexpr Option<std::optional<std::string>> hallucination_examples_option = {
    .key = "examples",
    .description =
        "A table or SELECT of other examples for the prompt, with the columns question and answer (a schema "
        "such as \"Club(name, id)\", or what kind asks for); by default six built-in ones."};
inline constexpr Option<std::optional<std::size_t>> shots_option = {
    .key = "shots",
    .description =
        "The number of examples in the prompt, no more than there are; by default 6, or all if they are "
        "fewer. With order_seed it is a random choice of them.",
    .min = 0,
    .max = 1000};
inline constexpr Option<std::optional<std::uint64_t>> order_seed_option = {
    .key = "order_seed",
    .description = "The seed for shuffling the examples; by default their order is fixed.",
    .min = 0};
inline constexpr Option<double> hallucination_temperature_option = {
    .key = "temperature", .description = "The temperature of the model.", .default_value = 0, .min = 0, .max = 2};

inline constexpr auto hallucination_options =
    option_table(hallucination_kind_option, hallucination_examples_option, shots_option, order_seed_option,
                 hallucination_temperature_option);

// Sets what hallucination_options give; examples are read on the host's connection. Errors: those of reading them; an
// example without question or answer; more shots than examples.
Status apply_options(Session& session, const Options& options, nl2sql::HallucinationOptions& hallucination);

// --- schema_link -----------------------------------------------------------------------------------------------------

// How columns are chosen: by Eq. 6, or by the probes in turn.
enum class Selection { greedy, turns };

inline constexpr Option<link::LinkForm> link_form_option = {
    .key = "form",
    .description =
        "paper: CRUSH4SQL and its baselines as published, nothing else; texts are compared by the vectors of embed(), "
        "and only declared foreign keys are edges. extended: with the additions of this project: columns are compared "
        "in their surroundings, abbreviations are understood, foreign keys are inferred from names where a database "
        "declares none, and all probes together are evidence for each column.",
    .default_value = link::LinkOptions{}.form,
    .choices = {{"paper", link::LinkForm::paper}, {"extended", link::LinkForm::extended}}};

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
inline constexpr Option<std::optional<JsonTexts>> hallucinated_option = {
    .key = "hallucinated",
    .description = "The hallucinated schema, such as [\"Club(name, id)\"]; by default that of schema_hallucinate."};
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
inline constexpr Option<std::optional<bool>> joint_evidence_option = {
    .key = "evidence",
    .description =
        "false: without the combined evidence of all probes about a column, its table and its database, an addition to "
        "the paper's method. By default true in the extended form; the paper's form has none."};
inline constexpr Option<Selection> selection_option = {
    .key = "selection",
    .description =
        "greedy: by Eq. 6; turns: as in the paper's public code, the uncovered probe whose best column scores "
        "highest chooses next; when all are covered, all are uncovered again.",
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
inline constexpr Option<std::optional<double>> sharpness_option = {
    .key = "sharpness",
    .description =
        "The factor b of the soft maximum (1 / b) log(sum of exp(b x)) in Eq. 3 and 5; by default 1 in the "
        "paper's form and 30 in the extended one.",
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

inline constexpr auto link_options = option_table(
    link_form_option, link_method_option, element_source_option, hallucinated_option, entropy_option, edges_option,
    coverage_option, context_option, joint_evidence_option, selection_option, candidates_option, lambda_option,
    gamma_option, sharpness_option, context_weight_option, schema_options);

// Error: evidence in the paper's form.
Status check_link_options(const Options& options);

// The values of link_options, except `source`, `hallucinated` and those of schema_options. `by_model`: the hallucinated
// schema was written by a model, which matters for the defaults.
link::LinkOptions link_options_of(const Options& options, std::size_t budget, bool by_model);

}  // namespace trustsql::ext
