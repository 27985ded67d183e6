// The rows of a small database, and how it departs from what its schema suggests.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "equiv/deviation.hpp"
#include "equiv/refuter/data_model.hpp"

namespace trustsql::equiv {

using DataRow = std::vector<Value>;  // a value for each of TableModel::columns

struct Instance {
  std::vector<std::vector<DataRow>> tables;  // as DataModel::tables

  std::size_t row_count() const;
};

// Whether the row of `table` has a parent by `link`, or needs none because a value is NULL.
bool has_parent(const DataModel& model, const Instance& instance, const ParentLink& link, const DataRow& row);

// The texts that letters may differ from in case only: those of queries.
struct QueryTexts {
  std::vector<std::string> constants;  // 'x', whole
  std::vector<std::string> patterns;   // of LIKE and GLOB: the longest piece without wildcards
};

// The deviations of what is stored: of a database, that is all but those of results.
Deviations deviations_of(const DataModel& model, const Instance& instance, const QueryTexts& texts);

}  // namespace trustsql::equiv
