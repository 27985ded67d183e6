// Whether a difference holds for every order in which rows may be returned.
#pragma once

#include "base/random.hpp"
#include "equiv/refuter/trial.hpp"

namespace trustsql::equiv {

class OrderProbe {
 public:
  // `keyed`: the queries on the schema as it is; `unkeyed`: the same on a schema without keys
  // (ScratchDatabase::Keys::dropped), in which the rows of a table may be in any order; nullptr if its rows would
  // have a different meaning. Both must outlive the probe.
  OrderProbe(Trial& keyed, Trial* unkeyed) : keyed_(keyed), unkeyed_(unkeyed) {}

  // Collects the results of the two queries over at most `max_orders` orders of the rows of `instance` (all of them
  // if there are no more), and if `thorough` in both scan directions. Returns the mildest difference between any
  // result of one query and any of the other; nullopt if two of them are the same, or if a query fails for some
  // order. If there are more orders than were tried, a `thorough` probe considers the queries different only if
  // they always return different numbers of rows. Errors: as Trial::observe().
  //
  // `fixed`: the difference counts only if each query returns the same result for all orders.
  Result<std::optional<Deviations>> mildest_difference(const Instance& instance, int max_orders, bool thorough,
                                                       bool fixed, Random& random);

 private:
  Trial& keyed_;
  Trial* unkeyed_;
};

}  // namespace trustsql::equiv
