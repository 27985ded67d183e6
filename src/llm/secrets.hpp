// Secrets: what must not be seen in any message, reply, trace or file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trustsql::llm {

class Secrets {
 public:
  // An empty text is none.
  void add(std::string_view secret);
  // The parts of a URL that may be secret: user name and password, and the values of the query but api-version.
  void add_url(std::string_view url);

  // For our own messages and what servers say there: all secrets are masked, also in their percent-encoded and JSON
  // forms.
  std::string scrub(std::string text) const;
  // For what a model answers: those of at least 8 bytes alone. A shorter one ("none", "ollama") is a placeholder that
  // no server checks, and may well be a word of the answer.
  std::string scrub_reply(std::string text) const;

 private:
  std::vector<std::string> secrets_;  // longest first
};

}  // namespace trustsql::llm
