// Whether a difference stands for every order in which rows may come.
#pragma once

#include "base/random.hpp"
#include "equiv/refuter/trial.hpp"

namespace trustsql::equiv {

class OrderProbe {
 public:
  // `keyed`: the queries on the schema as it is; `unkeyed`: the same on one without keys
  // (ScratchDatabase::Keys::dropped), in which the rows of a table may come in any order; nullptr where its rows would
  // not mean the same. Both must outlive the probe.
  OrderProbe(Trial& keyed, Trial* unkeyed) : keyed_(keyed), unkeyed_(unkeyed) {}

  // Collects what the two queries give over at most `max_orders` orders of the rows of `instance` (all of them if
  // there are no more), and for `thorough` in both directions of scanning. The mildest difference between any result of
  // one and any of the other; nullopt if two are the same, or if a query fails for some order. Where there are more
  // orders than have been tried, a `thorough` probe takes the queries for different only if they always give different
  // numbers of rows. Errors: as Trial::observe().
  Result<std::optional<Deviations>> mildest_difference(const Instance& instance, int max_orders, bool thorough,
                                                       Random& random);

 private:
  Trial& keyed_;
  Trial* unkeyed_;
};

}  // namespace trustsql::equiv
