// Script: answers of a ScriptedServer as JSON, for .test files and programs.
//
//   {"rules": [
//     {"contains": ["singer", "How many"], "content": "SELECT count(*) FROM singer"},
//     {"path": "/v1/chat/completions", "times": 1, "status": 429, "headers": {"Retry-After": "1"}},
//     {"content": ["SELECT 1", "SELECT 2"], "logprobs": [[-0.1], [-0.7]]}
//   ]}
//
// The first rule that matches and has not been used up answers. Conditions of a rule:
//   path            of the request, without the query
//   model           of the request
//   contains        a text, or several texts that must all be in the request's messages or inputs
//   times           how often the rule answers; without it any number of times
// What it answers:
//   content         of chat completions: a text, or texts that the n choices use in turn, across requests too
//   finish_reason   "stop" without it
//   logprobs        for each content, its tokens' log-probabilities
//   ignore_n        true: one choice, however many are asked for
//   embed           embeddings, made from the hashes of a text's words: true for vectors of 8 numbers, or how many
//   body, body_hex  the whole body, as it is
//   status, headers, delay_ms, drip_ms, endless, cut_after, hang_after
// If no rule matches, the answer is 400, "no rule of the script answers this".
#pragma once

#include <memory>
#include <string>

#include "endpoint/scripted_server.hpp"

namespace endpoint_testing {

class Script {
 public:
  // Throws std::runtime_error if `text` is not such a script.
  explicit Script(const std::string& text);
  ~Script();

  // Thread-safe.
  ScriptedReply answer(const SeenRequest& request);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace endpoint_testing
