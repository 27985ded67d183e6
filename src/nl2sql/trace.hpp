// Writing rows of a trace: the time, requests and tokens of a step are measured, the rest is given by the caller.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "nl2sql/stages/stage.hpp"

namespace trustsql::nl2sql {

// A step in progress; finish() adds its row, and without it there is none. Warnings of the attempt that are not in the
// trace yet follow the decision. Both arguments must outlive this object.
class TracedStep {
 public:
  TracedStep(Attempt& attempt, const StageContext& context, std::string_view stage)
      : attempt_(attempt), context_(context), begun_(std::chrono::steady_clock::now()), before_(context.usage) {
    row_.stage = stage;
  }

  // The input of the step: the conversation, or the SQL that is run.
  void set_input(std::string input) { row_.input = std::move(input); }

  // Requests and tokens up to now are counted in other rows.
  void forget_usage() { before_ = context_.usage; }

  void finish(std::string output, std::string decision, std::optional<double> confidence = std::nullopt) {
    row_.output = std::move(output);
    row_.decision = std::move(decision);
    for (; attempt_.traced_warnings < attempt_.warnings.size(); ++attempt_.traced_warnings)
      row_.decision += "; warning: " + attempt_.warnings[attempt_.traced_warnings];
    row_.confidence = confidence;
    row_.ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begun_).count();
    const auto& now = context_.usage;
    row_.requests = now.requests - before_.requests;
    row_.cached = now.cached - before_.cached;
    row_.tokens = now.prompt_tokens + now.completion_tokens - before_.prompt_tokens - before_.completion_tokens;
    attempt_.trace.push_back(std::move(row_));
    row_ = {};
  }

 private:
  Attempt& attempt_;
  const StageContext& context_;
  std::chrono::steady_clock::time_point begun_;
  llm::Usage before_;
  TraceRow row_;
};

}  // namespace trustsql::nl2sql
