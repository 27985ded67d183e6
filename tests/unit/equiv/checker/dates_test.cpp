// Dates as the checker evaluates them, against SQLite.
#include "equiv/checker/dates.hpp"

#include <gtest/gtest.h>

#include <array>

#include "unit/db/support.hpp"

namespace trustsql::equiv::checker {
namespace {

TEST(CheckerDates, AreThoseThatSqliteWritesAsTheyAre) {
  const test::TestConnection db;
  for (const char* text :
       {"2021-06-15", "2021-06-31", "2021-02-29", "2020-02-29", "1900-02-29", "2000-02-29", "0000-02-29", "2021-13-01",
        "2021-00-01", "2021-06-00", "9999-12-31", "2021-6-15", "now", "", "2459381"}) {
    const bool unchanged = db.ask(std::string("SELECT date('") + text + "', '+0 days') IS '" + text + "'") == "1";
    EXPECT_EQ(is_day(text), unchanged) << text;
  }
  for (const char* text : {"2021-06-15 00:00:00", "2021-06-15 23:59:59", "2021-06-15 24:00:00", "2021-06-15 12:60:00",
                           "2021-02-29 12:00:00", "2021-06-15", "2021-06-15T12:00:00"}) {
    const bool unchanged = db.ask(std::string("SELECT datetime('") + text + "', '+0 days') IS '" + text + "'") == "1";
    EXPECT_EQ(is_day_with_time(text), unchanged) << text;
  }
}

TEST(CheckerDates, FunctionsReturnWhatSqliteReturns) {
  const test::TestConnection db;
  const Value years[] = {Value(std::int64_t{2021}), Value("1987-10"), Value("0000"), Value("9999-12-31"), Value("06")};
  const std::array<const Value*, 5> constants{&years[0], &years[1], &years[2], &years[3], &years[4]};
  int compared = 0;
  for (const bool with_time : {false, true}) {
    const auto dates = sample_dates(constants, with_time);
    EXPECT_GT(dates.size(), 20);
    for (const auto& date : dates) {
      ASSERT_TRUE(with_time ? is_day_with_time(date) : is_day(date)) << date;
      const auto time = ValueView::of_text(date);
      for (const char* name : {"date", "time", "datetime"}) {
        EXPECT_EQ(date_function(name, std::array{time}), db.ask(std::string("SELECT ") + name + "('" + date + "')"));
        ++compared;
      }
      for (const char* format : {"%Y", "%m", "%d", "%Y-%m", "%d.%m.%Y", "%H:%M:%S", "%Y%m", "x"}) {
        EXPECT_EQ(date_function("strftime", std::array{ValueView::of_text(format), time}),
                  db.ask(std::string("SELECT strftime('") + format + "', '" + date + "')"));
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 500);
  for (const char* call : {"date(NULL)", "strftime(NULL, '2021-06-15')", "strftime('%Y', NULL)",
                           "date('2021-06-15', NULL)", "julianday(NULL)"})
    EXPECT_EQ(db.ask(std::string("SELECT ") + call), "NULL") << call;
  const auto day = ValueView::of_text("2021-06-15");
  EXPECT_EQ(date_function("date", std::array{ValueView::of_text("now")}), std::nullopt);
  EXPECT_EQ(date_function("date", std::array{day, ValueView::of_text("+1 day")}), std::nullopt);
  EXPECT_EQ(date_function("strftime", std::array{ValueView::of_text("%j"), day}), std::nullopt);
  EXPECT_EQ(date_function("julianday", std::array{day}), std::nullopt);
}

}  // namespace
}  // namespace trustsql::equiv::checker
