// How two results differ.
#pragma once

#include <optional>

#include "db/result_set.hpp"
#include "equiv/deviation.hpp"

namespace trustsql::equiv {

enum class RowsMatter : std::uint8_t {
  as_list,
  as_bag,
  as_set,
};

struct ResultComparison {
  RowsMatter rows = RowsMatter::as_bag;
  bool may_be_of_nothing = true;  // a query gives a row whatever the tables hold: an aggregate without GROUP BY
};

// nullopt if the results are the same; two without rows are, however many columns they have. Else the deviations under
// which they would be, at the lowest cost: `duplicates`, `column_order`, `row_order` and `empty` (where that may be),
// as far as any of them will do; none if the results differ outright. Reals that agree to nine digits are the same:
// sums depend on the order of their terms.
std::optional<Deviations> result_difference(const ResultSet& a, const ResultSet& b, const ResultComparison& how);

}  // namespace trustsql::equiv
