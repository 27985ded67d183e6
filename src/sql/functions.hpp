// The functions that a query can call: their arities, kinds and result types.
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
    aggregate,         // does not accept OVER
    window_aggregate,  // accepts OVER, but does not need it: the built-in aggregates
    window,            // needs OVER: row_number, rank ...
  };
  // How the result depends on the arguments.
  enum class Returns : std::uint8_t {
    types,           // `types`, for any arguments
    null_if_any,     // NULL if an argument is NULL, otherwise `types`
    arguments,       // one of the arguments, or NULL if any of them is NULL
    first_not_null,  // the first argument that is not NULL
    first_argument,  // the first argument, or `types`
    branches,        // for iif(condition, then [, condition, then]... [, else]): a then or the else
    one_of_group,    // for aggregates: the argument's value in one of the rows where it is not NULL; NULL if there is
                     // none
    sum,             // for aggregates: `types` (an integer for integers); NULL if no row has a value that is not NULL
    total,           // like sum, but never NULL for lack of rows
    row_or_default,  // for lag and lead: the first argument, or the third, or NULL if there is no third
  };
  // Whether the result can be marked as JSON, by which JSON functions tell it from other texts: its subtype
  // (https://sqlite.org/c3ref/value_subtype.html). What a table stores has none.
  enum class Subtype : std::uint8_t {
    none,
    passed_on,  // it may have that of an argument
    json,       // it may be marked, whatever the arguments are
  };
  std::string_view name;  // lower case
  int min_arguments = 0;
  int max_arguments = 0;  // -1: any number
  Kind kind = Kind::scalar;
  Returns returns = Returns::types;
  TypeSet types = types::any;
  int strict_arguments = 0;   // the result is NULL if one of the first so many arguments is; -1: if one of all is
  bool deterministic = true;  // the same result for the same arguments within one statement
  bool of_dates = false;      // a date and time function (https://sqlite.org/lang_datefunc.html)
  bool ordered_set = false;   // f(p) WITHIN GROUP (ORDER BY x) is f(x, p) (SQLITE_SELFORDER1)
  // Adds up its arguments as reals, integers too. avg and total do so before SQLite 3.43; from then on they add up
  // integers exactly, and the other values with a compensation (https://sqlite.org/releaselog/3_43_0.html).
  bool adds_reals = false;
  Subtype subtype = Subtype::none;
  bool reads_subtype = false;  // takes an argument that is marked as JSON for JSON, and any other text for a string
  int since = 0;  // the first SQLite version that has it, as SQLITE_VERSION_NUMBER; 0: older than any supported one

  bool is_aggregate() const { return kind != Kind::scalar; }
  // Whether the result is NULL if the argument of this number, counted from 0, is NULL.
  bool is_strict_in(std::size_t argument) const {
    return strict_arguments < 0 || argument < static_cast<std::size_t>(strict_arguments);
  }
};

// A set of functions, looked up by name, ignoring the case of ASCII letters.
class FunctionTable {
 public:
  // The names must outlive the table. Of several functions with the same name and arity, the first one is found.
  explicit FunctionTable(std::vector<SqlFunction> functions);

  // The functions built into this version of SQLite as it is usually compiled, including the mathematical functions.
  static FunctionTable built_in(int version);
  // The built-in functions of all versions.
  static const FunctionTable& latest();

  // The function of this name that takes this many arguments; nullptr if there is none.
  const SqlFunction* find(std::string_view name, int arguments) const;
  bool has(std::string_view name) const { return !named(name).empty(); }
  // Whether one of that name may be called with WITHIN GROUP.
  bool has_ordered_set(std::string_view name) const;
  // Whether a date and time function has that name: date, strftime, current_date ... They read the clock if no argument
  // is the time, or one such as 'now'.
  bool is_date_function(std::string_view name) const;
  // All functions, ordered by name.
  std::span<const SqlFunction> all() const { return functions_; }

 private:
  std::span<const SqlFunction> named(std::string_view name) const;

  std::vector<SqlFunction> functions_;  // ordered by name
};

}  // namespace trustsql
