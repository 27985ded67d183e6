// What queries take the texts of a column for.
//
// Numbers, if they cast the column to a number, calculate with it, or compare it with a column of numbers; dates, if
// they pass it to a date function or compare it with a date. But texts, if they also compare it with a text that is
// neither, such as 'n/a', or take it for both.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "plan/facts.hpp"
#include "plan/plan.hpp"
#include "plan/reading.hpp"

namespace trustsql::plan {

// Whether `text` is one of those that columns are taken for that are read so.
bool is_read_as(std::string_view text, Reading reading);

class ColumnReadings {
 public:
  // Adds what `plan` takes columns for. A column that is taken for integers once and for numbers elsewhere is taken for
  // integers; one that is taken for dates and for dates with a time, for the latter.
  void add(const Plan& plan);

  // What the column at `position` of `table` is taken for. Only columns of the affinity TEXT are taken for numbers, and
  // none of the affinities INTEGER and REAL for dates, nor any that is declared as NUMERIC, BOOLEAN, TIME and the like.
  // A column that is declared as DATETIME or TIMESTAMP has dates with a time.
  Reading of(const Table& table, int position) const;
  // Whether the column is compared with a text that is not that of a number.
  bool holds_other_texts(const Table& table, int position) const;
  // Whether a column is taken both for numbers and for other texts.
  bool are_mixed() const;
  // The columns that are taken for dates, in the order of their tables' names and of their positions.
  std::vector<DateColumn> dates() const;

 private:
  class Finder;
  struct Use {
    const Table* table = nullptr;
    Reading number = Reading::as_text;    // the numbers that it is converted to
    Reading date = Reading::as_text;      // the dates that it is taken for
    bool holds_other_texts = false;       // it is compared with a text that is not that of a number
    bool holds_other_than_dates = false;  // it is compared with a value that no date begins with
  };
  // By names: the plan may be made for another copy of the catalog than the reader's.
  using Key = std::tuple<std::string, std::string, int>;  // schema, table, position
  static Key key_of(const Table& table, int position);
  std::map<Key, Use> columns_;
};

}  // namespace trustsql::plan
