// What queries take the texts of columns for.
#include "plan/readings.hpp"

#include <gtest/gtest.h>

#include "plan/date_text.hpp"
#include "unit/plan/plan_of.hpp"

namespace trustsql::plan {
namespace {

TEST(DateText, IsTheDateOfADayThatExists) {
  for (const char* text : {"2021-06-15", "2020-02-29", "0000-01-01", "9999-12-31"})
    EXPECT_TRUE(is_date_text(text)) << text;
  for (const char* text : {"", "2021", "2021-06", "2021-6-15", "2021-06-31", "2021-02-29", "2021-13-01", "2021-00-10",
                           "2021-06-15x", " 2021-06-15", "2021-06-15 12:30:00", "2021/06/15", "12021-06-15"})
    EXPECT_FALSE(is_date_text(text)) << text;
  EXPECT_TRUE(is_datetime_text("2021-06-15 23:59:59"));
  for (const char* text : {"2021-06-15", "2021-06-15 24:00:00", "2021-06-15 12:60:00", "2021-06-15 12:00",
                           "2021-06-31 12:00:00", "2021-06-15T12:00:00"})
    EXPECT_FALSE(is_datetime_text(text)) << text;
  for (const char* text : {"2021", "2021-06", "2021-06-15"}) EXPECT_TRUE(is_start_of_date(text)) << text;
  for (const char* text : {"", "21", "2021-", "2021-13", "2021-06-1", "2021-06-31", "abcd"})
    EXPECT_FALSE(is_start_of_date(text)) << text;
}

TEST(DateText, IsFoundFromAText) {
  using R = Reading;
  EXPECT_EQ(first_date_from("2021-06-15", R::as_date), "2021-06-15");
  EXPECT_EQ(first_date_from("2021-06-15x", R::as_date), "2021-06-16");
  EXPECT_EQ(first_date_from("2021", R::as_date), "2021-01-01");
  EXPECT_EQ(first_date_from("2021-02-29", R::as_date), "2021-03-01");
  EXPECT_EQ(first_date_from("", R::as_date), "0000-01-01");
  EXPECT_EQ(first_date_from("9999-12-31", R::as_date), "9999-12-31");
  EXPECT_EQ(first_date_from("9999-12-32", R::as_date), std::nullopt);
  EXPECT_EQ(first_date_from("a", R::as_date), std::nullopt);
  EXPECT_EQ(last_date_before("2021-06-15", R::as_date), "2021-06-14");
  EXPECT_EQ(last_date_before("2021", R::as_date), "2020-12-31");
  EXPECT_EQ(last_date_before("2020-03", R::as_date), "2020-02-29");
  EXPECT_EQ(last_date_before("a", R::as_date), "9999-12-31");
  EXPECT_EQ(last_date_before("0000-01-01", R::as_date), std::nullopt);
  EXPECT_EQ(first_date_from("2021-06-15", R::as_datetime), "2021-06-15 00:00:00");
  EXPECT_EQ(first_date_from("2021-06-15 12:30:60", R::as_datetime), "2021-06-15 12:31:00");
  EXPECT_EQ(last_date_before("2021-06-15", R::as_datetime), "2021-06-14 23:59:59");
}

TEST(DateText, HasTheFieldsOfAFormat) {
  // The place and the length.
  const auto part = [](std::string_view format) -> std::string {
    const auto found = part_of_format(format);
    return found ? std::to_string(found->first) + " " + std::to_string(found->length) : "none";
  };
  EXPECT_EQ(part("%Y"), "1 4");
  EXPECT_EQ(part("%Y-%m"), "1 7");
  EXPECT_EQ(part("%m"), "6 2");
  EXPECT_EQ(part("%M"), "15 2");
  EXPECT_EQ(part("%m-%d"), "6 5");
  EXPECT_EQ(part("%Y-%m-%d %H:%M:%S"), "1 19");
  for (const char* format : {"", "-", "%", "%%Y", "%Y%m", "%d-%m", "%Y/%m", "YYYY", "%j", "%m-%m"})
    EXPECT_EQ(part(format), "none") << format;
}

class Readings : public testing::Test {
 protected:
  Reading of(const std::string& sql, const std::string& column) {
    plan_ = maker_.plan(sql);
    ColumnReadings readings;
    readings.add(plan_);
    for (const auto& attribute : plan_.attributes) {
      if (attribute.table != nullptr && attribute.name == column)
        return readings.of(*attribute.table, attribute.position);
    }
    throw std::runtime_error("the query does not read " + column);
  }

  testing_support::PlanMaker maker_{"CREATE TABLE t(a TEXT, d DATE, i INT, x, s DATETIME, n NUMERIC);"};
  Plan plan_;
};

TEST_F(Readings, OfNumbers) {
  EXPECT_EQ(of("SELECT a FROM t", "a"), Reading::as_text);
  EXPECT_EQ(of("SELECT a + 1 FROM t", "a"), Reading::as_number);
  EXPECT_EQ(of("SELECT CAST(a AS INTEGER), a + 1 FROM t", "a"), Reading::as_integer);
  EXPECT_EQ(of("SELECT a + 1 FROM t WHERE a <> 'n/a'", "a"), Reading::as_text);
}

TEST_F(Readings, OfDates) {
  EXPECT_EQ(of("SELECT strftime('%Y', a) FROM t", "a"), Reading::as_date);
  EXPECT_EQ(of("SELECT strftime('%Y', d) FROM t", "d"), Reading::as_date);
  EXPECT_EQ(of("SELECT julianday('now') - julianday(x) FROM t", "x"), Reading::as_date);
  EXPECT_EQ(of("SELECT a FROM t WHERE a > '2021-06-15'", "a"), Reading::as_date);
  EXPECT_EQ(of("SELECT a FROM t WHERE strftime('%Y', a) = '2021' AND a >= '2021-03'", "a"), Reading::as_date);
  EXPECT_EQ(of("SELECT strftime('%H', a) FROM t", "a"), Reading::as_datetime);
  EXPECT_EQ(of("SELECT date(a) FROM t WHERE a < '2021-06-15 12:00:00'", "a"), Reading::as_datetime);
  EXPECT_EQ(of("SELECT strftime('%Y', s) FROM t", "s"), Reading::as_datetime);
  EXPECT_EQ(of("SELECT date(n) FROM t", "n"), Reading::as_text);
  // Numbers are no dates, nor are texts that no date begins with, nor what is calculated with.
  EXPECT_EQ(of("SELECT date(i) FROM t", "i"), Reading::as_text);
  EXPECT_EQ(of("SELECT date(a) FROM t WHERE a <> 'unknown'", "a"), Reading::as_text);
  EXPECT_EQ(of("SELECT date(d) FROM t WHERE d > 20210615", "d"), Reading::as_text);
  EXPECT_EQ(of("SELECT date(a), a + 1 FROM t", "a"), Reading::as_text);
  EXPECT_EQ(of("SELECT a FROM t WHERE a > '2021'", "a"), Reading::as_text);
}

}  // namespace
}  // namespace trustsql::plan
