// From the `source` of a report to an OutcomeTable: which columns there are, what they say, and the cases of
// predictions that are still to be judged.
//
// Columns, found by name:
//   case                   I to V; NULL: not judged. Or, without it,
//   gold, pred [, database]  the queries (NULL: infeasible; abstained) and the database file (NULL, or no column:
//   options.database); they are run system                 whose row it is; without it all rows are of one system,
//   named '' id                     identifies the question, once for each system; without it `question` does, which
//   may repeat (with `database`, within it) raw_case, or raw       the case of the SQL before abstention, or that SQL
//   (it needs gold). raw NULL is a generator that gave none where cls
//                          let the question through, and otherwise not known
//   cls, error             the verdicts of CLS and ERROR (pipeline_verdict.hpp)
//   confidence             a number
//   error_kind             what is wrong with a wrong answer
// and those that the options name.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/settings.hpp"
#include "db/host_database.hpp"
#include "db/source.hpp"
#include "score/batch.hpp"
#include "score/outcome_table.hpp"

namespace trustsql {

inline constexpr std::size_t max_group_columns = 4;

struct OutcomeReaderOptions {
  std::vector<std::string> by = {};          // at most max_group_columns columns that rows are grouped by
  std::optional<std::string> cluster = {};   // a column
  std::optional<std::string> database = {};  // the file of rows that name none; nullopt: the host's database
  bool needs_id = false;                     // a source without `id` is an error
  bool needs_confidence = false;             // a source without `confidence` is an error
  ExecOptions exec = {};                     // how EX is computed
  OnGoldError on_gold_error = OnGoldError::error;
};

// Where queries are run.
struct OutcomeReaderContext {
  HostDatabase& database;
  const Settings& settings;
  StatementScope* scope;
  ExecutionCache& cache;
  std::size_t threads = 1;
};

// Reads all rows of `source`, then closes it, then runs what is to be run.
// Errors: a column that is missing (the message lists those there are); "row N: ..." (N from 1) for a value that cannot
// be read, a database that cannot be opened, a gold query that fails; those of OutcomeTable::add(); interrupted.
Result<OutcomeTable> read_outcomes(Source source, const OutcomeReaderOptions& options,
                                   const OutcomeReaderContext& context);

// Tells `table`, whose rows were read with needs_id, of the questions that `source` has, by its column `id`.
Status expect_questions(Source source, OutcomeTable& table);

}  // namespace trustsql
