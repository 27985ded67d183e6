// QuestionBatch: the rows of a source of questions, taken through the pipeline many at a time; results as rows.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/value.hpp"
#include "db/results/result_set.hpp"
#include "db/sources/row_source.hpp"
#include "nl2sql/attempt_batch.hpp"
#include "nl2sql/pipeline.hpp"

namespace trustsql::nl2sql {

struct AskedQuestion {
  Value id;
  std::string question;
  std::string evidence;
  std::optional<std::string> database;  // the path that the row names; nullopt: none
};

// The rows of `source`: the column question and, optionally, id (by default the number of the row, from 1), database
// and evidence (by default, and where it is NULL, `evidence`). Errors: there is no column question, or a row has none
// (invalid_argument); those of RowSource::next().
Result<std::vector<AskedQuestion>> read_questions(RowSource source, const std::string& evidence);

// What a failure of a question's requests does.
enum class OnRequestError {
  error,    // ends the batch
  abstain,  // that question has the reason `endpoint`
};

class QuestionBatch {
 public:
  // What the stages of question `index` need; called in any thread. Empty if the method asks no model.
  using ContextOf = std::function<StageContext(std::size_t index)>;

  struct Options {
    std::size_t concurrency = 1;  // questions at a time
    OnRequestError on_error = OnRequestError::error;
  };

  // Begins immediately. The destructor tells work in progress to stop, and waits for it.
  QuestionBatch(std::vector<AskedQuestion> questions, const Method& method, const PipelineModels& models,
                ContextOf context_of, const Options& options);
  ~QuestionBatch() { cancelled_ = true; }
  QuestionBatch(const QuestionBatch&) = delete;
  QuestionBatch& operator=(const QuestionBatch&) = delete;

  // The row of the next finished question, in any order: id, question, sql, confidence, reason, ms, requests, cached,
  // tokens, raw, cls, error. No row after the last. `poll` as in AttemptBatch::next(). Errors: a question's, with "row
  // N" before it; interrupted.
  Result<ResultSet> next(const std::function<bool()>& poll);

 private:
  Result<Attempt> attempt(std::size_t index);

  std::vector<AskedQuestion> questions_;
  Pipeline pipeline_;
  ContextOf context_of_;
  OnRequestError on_error_;
  std::atomic<bool> cancelled_ = false;
  AttemptBatch batch_;  // last, so that its threads end before other members are destroyed
};

}  // namespace trustsql::nl2sql
