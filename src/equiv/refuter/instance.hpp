// The rows of a small database, and how they depart from what the schema suggests.
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
  std::vector<std::vector<DataRow>> tables;  // in the order of DataModel::tables

  std::size_t row_count() const;
};

// Whether the row of `table` has a parent through `link`, or needs none because a value is NULL.
bool has_parent(const DataModel& model, const Instance& instance, const ParentLink& link, const DataRow& row);

// Whether a row lacks a parent.
bool has_orphan(const DataModel& model, const Instance& instance);
// The rows that are left if all rows without parents are removed, and then the children of these.
Instance without_orphans(const DataModel& model, Instance instance);

// The texts of queries, from which those of a database may differ in letter case only.
class QueryTexts {
 public:
  void add_constant(const std::string& text);
  // For LIKE and GLOB: a piece of the pattern between wildcards.
  void add_pattern_piece(std::string piece) { pieces_.push_back(std::move(piece)); }

  // Whether `text` equals one of the constants except for letter case, or one of several that differ only in that;
  // or whether it contains a piece of a pattern in different letter case.
  bool vary(std::string_view text) const;

 private:
  struct Constant {
    std::string text;
    bool varies = false;
  };
  std::unordered_map<std::string, Constant> constants_;  // by the text in lower case
  std::vector<std::string> pieces_;
};

// The deviations of the stored rows: all deviations of a database, but none of results.
Deviations deviations_of(const DataModel& model, const Instance& instance, const QueryTexts& texts);

}  // namespace trustsql::equiv
