// Values for which an expression of a column has a given value; SQLite says whether it has.
#include "equiv/refuter/preimages.hpp"

#include "plan/walk.hpp"
#include "unit/equiv/refuter_ground.hpp"

namespace trustsql::equiv {
namespace {

class PreimagesTest : public ::testing::Test {
 protected:
  // The preimages for `condition`, an equation of an expression of t.x and a constant.
  std::vector<Value> of(const std::string& condition) {
    const auto planned = plan::plan_query("SELECT 1 FROM t WHERE " + condition, ground_.catalog());
    if (!planned.ok()) throw std::runtime_error(planned.error().message);
    std::vector<Value> values;
    find(planned->root, values);
    return values;
  }

  // How many of `values` fulfil `condition` in SQLite.
  static int fulfilled(const std::vector<Value>& values, const std::string& condition) {
    auto db = *Connection::open_memory();
    EXPECT_EQ(sqlite3_exec(db.handle(), "CREATE TABLE t(x)", nullptr, nullptr, nullptr), SQLITE_OK);
    auto insert = prepare(db.handle(), "INSERT INTO t VALUES (?)");
    for (const auto& value : values) {
      EXPECT_TRUE(insert->bind(1, view(value)).ok());
      EXPECT_TRUE(insert->run().ok());
    }
    auto count = prepare(db.handle(), "SELECT count(*) FROM t WHERE " + condition);
    EXPECT_TRUE(count.ok() && count->step().ok());
    return static_cast<int>(count->column(0).integer);
  }

 private:
  static void find(const plan::Rel& rel, std::vector<Value>& values) {
    plan::for_each_expr(rel, [&](const plan::Expr& expr) {
      const auto* equation = expr.as<plan::Compare>();
      if (equation == nullptr) return;
      if (const auto* constant = plan::literal_value(*equation->right)) values = preimages(*equation->left, *constant);
    });
    plan::for_each_rel(rel, [&](const plan::Rel& input) { find(input, values); });
  }

  test::RefuterGround ground_{"CREATE TABLE t(x)"};
};

TEST_F(PreimagesTest, AreSolutions) {
  for (const char* condition : {"x = 5",
                                "x = 'a'",
                                "trim(x) = 'a'",
                                "rtrim(ltrim(x)) = 'a b'",
                                "lower(x) = 'abc'",
                                "substr(x, 1, 2) = 'ab'",
                                "substr(x, 4, 2) = 'ab'",
                                "substr(x, 1, 4) = '2020'",
                                "substr(x, 6, 2) = '03'",
                                "substr(x, -2) = 'ab'",
                                "strftime('%Y', x) = '1999'",
                                "strftime('%m', x) = '03'",
                                "strftime('%Y-%m', x) = '1999-03'",
                                "strftime('%H:%M', x) = '07:45'",
                                "CAST(strftime('%m', x) AS INTEGER) = 3",
                                "CAST(strftime('%Y', x) AS INTEGER) = 1999",
                                "date(x) = '1999-12-31'",
                                "time(x) = '07:45:00'",
                                "abs(x) = 5",
                                "abs(x) = 2.5",
                                "length(x) = 7",
                                "length(trim(x)) = 3",
                                "round(x) = 4",
                                "round(x, 1) = 2.5",
                                "CAST(x AS INTEGER) = 7",
                                "x + 3 = 10",
                                "3 + x = 10",
                                "x - 3 = 10",
                                "3 - x = 10",
                                "x * 4 = 12",
                                "x / 4 = 3",
                                "-x = 5",
                                "-x = 2.5",
                                "x || '!' = 'a!'",
                                "'!' || x = '!a'",
                                "coalesce(x, 0) = 5",
                                "2 * abs(x + 1) = 10"})
    EXPECT_GE(fulfilled(of(condition), condition), 1) << condition;
}

TEST_F(PreimagesTest, SeveralTellFunctionsFromTheirColumn) {
  for (const char* condition : {"trim(x) = 'a'", "abs(x) = 5", "substr(x, 1, 2) = 'ab'", "date(x) = '1999-12-31'",
                                "CAST(x AS INTEGER) = 7", "round(x) = 4"})
    EXPECT_GE(fulfilled(of(condition), condition), 2) << condition;
}

// No value, or a value of another kind: the constant itself, and nothing fails.
TEST_F(PreimagesTest, OfWhatCannotBe) {
  for (const char* condition :
       {"strftime('%m', x) = '3'", "strftime('%q', x) = 'a'", "strftime(x) = '03'", "strftime('%m%', x) = '03%'",
        "length(x) = -1", "length(x) = 1e300", "substr(x, 9223372036854775807) = 'a'",
        "substr(x, -9223372036854775808) = 'a'", "abs(x) = 'a'", "x * 0 = 5", "x / 0 = 5", "x % 3 = 1",
        "round(x, 9223372036854775807) = 1", "x + 9223372036854775807 = -9223372036854775808",
        "-x = -9223372036854775808", "CAST(x AS INTEGER) = -9223372036854775808", "x || '!' = 'a'", "random() = 5"})
    EXPECT_LE(of(condition).size(), 8U) << condition;
}

}  // namespace
}  // namespace trustsql::equiv
