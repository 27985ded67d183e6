// Two prepared queries on one small database after another.
#pragma once

#include <optional>

#include "db/scratch_database.hpp"
#include "equiv/refuter/instance.hpp"
#include "equiv/refuter/result_difference.hpp"

namespace trustsql::equiv {

// What came of running both queries once.
struct Observation {
  bool ran = false;                        // both gave a result
  std::optional<Deviations> difference{};  // of the results, if they differ
  ResultSet a{};
  ResultSet b{};
  std::string failure{};  // why one of them gave none
};

class Trial {
 public:
  // Everything must outlive the trial.
  Trial(ScratchDatabase& scratch, const DataModel& model, const ScratchDatabase::Query& a,
        const ScratchDatabase::Query& b, const ResultComparison& how)
      : scratch_(scratch), model_(model), a_(a), b_(b), how_(how) {}

  // Fills the tables of the model with `instance`. Errors: interrupted, out_of_memory, io.
  Status fill(const Instance& instance);
  // Runs both on what is stored. A query that fails is no error, unless it was interrupted or memory is exhausted.
  Result<Observation> observe();
  Result<Observation> observe(const Instance& instance) {
    TRUSTSQL_RETURN_IF_ERROR(fill(instance));
    return observe();
  }
  // What is stored.
  Result<Instance> stored();

  const ResultComparison& how() const { return how_; }
  const DataModel& model() const { return model_; }
  ScratchDatabase& scratch() { return scratch_; }
  int runs() const { return runs_; }
  // How often a query ran into its time limit.
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
