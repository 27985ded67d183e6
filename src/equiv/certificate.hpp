// The hints that the search for a correspondence gives to the checker: which relation of one query corresponds to
// which relation of the other.
//
// The checker (checker/correspondence.hpp) trusts none of them: it reads both trees again, looks up the paired
// relations, and verifies that they form a correspondence.
#pragma once

#include <vector>

#include "plan/rel.hpp"

namespace trustsql::equiv {

struct Certificate {
  // Two leaves of blocks, or the right sides of two joins. Both outlive the certificate.
  struct Pair {
    const plan::Rel* to;
    const plan::Rel* from;
  };
  using Pairs = std::vector<Pair>;

  Pairs pairs;  // one to one, for the queries themselves
  // For parts of the queries that were compared on the way: homomorphisms, subqueries, branches of UNION ALL.
  std::vector<Pairs> groups;
};

}  // namespace trustsql::equiv
