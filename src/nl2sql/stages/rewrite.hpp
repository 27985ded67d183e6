// Question rewriting, DART-SQL's RW (section 3.1, Listing 1): the question in the words of the data.
//
// The prompt: the task, the three specifications with examples, the first K rows of all tables, the question. Later
// stages use the rewritten question. A reply that is not a question (empty, SQL, or far longer than the question)
// changes nothing.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "nl2sql/method_numbers.hpp"
#include "nl2sql/stages/stage.hpp"

namespace trustsql::nl2sql {

struct RewriteOptions {
  ModelOptions model;
  std::size_t rows = MethodNumbers{}.rewrite_rows;  // K
  bool linked_only = false;                         // only the tables of attempt.schema, not all of the database
};

// The question in a reply: without the label, quotes and comment marks around it; empty if there is none.
std::string question_in_reply(std::string_view reply);

class RewriteStage final : public Stage {
 public:
  explicit RewriteStage(RewriteOptions options) : options_(std::move(options)) {}
  std::string_view name() const override { return "rewrite"; }

  // Sets attempt.rewritten, unless the question came back unchanged.
  Status run(Attempt& attempt, StageContext& context) const override;

 private:
  RewriteOptions options_;
};

}  // namespace trustsql::nl2sql
