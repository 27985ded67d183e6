// The options that say what a question in natural language is about.
#pragma once

#include "ext/options/schema_options.hpp"

namespace trustsql::ext {

inline constexpr Option<std::optional<std::string>> examples_option = {
    .key = "examples",
    .description =
        "A table, view or query with examples. Its columns are question, sql (NULL: cannot be answered) "
        "and, optionally, type, db and schema. By default the table trustsql_examples, if it exists; an "
        "empty text means no examples. No examples are used if llm_send_examples and llm_send_rows do not "
        "allow sending them to the server; naming some is then an error."};
inline constexpr Option<std::string> evidence_option = {
    .key = "evidence",
    .description = "External knowledge about the question, which is added to the prompts.",
    .default_value = ""};

inline constexpr auto question_options = option_table(schema_options, examples_option, evidence_option);

}  // namespace trustsql::ext
