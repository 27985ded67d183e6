// Generators: the papers' ways of asking a model for SQL, each in its own pair of files.
//
// A generator makes the conversation to which the model replies with SQL, for which it may ask questions of its own
// (C3's recall, DIN-SQL's classification), and it may revise the SQL afterwards (DIN-SQL's self-correction, MAC-SQL's
// refiner). Sampling, voting and asking again after a forbidden construct are the same for all generators:
// write_sql.hpp.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "nl2sql/method.hpp"
#include "nl2sql/stages/write_sql.hpp"

namespace trustsql::nl2sql {

class Generator {
 public:
  virtual ~Generator() = default;

  // The conversation for attempt.current_question(). Questions asked on the way add rows to the trace.
  // Errors: those of a stage.
  virtual Result<std::vector<llm::Message>> prompt(Attempt& attempt, StageContext& context) const = 0;

  // Whether its replies reason step by step, so that the last of several queries is the answer.
  virtual bool reasons() const { return false; }

  // Revises attempt.sql after it was written; `sql` are the options for any further SQL that it asks for. Errors: those
  // of a stage.
  virtual Result<Abstention> revise(const SqlOptions& sql, Attempt& attempt, StageContext& context) const;
};

// The generator of `method`; its own questions are sent to `model`. Precondition: method.asks_model().
std::unique_ptr<const Generator> make_generator(const Method& method, const ModelOptions& model);

// Makes attempt.prompt.
class PromptStage final : public Stage {
 public:
  explicit PromptStage(std::shared_ptr<const Generator> generator) : generator_(std::move(generator)) {}
  std::string_view name() const override { return "prompt"; }
  Status run(Attempt& attempt, StageContext& context) const override;

 private:
  std::shared_ptr<const Generator> generator_;
};

// Makes attempt.sql from attempt.prompt. Abstains if there is no SQL, or if the samples of a vote do not agree.
class GenerateStage final : public Stage {
 public:
  GenerateStage(std::shared_ptr<const Generator> generator, SqlOptions sql)
      : generator_(std::move(generator)), sql_(std::move(sql)) {
    sql_.last_block = generator_->reasons();
  }
  std::string_view name() const override { return "generate"; }
  Status run(Attempt& attempt, StageContext& context) const override;

 private:
  std::shared_ptr<const Generator> generator_;
  SqlOptions sql_;
};

}  // namespace trustsql::nl2sql
