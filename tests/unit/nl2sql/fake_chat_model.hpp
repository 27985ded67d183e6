// A fake language model: its replies are a script or a function, and it records its requests.
#pragma once

#include <deque>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "llm/chat.hpp"

namespace trustsql::nl2sql {

class FakeChatModel final : public llm::ChatModel {
 public:
  using Answer = std::function<Result<llm::ChatReply>(const llm::ChatRequest&)>;

  // Answers the requests with `script`, one entry for each, in order; a request beyond the last one is an error.
  explicit FakeChatModel(std::vector<std::string> script = {}) {
    for (auto& reply : script) add(std::move(reply));
  }
  explicit FakeChatModel(Answer answer) : answer_(std::move(answer)) {}

  // The next request's answer: one text for all its samples, or one text for each of them, or an error.
  void add(std::string reply) { script_.push_back(std::vector<std::string>{std::move(reply)}); }
  void add_samples(std::vector<std::string> replies) { script_.push_back(std::move(replies)); }
  // A reply that the server cut at its limit.
  void add_cut(std::string reply) {
    cut_.insert(reply);
    add(std::move(reply));
  }
  void add_error(Error error) { script_.push_back(std::move(error)); }

  // A reply whose samples are `texts`, repeated if they are fewer than `samples`.
  static llm::ChatReply reply(const std::vector<std::string>& texts, int samples = 1) {
    llm::ChatReply reply;
    for (int i = 0; i < samples; ++i) {
      reply.choices.push_back(
          {.text = texts[static_cast<std::size_t>(i) % texts.size()], .finish_reason = "stop", .logprobs = {}});
    }
    reply.usage.requests = 1;
    return reply;
  }

  Result<llm::ChatReply> complete(const llm::ChatRequest& request, const llm::RequestContext& context) override {
    if (context.stop && context.stop()) return Error{ErrorCode::interrupted, "interrupted"};
    const std::lock_guard lock(mutex_);
    requests_.push_back(request);
    if (answer_) return answer_(request);
    if (script_.empty())
      return internal_error("the script has no answer to request " + std::to_string(requests_.size()));
    auto next = std::move(script_.front());
    script_.pop_front();
    if (!next.ok()) return std::move(next).error();
    auto answer = reply(*next, request.samples);
    for (auto& choice : answer.choices)
      if (cut_.contains(choice.text)) choice.finish_reason = "length";
    return answer;
  }

  // Its requests, in order. Not while another thread sends one.
  const std::vector<llm::ChatRequest>& requests() const { return requests_; }
  // All messages of a request, one after the other, each after "role: ".
  std::string text(std::size_t request) const {
    std::string all;
    for (const auto& message : requests_.at(request).messages)
      all += std::string(llm::role_name(message.role)) + ": " + message.text + "\n";
    return all;
  }
  bool is_used_up() const { return script_.empty(); }

 private:
  Answer answer_;
  std::deque<Result<std::vector<std::string>>> script_;
  std::set<std::string> cut_;
  std::mutex mutex_;
  std::vector<llm::ChatRequest> requests_;
};

}  // namespace trustsql::nl2sql
