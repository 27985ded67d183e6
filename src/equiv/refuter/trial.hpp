// Two prepared queries that are run on one small database after another.
#pragma once

#include <optional>

#include "db/sandbox/scratch_database.hpp"
#include "equiv/refuter/instance.hpp"
#include "equiv/refuter/result_difference.hpp"

namespace trustsql::equiv {

// The outcome of running both queries once.
struct Observation {
  bool ran = false;                        // both returned a result
  std::optional<Deviations> difference{};  // between the results, if they differ
  ResultSet a{};
  ResultSet b{};
  std::string failure{};  // why one of them returned no result
};

class Trial {
 public:
  // All arguments must outlive the trial.
  Trial(ScratchDatabase& scratch, const DataModel& model, const ScratchDatabase::Query& a,
        const ScratchDatabase::Query& b, const ResultComparison& how)
      : scratch_(scratch), model_(model), a_(a), b_(b), how_(how) {}

  // Fills the tables of the model with `instance`. Errors: interrupted, out_of_memory, io.
  Status fill(const Instance& instance);
  // Runs both queries on the stored rows. A query that fails is not an error, unless it was interrupted or memory
  // is exhausted.
  Result<Observation> observe();
  Result<Observation> observe(const Instance& instance) {
    TRUSTSQL_RETURN_IF_ERROR(fill(instance));
    return observe();
  }
  // The stored rows.
  Result<Instance> stored();

  // The deviations of the generated columns that the queries read, on `instance`, which fills the tables. Errors: as
  // fill().
  Result<Deviations> deviations_of_computed(const Instance& instance);

  const ResultComparison& how() const { return how_; }
  const DataModel& model() const { return model_; }
  ScratchDatabase& scratch() { return scratch_; }
  int runs() const { return runs_; }
  // How often a query exceeded its limit of time or of steps.
  int timeouts() const { return timeouts_; }

 private:
  ScratchDatabase& scratch_;
  const DataModel& model_;
  const ScratchDatabase::Query& a_;
  const ScratchDatabase::Query& b_;
  ResultComparison how_;
  int runs_ = 0;
  int timeouts_ = 0;
};

}  // namespace trustsql::equiv
