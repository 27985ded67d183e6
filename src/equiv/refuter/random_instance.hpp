// Small random databases.
#pragma once

#include "base/random.hpp"
#include "equiv/refuter/value_pools.hpp"

namespace trustsql::equiv {

struct RandomInstanceOptions {
  // The deviations that may occur; without deviations of the database, tables have rows and foreign keys are
  // satisfied.
  Deviations deviations{};
  std::size_t max_rows = 4;  // per table, unless foreign keys require more
  double null_share = 0.2;   // of the values that may be NULL, if NULL may occur
  bool null_keys = true;     // NULL may also occur in primary keys, if SQLite permits it
};

// Random rows. They may violate some constraints that SQLite enforces: rejected rows are not stored. With few
// deviations, the rows are the same as without, except for these.
Instance random_instance(const DataModel& model, const ValuePools& pools, const RandomInstanceOptions& options,
                         Random& random);

// Adds missing parents of rows. Continues with the parents of these parents, but only a few rounds in cycles.
void add_missing_parents(const DataModel& model, const ValuePools& pools, Instance& instance);

// The value of row number `number` for a column without requirements.
Value filler(const DataModel& model, const ValuePools& pools, std::size_t table, std::size_t column,
             std::size_t number);
// Row number `number` of a table without requirements, but for its CHECKs; it may lack parents.
DataRow filler_row(const DataModel& model, const ValuePools& pools, std::size_t table, std::size_t number);

}  // namespace trustsql::equiv
