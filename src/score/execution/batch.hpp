// Scoring many predictions at once, on several threads.
//
// Every item is one question with its gold query, a system's prediction and the database that the question is about.
// Items on the same database, and within it those with the same gold query, are processed together; each thread leases
// a private connection. The outcome does not depend on the number of threads.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/setting_specs.hpp"
#include "db/sandbox/sandbox.hpp"
#include "score/execution/exec_match.hpp"
#include "score/reliability/reliability_case.hpp"

namespace trustsql {

struct BatchItem {
  std::optional<std::string> gold;        // none: the question is infeasible
  std::optional<std::string> prediction;  // none: the system abstained
  std::shared_ptr<SandboxSource> source;  // used only if both are present; null otherwise allowed
  // With semantics trustsql: whose rules apply, if not those of BatchOptions::exec.
  std::optional<TrustsqlDataset> dataset = {};
};

enum class OnGoldError {
  error,  // the batch fails
  skip,   // the item has no case, and is counted
};

struct BatchOptions {
  ExecOptions exec = {};
  OnGoldError on_gold_error = OnGoldError::error;
  std::size_t threads = 1;
  std::int64_t max_steps = default_integer(Setting::match_max_steps);  // limit for one comparison
  std::size_t first_row = 1;                                           // number of the first item in messages
  std::vector<std::string> item_names{};  // what messages call the items; if empty, "row" and the number
};

struct ItemScore {
  std::optional<ReliabilityCase> reliability_case;  // none: the gold query failed (OnGoldError::skip)
  std::optional<Error> error;  // in case III: why the prediction failed; without a case: why the gold query failed
};

// The case of each item, in the order of `items`. Predictions are first cleaned as the options specify, which may turn
// one into an abstention. `cache` may have been used before with the same databases. `interrupted` is called
// periodically in the calling thread; when it returns true, running queries are stopped and the call ends with an error
// of code interrupted. Errors: "row N: ..." for the first item, in the order of `items`, that fails: a gold query
// (unless skipped), a database that cannot be read, a comparison that needs too many steps, no memory.
Result<std::vector<ItemScore>> score_batch(std::span<const BatchItem> items, const BatchOptions& options,
                                           ExecutionCache& cache, const std::function<bool()>& interrupted);

// Scores a single item in the calling thread, which also calls `interrupted`.
Result<ItemScore> score_item(const BatchItem& item, const BatchOptions& options, ExecutionCache& cache,
                             const std::function<bool()>& interrupted);

}  // namespace trustsql
