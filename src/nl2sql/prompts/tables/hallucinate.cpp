// Hallucinating a schema, CRUSH4SQL's first phase (section 3.1, Tables 1 and 4): from the question alone, without
// seeing the schema.
#include "nl2sql/prompts/tables/tables.hpp"

namespace trustsql::nl2sql {

std::span<const PromptSpec> hallucinate_prompts() {
  static constexpr PromptSpec prompts[] = {
      {.name = "hallucinate.relations",
       .description = "CRUSH4SQL's second alternative (Table 4, Relations): which properties of which subjects the "
                      "question asks for, in phrases.",
       .values = "examples[question, answer], question",
       .text = R"([user]
A question is to be answered from a relational database that you cannot see. Say which properties of which subjects it needs, each as a short
phrase such as "length of the river", separated by commas, and nothing else.

{#examples}
Question: {question}
Relations: {answer}

{/examples}
Question: {question}
Relations:)"},
      {.name = "hallucinate.schema",
       .description = "CRUSH4SQL's prompt (section 3.1, Table 1): a minimal schema that could answer the question.",
       .values = "examples[question, answer], question",
       .text = R"([user]
A question is to be answered from a relational database that you cannot see. Make up the smallest schema that can answer it: tables with
their columns, written as table(column, column), separated by commas. Use general names for the values in the question, and include
the columns that join the tables. Write nothing else.

{#examples}
Question: {question}
Schema: {answer}

{/examples}
Question: {question}
Schema:)"},
      {.name = "hallucinate.variables",
       .description = "CRUSH4SQL's first alternative (Table 4, Variables): the things that the question mentions.",
       .values = "examples[question, answer], question",
       .text = R"([user]
A question is to be answered from a relational database that you cannot see. List the variables that it mentions, in general terms, separated
by commas, and nothing else.

{#examples}
Question: {question}
Variables: {answer}

{/examples}
Question: {question}
Variables:)"},
  };
  return prompts;
}

}  // namespace trustsql::nl2sql
