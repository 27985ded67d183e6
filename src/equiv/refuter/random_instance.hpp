// Small random databases.
#pragma once

#include "base/random.hpp"
#include "equiv/refuter/value_pools.hpp"

namespace trustsql::equiv {

struct RandomManner {
  Deviations
      deviations{};  // those that may occur; with none of the database the tables have rows and foreign keys are kept
  std::size_t max_rows = 4;  // in a table, as long as no foreign key asks for more
  double null_share = 0.2;    // of the values that may be NULL, if NULL may occur
  bool null_keys = true;      // NULL may occur in primary keys as well, where SQLite lets it in
};

// Rows at random. Constraints that SQLite enforces may be violated here and there: what is refused is not stored.
// With a few deviations it is as it would be without, but for these.
Instance random_instance(const DataModel& model, const ValuePools& pools, const RandomManner& manner, Random& random);

// Adds the parents that rows lack. Where rows have parents that have parents it goes on, in circles for a few rounds.
void add_missing_parents(const DataModel& model, const ValuePools& pools, Instance& instance);

// The value of row number `number` for a column that nothing is asked of.
Value filler(const DataModel& model, const ValuePools& pools, std::size_t table, std::size_t column,
             std::size_t number);

}  // namespace trustsql::equiv
