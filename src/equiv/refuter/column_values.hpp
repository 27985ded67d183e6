// Values that one column of a small database may hold.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "equiv/refuter/data_model.hpp"

namespace trustsql::equiv {

struct ColumnValues {
  std::vector<Value> hinted;    // from the queries, of the column's kind; no two texts that differ in case only
  std::vector<Value> common;    // likewise, from no query; never empty
  std::vector<Value> variants;  // texts of the above in another case
  std::vector<Value> odd;       // of other types, unless SQLite refuses them
};

// Makes the values of a column from what it is compared with.
class ColumnValuesMaker {
 public:
  // `rtrim`: blanks at the end of texts do not count in comparisons.
  ColumnValuesMaker(ColumnKind kind, bool rtrim) : kind_(kind), rtrim_(rtrim) {}

  // A constant and its neighbours.
  void add(const Value& constant);
  // Instances of a LIKE pattern, and what is none.
  void add_pattern(const std::string& pattern);
  // `numeric`: the queries calculate with the column; `numbered`: it is compared with a column of numbers.
  ColumnValues finish(bool numeric, bool numbered);

 private:
  bool varies_from_hint(const Value& value) const;
  void take(const Value& constant);
  void add_neighbours(const std::string& text);
  void add_variants(const Value& value);

  ColumnKind kind_;
  bool rtrim_;
  ColumnValues values_;
};

// `value` as a column of this kind would best hold it: digits for a text, a number for digits.
Value fitted(const Value& value, ColumnKind kind);

// YYYY-MM-DD, whatever follows.
bool looks_like_date(std::string_view text);

}  // namespace trustsql::equiv
