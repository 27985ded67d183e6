// Generators: the ways in which the papers ask a model for SQL, each a file pair of its own.
//
// A generator makes the conversation that SQL is the answer to (which may take questions of its own: C3's recall,
// DIN-SQL's classification), and may look at the SQL once more afterwards (DIN-SQL's self-correction, MAC-SQL's
// refiner). That SQL is sampled, voted on and asked for again where it has what is forbidden is the same for all of
// them: write_sql.hpp.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "nl2sql/method.hpp"
#include "nl2sql/write_sql.hpp"

namespace trustsql::nl2sql {

class Generator {
 public:
  virtual ~Generator() = default;

  // The conversation for attempt.current_question(). What is asked on the way gives rows to the trace.
  // Errors: those of a stage.
  virtual Result<std::vector<llm::Message>> prompt(Attempt& attempt, StageContext& context) const = 0;

  // Whether its replies come to the SQL step by step, so that of several queries the last one is meant.
  virtual bool reasons() const { return false; }

  // What the method does to attempt.sql after it was written, asking by `sql` where it asks for SQL. Errors: those of a
  // stage.
  virtual Result<Abstention> revise(const SqlOptions& sql, Attempt& attempt, StageContext& context) const;
};

// The generator of `method`, whose own questions are put to `model`. Precondition: method.asks_model().
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

// From attempt.prompt to attempt.sql. Abstains where there is no SQL, or where a vote does not agree.
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
