#include "score/report/html_csv.hpp"

#include <gtest/gtest.h>

namespace trustsql {
namespace {

TEST(CsvWriter, QuotesWhatNeedsIt) {
  CsvWriter csv;
  csv.text("a,b");
  csv.text("say \"x\"");
  csv.text("two\nlines");
  csv.text("");
  csv.number("-1.5");
  csv.number("");
  csv.end_row();
  EXPECT_EQ(csv.rows(), "\"a,b\",\"say \"\"x\"\"\",\"two\nlines\",,-1.5,\r\n");
}

TEST(CsvWriter, TextsAreNoFormulas) {
  CsvWriter csv;
  for (const auto* text : {"=1+1", "+1", "-1", "@x", "\tx", "a=1"}) csv.text(text);
  csv.end_row();
  EXPECT_EQ(csv.rows(), "'=1+1,'+1,'-1,'@x,'\tx,a=1\r\n");
}

TEST(CsvWriter, TheUriHasNoLetterThatAnAttributeWouldEscape) {
  CsvWriter csv;
  csv.text("<a href=\"x\">&'#%\xc3\xa9\xff");
  csv.end_row();
  EXPECT_EQ(csv.data_uri(),
            "data:text/csv;charset=utf-8,%22%3Ca%20href%3D%22%22x%22%22%3E%26%27%23%25%C3%A9%EF%BF%BD%22%0D%0A");
}

}  // namespace
}  // namespace trustsql
