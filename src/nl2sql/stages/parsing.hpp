// What the stages of the embedded parser share: the question, read with what is known of its database.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "nl2sql/stages/stage.hpp"
#include "semparse/parser.hpp"

namespace trustsql::nl2sql {

// What is known of the database in `context`. Precondition: context.knowledge. Errors: of KnowledgeCache::knowledge().
Result<std::shared_ptr<const semparse::Knowledge>> knowledge_of(StageContext& context);

// A parse, and what it was made with.
struct ParsedQuestion {
  std::string question{};
  semparse::Parse parse{};
  std::shared_ptr<const semparse::Knowledge> knowledge{};
};

// The model of the embedded parser in `context`. Error (internal): the shipped one cannot be read.
Result<std::shared_ptr<const semparse::ParserModel>> model_of(const StageContext& context);

// The same for the part of a method (CLS_M, ERROR_M) that needs a model with modules trained on a user's questions.
// Error (invalid_argument): the model in `context` has none.
Result<std::shared_ptr<const semparse::ParserModel>> trained_model(const StageContext& context, std::string_view part);

// Reads `question` with the model in `context`, once for all stages. Precondition: context.knowledge. Errors: those of
// model_of(), semparse::Parser::parse() and the database.
Result<std::shared_ptr<const ParsedQuestion>> parse_question(std::string_view question, StageContext& context);

}  // namespace trustsql::nl2sql
