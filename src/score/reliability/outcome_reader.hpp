// Reads the `source` of a report into an OutcomeTable: finds the columns, reads their values, and judges the
// predictions that have no case yet.
//
// Columns, found by name:
//   case                     I to V; NULL: not judged. If there is no such column:
//   gold, pred [, database]  the queries, which are run (gold NULL: infeasible; pred NULL: abstained), and the database
//                            file (if NULL or no such column: options.database)
//   dataset                  with semantics trustsql: the data set by whose rules the row is judged. If it is NULL or
//                            names none of the benchmark's, options.dataset is used
//   system                   the system that the row belongs to; without this column, all rows belong to one system ''
//   id                       identifies the question; unique within a system. Without this column, `question` (together
//                            with `database`) identifies it, and may repeat
//   raw_case, or raw         the case of the SQL before abstention, or that SQL itself (which requires gold). raw NULL
//                            means that the generator gave none if the system has raw SQL elsewhere and was asked: cls
//                            let the question through, or is NULL and the row has no answer, or the system has raw SQL
//                            for a question that cls filtered out. Otherwise it is unknown
//   cls, error               the verdicts of CLS and ERROR (pipeline_verdict.hpp)
//   confidence               a number
//   error_kind               the kind of error of a wrong answer
// and the columns named in the options.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/settings.hpp"
#include "db/sources/host_database.hpp"
#include "db/sources/row_source.hpp"
#include "score/execution/batch.hpp"
#include "score/reliability/outcome_table.hpp"
#include "score/reliability/wrong_answers.hpp"

namespace trustsql {

inline constexpr std::size_t max_group_columns = 4;

struct OutcomeReaderOptions {
  std::vector<std::string> by = {};          // the columns to group rows by, at most max_group_columns
  std::optional<std::string> cluster = {};   // the column that names the cluster
  std::optional<std::string> database = {};  // for rows that name no file; nullopt: the host's database
  bool needs_id = false;                     // a source without `id` is an error
  bool needs_confidence = false;             // a source without `confidence` is an error
  ExecOptions exec = {};                     // how EX is computed; its member `dataset` is not used here
  // With semantics trustsql: the data set that all rows belong to, or those that do not say so themselves. nullopt: a
  // source without a column `dataset` belongs to ExecOptions{}.dataset.
  std::optional<TrustsqlDataset> dataset = {};
  OnGoldError on_gold_error = OnGoldError::error;
};

// Where and how queries are run.
struct OutcomeReaderContext {
  HostDatabase& database;
  const Settings& settings;
  StatementScope* scope;
  ExecutionCache& cache;
  std::size_t threads = 1;
  WrongAnswers* wrong_answers = nullptr;  // where wrong answers are kept, if anywhere
};

// Reads all rows of `source`, closes it, then runs the queries.
// Errors: a missing column (the message lists the existing ones); "row N: ..." (N from 1) for a value that cannot be
// read, a database that cannot be opened, a gold query that fails; a data set other than the option's, in the column
// `dataset` or in a column that rows are grouped by; those of OutcomeTable::add(); interrupted.
Result<OutcomeTable> read_outcomes(RowSource source, const OutcomeReaderOptions& options,
                                   const OutcomeReaderContext& context);

// Calls table.expect() for every question of `source`, by its column `id`. Precondition: the rows of `table` were read
// with needs_id.
Status expect_questions(RowSource source, OutcomeTable& table);

}  // namespace trustsql
