// Running what a model wrote: in the sandbox, and with a reason that can be told to the model where that fails.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "db/result_set.hpp"
#include "nl2sql/stage.hpp"

namespace trustsql::nl2sql {

struct QueryTrial {
  std::shared_ptr<const ResultSet> rows;  // none: it was refused or failed
  std::string error;                      // SQLite's message, or the sandbox's; empty: none
  bool refused = false;                   // the sandbox did not let it run, or does not know a function in it
  // Of an error about a column's name, missing or ambiguous (DART-SQL, section 3.3): the name, and the tables and views that have
  // a column of that name.
  std::string column;
  std::vector<std::string> tables;

  bool ok() const { return rows != nullptr; }
};

// Runs `sql` in the sandbox of the question's database. Beside what SQLite refuses, a text in double quotes that stands where a
// column is meant fails, as a missing column; see find_text_for_column().
// Errors: what says nothing about the query: interrupted, io, out_of_memory.
Result<QueryTrial> try_query(std::string_view sql, StageContext& context);

}  // namespace trustsql::nl2sql
