// The values that one column of a small database may hold.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "equiv/refuter/data_model.hpp"

namespace trustsql::equiv {

struct ColumnValues {
  std::vector<Value> hinted;    // from the queries, of the column's kind; no two texts differ in letter case only
  std::vector<Value> common;    // likewise, but not from the queries; never empty
  std::vector<Value> variants;  // the above texts in a different letter case
  std::vector<Value> odd;       // of other types, unless SQLite rejects them
  std::vector<Value> misread;   // of the column's kind, but not what the queries take them for
};

// Creates the values of a column from what it is compared with.
class ColumnValuesMaker {
 public:
  // `rtrim`: comparisons ignore trailing blanks; `reading`: what the queries take texts for.
  ColumnValuesMaker(ColumnKind kind, bool rtrim, plan::Reading reading)
      : kind_(kind), rtrim_(rtrim), reading_(reading) {}

  // Adds a constant and its neighbours.
  void add(const Value& constant);
  // Adds texts that match a LIKE pattern, and texts that do not.
  void add_pattern(const std::string& pattern);
  // `numeric`: the queries calculate with the column; `numbered`: it is compared with a column of numbers.
  ColumnValues finish(bool numeric, bool numbered);

 private:
  bool varies_from_hint(const Value& value) const;
  void take(const Value& constant);
  void add_neighbours(const std::string& text);
  // Returns whether there are any.
  bool add_variants(const Value& value);

  ColumnKind kind_;
  bool rtrim_;
  plan::Reading reading_;
  ColumnValues values_;
};

// `value` converted to what a column of this kind would best hold: digits to text, text of digits to a number.
Value fitted(const Value& value, ColumnKind kind);

// Whether the text starts with YYYY-MM-DD.
bool looks_like_date(std::string_view text);

}  // namespace trustsql::equiv
