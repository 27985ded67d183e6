// Trying what a model wrote: in the sandbox, and with a reason that can be told to the model where that fails.
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
  std::shared_ptr<const ResultSet> rows;  // none: it was refused or failed, or it was not run
  std::vector<std::string> columns;       // of a query that ran or was prepared: the names of its columns
  std::string error;                      // SQLite's message, the sandbox's or ours; empty: none
  bool refused = false;                   // the sandbox did not let it run, or does not know a function in it
  // Of an error about a column's name, missing or ambiguous (DART-SQL, section 3.3): the name, and the tables and views
  // that have a column of that name.
  std::string column;
  std::vector<std::string> tables;

  bool ok() const { return error.empty(); }
};

// Runs `sql` in the sandbox of the question's database. Beside what SQLite refuses, a text in double quotes that stands
// where a column is meant fails, as a missing column; see find_text_for_column(). Errors: what says nothing about the
// query: interrupted, io, out_of_memory.
Result<QueryTrial> try_query(std::string_view sql, StageContext& context);

// The same without running `sql`: what comes of it may be sent where no value of the database may go. SQLite's messages
// may hold values ("JSON path error near 'x'"), whether a query fails while it runs may depend on one, and so may how
// many rows it has. Here everything follows from the text and the schema: `rows` is null, and `error` one of ours.
Result<QueryTrial> try_preparing(std::string_view sql, StageContext& context);

// What a model may be told of `sql`: try_query() where context.send_rows, else try_preparing().
Result<QueryTrial> try_for_model(std::string_view sql, StageContext& context);

}  // namespace trustsql::nl2sql
