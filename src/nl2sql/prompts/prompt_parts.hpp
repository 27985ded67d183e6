// What the prompts of several generators have in common.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "nl2sql/method.hpp"
#include "nl2sql/prompts/prompt_library.hpp"
#include "nl2sql/prompts/schema_text.hpp"
#include "nl2sql/stages/stage.hpp"
#include "nl2sql/trace.hpp"

namespace trustsql::nl2sql {

// The warning that a part of a method, `what`, had to do without rows: "CAP showed no rows, ...".
std::string without_rows(std::string_view what);

// The values that every prompt has: schema (attempt.schema in `style`), question, evidence and content (empty). If the
// style shows values, they are read only if rows may be sent; otherwise there is a warning. Errors: those of
// ContentReader.
Result<PromptValues> basic_values(SchemaStyle style, Attempt& attempt, StageContext& context);

// The rows of each table in a context-aware prompt; 0: the method has none.
struct ContextRows {
  std::size_t shown = 0;
  std::size_t ranked = 0;  // by their relevance

  static ContextRows of(const Method& method);
};

// The value `content` of a context-aware prompt (DART-SQL, section 3.2), in the layout of Listing 2; empty if it has no
// rows, or rows may not be sent. There is a warning if they may not, and one for each table of which not all rows were
// ranked. Errors: those of relevant_rows().
Result<std::string> content_text(const ContextRows& rows, Attempt& attempt, StageContext& context);

// Asks for text other than SQL: one sample at temperature 0, or several at temperature 1. Sets the input of `step`,
// which the caller finishes. Errors: those of PromptLibrary::render() and StageContext::ask().
Result<std::vector<std::string>> ask_text(TracedStep& step, std::string_view prompt, const PromptValues& values,
                                          const ModelOptions& model, int samples, StageContext& context);

}  // namespace trustsql::nl2sql
