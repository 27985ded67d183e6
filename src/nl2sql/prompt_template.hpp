// The language in which prompts are written: text with placeholders, in the shape of a conversation.
//
//   [system]                   a line of its own: here begins a message of the system, or of [user], [assistant]
//   {question}                 the value of that name
//   {#examples}...{/examples}  once for each item of a list; inside, the item's own values come before those around it
//   {?evidence}...{/evidence}  only if that value is not empty
//   {!evidence}...{/evidence}  only if it is
//   {{  }}                     a brace
//
// A line that holds nothing but one of the section tags leaves nothing behind. A text that does not begin with a
// message is one of the user. Nothing else is special and nothing is run; a value is data: what looks like a
// placeholder, a tag or a message in it is text. A template is checked against the values that its prompt has, so a
// misspelt name is an error when the template is made.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "llm/chat.hpp"

namespace trustsql::nl2sql {

// What is put in the places of placeholders: texts, and lists whose items have values of their own.
struct PromptValues {
  std::map<std::string, std::string, std::less<>> texts;
  std::map<std::string, std::vector<PromptValues>, std::less<>> lists;
};

// The names that a prompt's values have, written as "question, databases[schema, examples[question, answer]]".
struct PromptShape {
  std::vector<std::string> texts;
  std::map<std::string, PromptShape, std::less<>> lists;

  // Error (internal): not of that form.
  static Result<PromptShape> parse(std::string_view text);
};

class PromptTemplate {
 public:
  static constexpr std::size_t max_bytes = std::size_t{1} << 20;
  static constexpr std::size_t max_depth = 8;  // of sections in each other
  static constexpr std::size_t max_rendered_bytes = std::size_t{64} << 20;

  // Errors (invalid_argument, with the line): a placeholder that `shape` does not have there (the message lists those
  // it has), a section without its end or that is none of its kind, a single brace, text before the first message, too
  // long, too deep.
  static Result<PromptTemplate> parse(std::string_view text, const PromptShape& shape);

  // The conversation; white space at the ends of a message is dropped, and a message of which nothing is left.
  // Errors: internal (a value is missing), limit_exceeded (max_rendered_bytes).
  Result<std::vector<llm::Message>> render(const PromptValues& values) const;

  struct Node {
    enum class Kind { text, message, value, each, if_present, if_empty };
    Kind kind = Kind::text;
    std::string text;  // the text, or the name
    llm::Role role = llm::Role::user;
    std::vector<Node> body;  // of a section
  };

 private:
  explicit PromptTemplate(std::vector<Node> nodes) : nodes_(std::move(nodes)) {}

  std::vector<Node> nodes_;
};

}  // namespace trustsql::nl2sql
