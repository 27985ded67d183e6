// What the search for a correspondence hands to the checker: which relation of one query stands for which of the other.
//
// It is a list of hints. The checker (checker/correspondence.hpp) believes none of them: it reads both trees again,
// looks up what the hints pair, and checks that this is a correspondence.
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

  Pairs pairs;  // one to one, of the queries themselves
  std::vector<Pairs>
      groups;  // of parts of them that were compared on the way: homomorphisms, subqueries, branches of UNION ALL
};

}  // namespace trustsql::equiv
