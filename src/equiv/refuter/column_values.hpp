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
  bool are_documents = false;   // they are JSON
};

// What the queries do with a column, beside comparing it.
struct ColumnUse {
  bool numeric = false;       // they calculate with it
  bool worded = false;        // they take its texts apart
  bool dated = false;         // they take its texts for times
  std::size_t longest = 0;    // the last place in a text that they ask for
  bool with_numbers = false;  // it is compared with a column of numbers
  int decimals = -1;          // that its numbers are rounded to
  std::vector<int> days{};    // that they add to its times, or compare differences of times with

  void add(const ColumnUse& other);
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
  ColumnValues finish(const ColumnUse& use);

 private:
  std::vector<Value> common_values(const ColumnUse& use) const;
  bool varies_from_hint(const Value& value) const;
  void take(const Value& constant);
  void take_odd(Value value);
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
