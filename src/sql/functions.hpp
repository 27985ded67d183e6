// The functions that a query can call: their arities, kinds and what they return.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "sql/expr_type.hpp"

namespace trustsql {

struct SqlFunction {
  enum class Kind : std::uint8_t {
    scalar,
    aggregate,         // takes no OVER
    window_aggregate,  // takes OVER, but needs none: the aggregates that are built in
    window,            // needs OVER: row_number, rank ...
  };
  // How the result depends on the arguments.
  enum class Returns : std::uint8_t {
    types,           // `types`, whatever the arguments
    null_if_any,     // NULL if an argument is NULL, else `types`
    arguments,       // one of the arguments, NULL if one of them is
    first_not_null,  // the first argument that is not NULL
    first_argument,  // the first argument, or `types`
    branches,        // of iif(condition, then [, condition, then]... [, else]): then or else
    one_of_group,    // of aggregates: an argument's value from one of the rows that are not NULL; NULL if there is none
    sum,             // of aggregates: `types` (of integers: an integer); NULL if there is no row that is not NULL
    total,           // as sum, but never NULL for want of rows
    row_or_default,  // of lag and lead: the first argument, or the third, or NULL for want of one
  };
  std::string_view name;  // lower case
  int min_arguments = 0;
  int max_arguments = 0;  // -1: any number
  Kind kind = Kind::scalar;
  Returns returns = Returns::types;
  TypeSet types = types::any;
  bool deterministic = true;  // gives the same for the same arguments within one statement
  int since = 0;              // the first SQLite that has it, as SQLITE_VERSION_NUMBER; 0: older than any that matters

  bool is_aggregate() const { return kind != Kind::scalar; }
};

// A set of functions, found by name with the case of ASCII letters ignored.
class FunctionTable {
 public:
  // The names must outlive the table. Of functions of one name and arity the first one is found.
  explicit FunctionTable(std::vector<SqlFunction> functions);

  // Those that are built into the SQLite of this version as it is usually compiled, with its mathematical functions.
  static FunctionTable built_in(int version);
  // Those of every version.
  static const FunctionTable& latest();

  // The function of this name that takes this many arguments; nullptr if there is none.
  const SqlFunction* find(std::string_view name, int arguments) const;
  bool has(std::string_view name) const { return !named(name).empty(); }
  // All in the order of their names.
  std::span<const SqlFunction> all() const { return functions_; }

 private:
  std::span<const SqlFunction> named(std::string_view name) const;

  std::vector<SqlFunction> functions_;  // by name
};

}  // namespace trustsql
