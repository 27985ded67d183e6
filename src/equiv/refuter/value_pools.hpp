// Values for the columns of small databases: few, readable, and such that queries tend to tell them apart.
//
// A column gets the constants that the queries compare it with and their neighbours: one more and one less, the same
// digits as text, instances of a pattern, a longer and a shorter text. Columns that are compared with each other and
// foreign keys and their parents share these, so that rows find each other. What is missing comes from a few small
// values for all columns.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "equiv/refuter/column_values.hpp"
#include "equiv/refuter/data_model.hpp"
#include "equiv/refuter/instance.hpp"
#include "plan/plan.hpp"

namespace trustsql::equiv {

class ValuePools {
 public:
  // `model` must outlive the pools.
  explicit ValuePools(const DataModel& model);

  // What a plan compares.
  void learn(const plan::Plan& plan);
  // What stands in a query of which there is no plan: every constant is for every column, columns of one name belong
  // together.
  void learn(std::string_view sql);
  // To be called when all is learnt, before of().
  void finish();

  const ColumnValues& of(std::size_t table, std::size_t column) const { return values_[table][column]; }
  // The value number `i` of endlessly many different ones for this column (of truth values there are two).
  Value fresh(std::size_t table, std::size_t column, std::size_t i) const;

 private:
  friend class PlanReader;
  struct Hints {
    std::vector<Value> constants{};
    std::vector<std::string> patterns{};  // of LIKE
    bool numeric = false;                 // the queries calculate with it
  };

  int id(std::size_t table, std::size_t column) const { return first_[table] + static_cast<int>(column); }
  int root(int id) const;
  void join(int a, int b);
  void add_constant(int id, const Value& value);
  void add_pattern(int id, const std::string& pattern);

  const DataModel& model_;
  std::vector<int> first_;  // the id of the first column of each table
  std::vector<int> parents_;
  std::vector<Hints> hints_;  // by id
  std::vector<std::vector<ColumnValues>> values_;
};

// The constants of two queries, from their texts.
QueryTexts query_texts(const DataModel& model, std::string_view a, std::string_view b);

}  // namespace trustsql::equiv
