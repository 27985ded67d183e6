// What ->, ->> and json_extract read in a JSON document, for the evaluator.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plan/plan.hpp"

namespace trustsql::equiv::checker {

// A part of a document: the steps that lead to it, members as ".name", elements by their number as "[2]".
struct JsonRead {
  const plan::Expr* document = nullptr;
  std::vector<std::string> steps{};
  bool as_json = false;    // ->: its text; otherwise its value
  bool is_marked = false;  // a function takes it for JSON (Function::is_json)
};

// nullopt if `expr` reads no JSON, or with a path that versions of SQLite read in different ways.
std::optional<JsonRead> json_read(const plan::Expr& expr);

}  // namespace trustsql::equiv::checker
