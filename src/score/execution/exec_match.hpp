// EX, execution accuracy: whether a predicted query returns the same result as the gold query on one database.
//
// Four semantics (DESIGN.md, section 4):
//   bag       The default. The queries run as they are. The bags of rows must be equal up to a permutation of columns;
//             the order of rows counts only if the gold query's outermost level has ORDER BY. Both must have the same
//             number of columns, even without rows.
//   strict    As bag, but with the columns in the same order. Their names are not compared.
//   spider    The public test-suite evaluator, quirks included: spider_text.hpp, spider_match.hpp. As in Python's
//             sqlite3 module, a query with parameters (?, :a) fails.
//   trustsql  The rules of the TrustSQL benchmark, by data set: trustsql_text.hpp, trustsql_match.hpp; for Spider, as
//             `spider` above, but the letters "value" of a prediction stay as they are.
//
// Values are equal as SQLite compares them without affinity and with collation BINARY, and NULL equals NULL: 1 and 1.0
// are equal, 1 and '1' are not, nor 'a' and 'A'.
//
// If the two texts are equal after rewriting and repeatable (sql/query_shape.hpp), the query is run only once. Two
// equal texts that call random() are run separately, so their results seldom match; results of such queries are not
// cached either.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/result.hpp"
#include "base/setting_specs.hpp"
#include "db/sandbox/sandbox.hpp"
#include "score/execution/execution_cache.hpp"
#include "score/execution/prediction_text.hpp"
#include "score/execution/read_window.hpp"
#include "score/execution/spider_text.hpp"
#include "score/execution/trustsql_text.hpp"

namespace trustsql {

enum class ExecSemantics { bag, spider, trustsql, strict };

struct ExecOptions {
  ExecSemantics semantics = ExecSemantics::bag;
  SpiderDistinct distinct = SpiderDistinct::drop;   // for semantics spider
  TrustsqlDataset dataset = TrustsqlDataset::atis;  // for semantics trustsql
  PredictionCleaning cleaning = {};                 // applied before judging, see clean_prediction()
  friend bool operator==(const ExecOptions&, const ExecOptions&) = default;
};

// What stays the same from one comparison to the next.
struct ExecContext {
  ExecOptions options = {};
  std::int64_t max_steps = default_integer(Setting::match_max_steps);  // limit of match_columns()
  ExecutionCache* cache = nullptr;                                     // none: every query is run
  std::uint64_t source = 0;  // SandboxSource::identity(), where there is a cache
};

// The outcome of a comparison. At most one of the errors is set; with either, `match` is false.
struct ExecMatch {
  bool match = false;
  std::optional<Error> prediction_error = {};  // why the prediction failed, which makes it wrong
  std::optional<Error> gold_error = {};        // why the gold query failed, so nothing was compared; quotes the query
};

// Runs `gold` and `prediction` on one state of the database and compares their results. The caller has already cleaned
// the prediction and handled abstentions. If either query is rejected, fails or exceeds a limit, that is an outcome,
// not an error. `window` is open afterwards, unless the comparison was expected to take long. Errors: limit_exceeded,
// the comparison needs more than max_steps; interrupted; out_of_memory and io, which say nothing about the queries.
Result<ExecMatch> exec_match(std::string_view gold, std::string_view prediction, ReadWindow& window,
                             const ExecContext& context);

}  // namespace trustsql
