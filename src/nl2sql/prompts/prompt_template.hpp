// The template language of prompts: text with placeholders, structured as a conversation.
//
//   [system]                   on a line of its own: begins a system message; likewise [user], [assistant]
//   {question}                 the value of that name
//   {#examples}...{/examples}  once for each item of a list; inside, the item's values hide those outside
//   {?evidence}...{/evidence}  only if that value is not empty
//   {!evidence}...{/evidence}  only if it is
//   {{  }}                     a brace
//
// A line that contains only a section tag produces no output. A text that does not begin with a message tag is a user
// message. Nothing else is special, and nothing is executed; values are data: a placeholder, a tag or a message in a
// value is plain text. A template is checked against the values of its prompt, so a misspelt name is an error when the
// template is parsed.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "llm/chat.hpp"

namespace trustsql::nl2sql {

// The values of placeholders: texts, and lists whose items have values of their own.
struct PromptValues {
  std::map<std::string, std::string, std::less<>> texts;
  std::map<std::string, std::vector<PromptValues>, std::less<>> lists;
};

// The names of a prompt's values, written as "question, databases[schema, examples[question, answer]]".
struct PromptShape {
  std::vector<std::string> texts;
  std::map<std::string, PromptShape, std::less<>> lists;

  // Error (internal): `text` is not of this form.
  static Result<PromptShape> parse(std::string_view text);
};

class PromptTemplate {
 public:
  static constexpr std::size_t max_bytes = std::size_t{1} << 20;
  static constexpr std::size_t max_depth = 8;  // nesting of sections
  static constexpr std::size_t max_rendered_bytes = std::size_t{64} << 20;

  // Errors (invalid_argument, with the line): a placeholder that is not in `shape` at this place (the message lists
  // those that are), a section that is not closed or does not match its value, a single brace, text before the first
  // message, a template that is too long or nested too deeply.
  static Result<PromptTemplate> parse(std::string_view text, const PromptShape& shape);

  // The conversation. White space at the ends of a message is removed, and empty messages are dropped.
  // Errors: internal (a value is missing), limit_exceeded (max_rendered_bytes).
  Result<std::vector<llm::Message>> render(const PromptValues& values) const;

  struct Node {
    enum class Kind { text, message, value, each, if_present, if_empty };
    Kind kind = Kind::text;
    std::string text;  // the text, or the name of the value
    llm::Role role = llm::Role::user;
    std::vector<Node> body;  // the contents of a section
  };

 private:
  explicit PromptTemplate(std::vector<Node> nodes) : nodes_(std::move(nodes)) {}

  std::vector<Node> nodes_;
};

}  // namespace trustsql::nl2sql
