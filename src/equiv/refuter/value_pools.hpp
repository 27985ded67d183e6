// Values for the columns of small databases: few, readable, and such that queries tend to distinguish them.
//
// A column gets the constants that the queries compare it with and their neighbours: one more and one less, the same
// digits as text, matches of a pattern, a longer and a shorter text. Columns that are compared with each other, and
// foreign keys and their parents, share these values, so that rows match. A few small values common to all columns
// supplement them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "equiv/refuter/column_values.hpp"
#include "equiv/refuter/data_model.hpp"
#include "equiv/refuter/instance.hpp"
#include "equiv/refuter/json_shape.hpp"
#include "equiv/refuter/row_checks.hpp"
#include "plan/plan.hpp"

namespace trustsql::equiv {

class ValuePools {
 public:
  // `model` must outlive the pools.
  explicit ValuePools(const DataModel& model);

  // Learns what a plan compares.
  void learn(const plan::Plan& plan);
  // Learns from the text of a query without a plan: every constant is used for every column, and columns of the
  // same name share values.
  void learn(std::string_view sql);
  // Learns what CHECK constraints and generated columns compute. From then on there are only values that the CHECKs on
  // their columns allow, if any are known.
  void learn_declarations(const Catalog& catalog);
  // Must be called after all learn() calls and before of().
  void finish();

  const ColumnValues& of(std::size_t table, std::size_t column) const { return values_[table][column]; }
  // Value number `i` of a sequence of distinct values for this column; unlimited, except for truth values and where a
  // CHECK allows only a few.
  Value fresh(std::size_t table, std::size_t column, std::size_t i) const;
  const RowChecks& checks() const { return checks_; }

 private:
  friend class PlanReader;
  struct Hints {
    std::vector<Value> constants{};
    std::vector<std::string> patterns{};  // of LIKE
    ColumnUse use{};
    std::optional<JsonShape> documents{};  // if it holds JSON
  };

  int id(std::size_t table, std::size_t column) const { return first_[table] + static_cast<int>(column); }
  int root(int id) const;
  void join(int a, int b);
  void add_constant(int id, const Value& value);
  void add_pattern(int id, const std::string& pattern);
  void add_use(int id, const ColumnUse& use);
  JsonShape& documents(int id);  // made if there is none
  void keep_allowed(ColumnValues& values, std::size_t table, std::size_t column) const;
  Value any_fresh(std::size_t table, std::size_t column, std::size_t i) const;

  const DataModel& model_;
  std::vector<int> first_;  // the id of the first column of each table
  std::vector<int> parents_;
  std::vector<Hints> hints_;  // by id
  std::vector<std::vector<ColumnValues>> values_;
  RowChecks checks_;
};

// The constants in the texts of two queries.
QueryTexts query_texts(const DataModel& model, std::string_view a, std::string_view b);

}  // namespace trustsql::equiv
