// The rows of a small database, and how it departs from what its schema suggests.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
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

// The texts of queries, which those of a database may differ from in the case of letters only.
class QueryTexts {
 public:
  void add_constant(std::string text);
  // Of LIKE and GLOB: what stands between wildcards.
  void add_pattern_piece(std::string piece) { pieces_.push_back(std::move(piece)); }

  // Whether `text` is one of the constants but for the case of letters, or one of several that differ in that; or
  // whether it holds a piece of a pattern in another case.
  bool vary(std::string_view text) const;

 private:
  struct Constant {
    std::string text;
    bool varies = false;
  };
  std::unordered_map<std::string, Constant> constants_;  // in lower case
  std::vector<std::string> pieces_;
};

// The deviations of what is stored: of a database, that is all but those of results.
Deviations deviations_of(const DataModel& model, const Instance& instance, const QueryTexts& texts);

}  // namespace trustsql::equiv
