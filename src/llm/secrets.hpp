// Secrets: texts that must not appear in any message, reply, trace or file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trustsql::llm {

class Secrets {
 public:
  // Adds a secret; an empty text is ignored.
  void add(std::string_view secret);
  // Adds the parts of a URL that may be secret: user name and password, and the query's values except api-version.
  void add_url(std::string_view url);

  // For the extension's own messages, including quoted server messages: masks all secrets, also in their
  // percent-encoded and JSON forms.
  std::string scrub(std::string text) const;
  // For a model's replies: masks only secrets of at least 8 bytes. A shorter one ("none", "ollama") is a placeholder
  // that no server checks, and may be an ordinary word of the reply.
  std::string scrub_reply(std::string text) const;

 private:
  std::vector<std::string> secrets_;  // longest first
};

}  // namespace trustsql::llm
