// The functions that a query can call: their arities, kinds and what they return.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sql/expr_type.hpp"

namespace trustsql {

struct SqlFunction {
  enum class Kind : std::uint8_t {
    scalar,
    aggregate,         // needs no OVER, and takes none
    window_aggregate,  // an aggregate that takes OVER: all aggregates that are built in
    window,            // needs OVER: row_number, rank ...
  };
  // How the result comes from the arguments.
  enum class Returns : std::uint8_t {
    types,          // `types`, whatever the arguments
    null_if_any,    // `types`, and NULL if and only if an argument is NULL (NULL is in `types` if it can be otherwise)
    arguments,      // one of the arguments, NULL included: max, min, iif's branches ...
    first_not_null  // the first argument that is not NULL
  };
  std::string_view name;  // lower case
  int min_arguments = 0;
  int max_arguments = 0;  // -1: any number
  Kind kind = Kind::scalar;
  Returns returns = Returns::types;
  TypeSet types = types::any;
  bool deterministic = true;  // the same for the same arguments, within one statement
};

// A set of functions. Names are found with ASCII case ignored.
class FunctionTable {
 public:
  // `functions` must outlive the table.
  explicit FunctionTable(std::vector<SqlFunction> functions);

  // The functions that are built into SQLite as it is usually compiled (https://sqlite.org/lang_corefunc.html and its
  // neighbours).
  static const FunctionTable& built_in();

  // The function of this name that takes this many arguments; nullptr if there is none.
  const SqlFunction* find(std::string_view name, int arguments) const;
  bool has(std::string_view name) const;

 private:
  std::vector<SqlFunction> functions_;  // by name
};

}  // namespace trustsql
