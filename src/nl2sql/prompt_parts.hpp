// What the prompts of several generators have in common.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "nl2sql/prompts.hpp"
#include "nl2sql/schema_text.hpp"
#include "nl2sql/stage.hpp"
#include "nl2sql/trace.hpp"

namespace trustsql::nl2sql {

// The values schema, question, evidence and content (empty): those that every prompt has, for attempt.schema in
// `style`. Of a style with values these are read where rows may be sent. Errors: of ContentReader.
Result<PromptValues> basic_values(SchemaStyle style, const Attempt& attempt, StageContext& context);

// The value content of a context-aware prompt (DART-SQL, section 3.2): at most `rows` rows of each table, in the layout
// of Listing 2; empty where `rows` is 0 or rows may not be sent. Errors: of relevant_rows().
Result<std::string> content_text(std::size_t rows, const Attempt& attempt, StageContext& context);

// Asks for a text that is no SQL: temperature 0 and one sample, or `samples` at temperature 1. `step` is given the
// conversation, and the caller finishes it. Errors: of PromptLibrary::render() and StageContext::ask().
Result<std::vector<std::string>> ask_text(TracedStep& step, std::string_view prompt, const PromptValues& values,
                                          const ModelOptions& model, int samples, StageContext& context);

}  // namespace trustsql::nl2sql
