// Trying SQL that a model wrote: it runs in the sandbox, and a failure has a reason that the model may be told.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "db/results/result_set.hpp"
#include "nl2sql/stages/stage.hpp"

namespace trustsql::nl2sql {

struct QueryTrial {
  std::shared_ptr<const ResultSet> rows;  // null: it was refused or failed, or was not run
  std::vector<std::string> columns;       // names of its columns, if it ran or was prepared
  std::string error;                      // a message of SQLite, the sandbox or trustsql; empty: none
  bool refused = false;                   // the sandbox refused it, or does not know a function in it
  std::string unknown_function;           // the function that the sandbox does not know, if that is why it was refused
  // For an error about a missing or ambiguous column (DART-SQL, section 3.3): its name, and the tables and views that
  // have a column of that name.
  std::string column;
  std::vector<std::string> tables;

  bool ok() const { return error.empty(); }
};

// The text that is run in place of `sql`: with context.dataset, what the TrustSQL benchmark makes of a gold query of
// that data set (score/execution/trustsql_text.hpp); otherwise `sql`.
std::string text_to_run(std::string_view sql, const StageContext& context);

// Runs text_to_run(written) in the sandbox of the question's database. In addition to what SQLite rejects, a
// double-quoted string where a column is meant fails as a missing column; see find_text_for_column(). Errors, which say
// nothing about the query: interrupted, io, out_of_memory.
Result<QueryTrial> try_query(std::string_view written, StageContext& context);

// The same without running it: the outcome may be sent even if no value of the database may be. SQLite's messages
// may contain values ("JSON path error near 'x'"), and values may determine whether a query fails at run time and how
// many rows it has. Here everything follows from the text and the schema: `rows` is null, and `error` is a message of
// trustsql or the sandbox.
Result<QueryTrial> try_preparing(std::string_view written, StageContext& context);

// The outcome that a model may be told: try_query() if context.send_rows, otherwise try_preparing().
Result<QueryTrial> try_for_model(std::string_view sql, StageContext& context);

}  // namespace trustsql::nl2sql
