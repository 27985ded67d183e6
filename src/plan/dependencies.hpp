// What functional dependencies entail.
#pragma once

#include "plan/facts.hpp"

namespace trustsql::plan {

// All attributes that `attributes` determine by the dependencies without assumptions and, if `assumed` is given, by
// those with assumptions as well; the columns that had to be assumed not NULL are added to `assumed`.
AttributeSet closure(const AttributeSet& attributes, const Facts& facts, AttributeSet* assumed = nullptr);

// Whether no two rows agree on `attributes`. `assumed` as for closure(); unchanged if the answer needs none.
bool is_superkey(const AttributeSet& attributes, const Facts& facts, AttributeSet* assumed = nullptr);

// Whether there is at most one row.
bool at_most_one_row(const Facts& facts, AttributeSet* assumed = nullptr);

}  // namespace trustsql::plan
