// Dates and parts of them in expressions, where columns are assumed to hold nothing else (RuleContext::dates_in).
#pragma once

#include "plan/date_text.hpp"
#include "plan/rule.hpp"

namespace trustsql::plan::rules {

// A part of a column of dates: all of it, or what substr(column, first, length) takes. It is within the text.
struct PartOfDate {
  AttributeId column = 0;
  Reading reading = Reading::as_date;  // of the column
  TextPart part{};

  bool is_whole() const { return part.first == 1 && part.length == length_of_dates(reading); }
  // Whether it is a number of digits: a year, a month, an hour.
  bool is_number() const;
};

// The part that the expression, a column or a call of substr(), is; nullopt if it is none.
std::optional<PartOfDate> part_of_date(const Expr& expr, const RuleContext& context);

// The column, or the call of substr() that takes the part; nullopt if SQLite has no such function.
std::optional<Expr> expression_of(const PartOfDate& part);

}  // namespace trustsql::plan::rules
