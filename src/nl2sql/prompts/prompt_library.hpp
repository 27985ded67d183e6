// PromptLibrary: all prompts by name. Prompts are data: a prompt is a row of a table in src/nl2sql/prompts/, with one
// file for each stage, and its text can be replaced for one connection (trustsql_prompts). The wording is our own; the
// contents and their order follow the papers.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "llm/chat.hpp"
#include "nl2sql/prompts/prompt_template.hpp"

namespace trustsql::nl2sql {

// A row of the tables in src/nl2sql/prompts/.
struct PromptSpec {
  std::string_view name;         // the name of its stage, or "stage.part"
  std::string_view description;  // its source in the papers and its purpose, in one sentence
  std::string_view values;       // the values for its placeholders, in the syntax of PromptShape
  std::string_view text;         // in the language of PromptTemplate
};

// All prompts, sorted by name.
std::span<const PromptSpec> prompt_specs();

// A value type: a connection has one, and a call that uses several threads makes its own copy.
class PromptLibrary {
 public:
  // The built-in texts.
  PromptLibrary() = default;

  // The prompt `name` with `values` in place of its placeholders. Thread-safe as long as no text is being replaced.
  // Errors: invalid_argument (no prompt of that name), internal (a value is missing), limit_exceeded (too long).
  Result<std::vector<llm::Message>> render(std::string_view name, const PromptValues& values) const;

  // The current text of the prompt `name`. Error (invalid_argument): there is no prompt of that name.
  Result<std::string_view> text(std::string_view name) const;
  bool is_replaced(std::string_view name) const { return replaced_.find(name) != replaced_.end(); }

  // Uses `text` from now on, or the built-in text again. Errors (invalid_argument): no prompt of that name; those of
  // PromptTemplate::parse(), with the prompt's name.
  Status replace(std::string_view name, std::string_view text);
  Status restore(std::string_view name);

 private:
  struct Replacement {
    std::string text;
    PromptTemplate parsed;
  };
  std::map<std::string, Replacement, std::less<>> replaced_;
};

}  // namespace trustsql::nl2sql
