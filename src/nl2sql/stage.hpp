// Stage: one step of the pipeline. Each knows nothing of the steps around it.
#pragma once

#include <memory>
#include <string_view>

#include "db/sandbox.hpp"
#include "equiv/comparer_pool.hpp"
#include "llm/chat.hpp"
#include "nl2sql/attempt.hpp"

namespace trustsql::nl2sql {

// What the stages of one question share. What is referred to outlives it.
struct StageContext {
  const Catalog& catalog;
  SandboxSource& source;  // the database that the question is about
  llm::ChatModel& chat;
  llm::CallContext call;
  llm::Usage usage = {};                     // spent on this question
  ResolveOptions dialect = {};               // what queries are resolved with
  equiv::ComparerPool* comparers = nullptr;  // for voting by proved equivalence
  std::int64_t match_max_steps = 1'000'000;  // of one comparison of results (match_columns())
};

class Stage {
 public:
  virtual ~Stage() = default;

  // As the trace names it.
  virtual std::string_view name() const = 0;

  // Does its step, and adds at least one row to attempt.trace. To abstain is a success that sets attempt.abstention; the
  // stages after it are then left out. Errors: those of the endpoint, the database's, interrupted.
  virtual Status run(Attempt& attempt, StageContext& context) const = 0;
};

}  // namespace trustsql::nl2sql
