// What queries take the texts of a column for: numbers, if they cast the column to a number, calculate with it, or
// compare it with a column of numbers; but texts, if they also compare it with a text that is not that of a number,
// such as 'n/a'.
#pragma once

#include <map>
#include <utility>

#include "plan/number_text.hpp"
#include "plan/plan.hpp"

namespace trustsql::plan {

class ColumnReadings {
 public:
  // Adds what `plan` takes columns for. A column that is taken for integers once and for numbers elsewhere is taken for
  // integers.
  void add(const Plan& plan);

  // What the column at `position` of `table` is taken for; as_text if it is not of the affinity TEXT.
  Reading of(const Table& table, int position) const;
  // Whether the column is compared with a text that is not that of a number.
  bool holds_other_texts(const Table& table, int position) const;
  // Whether a column is taken both for numbers and for other texts.
  bool are_mixed() const;

 private:
  class Finder;
  struct Use {
    Reading reading = Reading::as_text;  // what it is converted to
    bool holds_other_texts = false;      // it is compared with one
  };
  std::map<std::pair<const Table*, int>, Use> columns_;
};

}  // namespace trustsql::plan
