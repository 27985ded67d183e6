// PromptLibrary: every prompt by its name. Prompts are data: a prompt is a row of a table in src/nl2sql/prompts/, one
// file for each stage, and its text can be replaced for one connection (trustsql_prompts). Their wording is our own;
// what they hold and in which order is what the papers describe.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "llm/chat.hpp"
#include "nl2sql/prompt_template.hpp"

namespace trustsql::nl2sql {

// A row of the tables in src/nl2sql/prompts/.
struct PromptSpec {
  std::string_view name;         // that of its stage, or "stage.part"
  std::string_view description;  // where in which paper, in one sentence
  std::string_view values;       // what can stand in its placeholders, as PromptShape has it
  std::string_view text;         // in the language of PromptTemplate
};

// All of them, by name.
std::span<const PromptSpec> prompt_specs();

// A value: a connection keeps one, and a call that works on several threads its own copy.
class PromptLibrary {
 public:
  // The texts as they are built in.
  PromptLibrary() = default;

  // The prompt `name` with `values` in its places. Thread-safe as long as nobody replaces a text.
  // Errors: invalid_argument (no prompt of that name), internal (a value is missing), limit_exceeded (too long).
  Result<std::vector<llm::Message>> render(std::string_view name, const PromptValues& values) const;

  // The text of the prompt `name` as it is used. Error: invalid_argument, no prompt of that name.
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
