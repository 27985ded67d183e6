// What the stages of the embedded parser share: the question, read with what is known of its database.
#pragma once

#include <memory>

#include "nl2sql/stages/stage.hpp"
#include "semparse/parser.hpp"

namespace trustsql::nl2sql {

// What is known of the database in `context`. Precondition: context.knowledge. Errors: of KnowledgeCache::knowledge().
Result<std::shared_ptr<const semparse::Knowledge>> knowledge_of(StageContext& context);

// A parse, and what it was made with.
struct ParsedQuestion {
  semparse::Parse parse{};
  std::shared_ptr<const semparse::Knowledge> knowledge{};
};

// Reads `question` with the shipped model. Precondition: context.knowledge. Errors: those of semparse::Parser::parse()
// and of the database; internal if the shipped model cannot be read.
Result<ParsedQuestion> parse_question(std::string_view question, StageContext& context);

}  // namespace trustsql::nl2sql
