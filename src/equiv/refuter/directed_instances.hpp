// Small databases made for a query: with rows that produce a result, and rows that just fail to.
//
// For each condition of the query (sketch.hpp) there is a database with rows for which it holds and rows for which it
// just fails; for each join, rows that do not match; for each side of an outer join, or of NOT EXISTS, rows with and
// without a match; groups of the sizes that HAVING asks for, one fewer and one more; as many rows as a LIMIT returns,
// one fewer and one more, and ties among them; several rows that match one; rows of equal values throughout; and, if
// allowed, NULL in each column, children without parents and empty tables.
#pragma once

#include "base/function_ref.hpp"
#include "base/random.hpp"
#include "base/result.hpp"
#include "equiv/refuter/instance.hpp"
#include "equiv/refuter/witness.hpp"

namespace trustsql::equiv {

class DirectedInstances {
 public:
  // Receives a database; returns false if no more are wanted.
  using Offer = FunctionRef<Result<bool>(const Instance&)>;

  // `sketches`: of the two queries, as far as there are plans. All arguments must outlive the object.
  DirectedInstances(const DataModel& model, const ValuePools& pools, const std::vector<Sketch>& sketches,
                    Random& random);

  // Databases intended to have this deviation and no other. False if `offer` returned false. Errors: those of
  // `offer`.
  Result<bool> without_deviation(Offer offer) const;
  Result<bool> with_null(Offer offer) const;
  Result<bool> with_orphans(Offer offer) const;
  Result<bool> with_empty_tables(Offer offer) const;

 private:
  // Rows that are added together.
  struct RowSet {
    WitnessRequest request{};
    int skipped_row = -1;      // of the sketch
    int null_variable = -1;    // NULL in all rows
    int null_variable_2 = -1;  // so is this one
  };

  Result<bool> of_null_pairs(const WitnessMaker& maker, Offer offer) const;
  Result<bool> of_conditions(const WitnessMaker& maker, Offer offer) const;
  Result<bool> of_parts(const WitnessMaker& maker, Offer offer) const;
  Result<bool> of_repetitions(const WitnessMaker& maker, Offer offer) const;
  Result<bool> of_groups(const WitnessMaker& maker, Offer offer) const;
  Result<bool> of_cuts(const WitnessMaker& maker, Offer offer) const;

  Instance nothing() const;
  // Adds the rows of `set`, and enough rows that share its group keys for counts to be reached. False if there are
  // no such rows.
  bool add(Instance& instance, const WitnessMaker& maker, const RowSet& set) const;
  // Adds at least one row for each table that a query reads, and the parents that rows require.
  Instance completed(Instance instance, bool with_parents = true) const;
  // The variables that are constant within a group, given the group's keys.
  static std::vector<bool> kept_by(const WitnessMaker& maker, const std::vector<int>& keys);

  const DataModel& model_;
  const ValuePools& pools_;
  std::vector<WitnessMaker> makers_;
  Random& random_;
  std::vector<std::int64_t> counts_;  // compared in any of the sketches
};

}  // namespace trustsql::equiv
