// The checker of correspondences: whether two normalised queries have the same rows, given which relation of one
// corresponds to which relation of the other (certificate.hpp).
//
// The checker does not search. It splits both trees again, with code of its own, and checks that
//   - leaves, and right sides of joins that add columns, are paired one to one, and none is left over;
//   - paired leaves do the same to the same inputs: tables, aggregations, windows, limits ...;
//   - the conditions of each side follow from those of the other, and so do semi- and anti-joins (claims.hpp);
//   - where queries are compared as sets, each block of one has a homomorphism from a block of the other;
//   - the columns are the same, and the order if there is one.
#pragma once

#include <optional>
#include <string>

#include "equiv/certificate.hpp"
#include "plan/facts.hpp"

namespace trustsql::equiv::checker {

enum class RowsCorrespond : std::uint8_t { one_to_one, as_sets, none };  // none: neither query has rows

// The claim about `a` and `b`, whose attributes are those of `plan`.
struct Correspondence {
  plan::Plan& plan;  // gets attributes for columns that only one of the two uses
  const plan::Rel& a;
  const plan::Rel& b;
  RowsCorrespond how = RowsCorrespond::one_to_one;
  bool ordered = false;           // both ask for an order of their rows, which must be the same
  bool any_column_order = false;  // the columns may be permuted
  const std::vector<plan::Assumption>& assumptions;
  const Certificate& certificate;
};

// Why the claim is rejected; nullopt if it is accepted.
std::optional<std::string> reject(const Correspondence& claimed);

}  // namespace trustsql::equiv::checker
