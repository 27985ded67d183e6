// How two results differ.
#pragma once

#include <optional>

#include "db/results/result_set.hpp"
#include "equiv/deviation.hpp"

namespace trustsql::equiv {

enum class RowsMatter : std::uint8_t {
  as_list,
  as_bag,
  as_set,
};

struct ResultComparison {
  RowsMatter rows = RowsMatter::as_bag;
  // Whether a query returns a row whatever the tables hold: an aggregate without GROUP BY.
  bool may_be_empty_aggregate = true;
};

// nullopt if the results are the same; two empty results always are, whatever their numbers of columns. Otherwise the
// deviations under which they would be the same, at the lowest cost: `duplicates`, `column_order`, `row_order` and
// `empty` (if permitted), as far as they suffice; none if the results differ outright. Reals that agree to nine
// digits are the same, since sums depend on the order of their terms.
std::optional<Deviations> result_difference(const ResultSet& a, const ResultSet& b, const ResultComparison& how);

}  // namespace trustsql::equiv
