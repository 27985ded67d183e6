// Small databases made for a query: rows that give it a result, and rows that miss it by one thing.
//
// For each condition of the query (sketch.hpp) there is a database with rows for which it holds and rows for which it
// just does not; for each join rows that do not meet; for each side of an outer join, or of NOT EXISTS, rows with and
// without it; groups of the sizes that HAVING asks for, one less and one more; as many rows as a LIMIT lets through,
// one less and one more, and ties among them; several rows for one; rows of equal values throughout; and, where that is
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
  // Receives a database; false: no more are wanted.
  using Offer = FunctionRef<Result<bool>(const Instance&)>;

  // `sketches`: of the two queries, as far as there are plans. All must outlive the object.
  DirectedInstances(const DataModel& model, const ValuePools& pools, const std::vector<Sketch>& sketches,
                    Random& random);

  // Databases that are meant to have this deviation and no other. False if `offer` said so. Errors: of `offer`.
  Result<bool> without_deviation(Offer offer) const;
  Result<bool> with_null(Offer offer) const;
  Result<bool> with_orphans(Offer offer) const;
  Result<bool> with_empty_tables(Offer offer) const;

 private:
  // Rows that are put in together.
  struct RowSet {
    WitnessRequest request{};
    int skipped_row = -1;    // of the sketch
    int null_variable = -1;  // NULL in all of them
  };

  Result<bool> of_conditions(const WitnessMaker& maker, Offer offer) const;
  Result<bool> of_parts(const WitnessMaker& maker, Offer offer) const;
  Result<bool> of_repetitions(const WitnessMaker& maker, Offer offer) const;
  Result<bool> of_groups(const WitnessMaker& maker, Offer offer) const;
  Result<bool> of_cuts(const WitnessMaker& maker, Offer offer) const;

  Instance nothing() const;
  // Adds the rows of `set`, and as many more that share its group keys as make a group that is counted large enough.
  // False: there are no such rows.
  bool add(Instance& instance, const WitnessMaker& maker, const RowSet& set) const;
  // With a row at least for each table that a query reads, and with the parents that rows ask for.
  Instance completed(Instance instance, bool with_parents = true) const;
  // The variables that stay the same within a group, by the group's keys.
  static std::vector<bool> kept_by(const WitnessMaker& maker, const std::vector<int>& keys);

  const DataModel& model_;
  const ValuePools& pools_;
  std::vector<WitnessMaker> makers_;
  Random& random_;
  std::vector<std::int64_t> counts_;  // of all sketches
};

}  // namespace trustsql::equiv
