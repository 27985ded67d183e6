#include "equiv/refuter.hpp"

#include <algorithm>

#include "db/sources/host_database.hpp"
#include "unit/equiv/refuter_ground.hpp"

namespace trustsql::test {
namespace {

using equiv::Deviation;
using equiv::Deviations;
using equiv::RefuteOptions;
using equiv::RowsAs;

constexpr const char* club_schema = R"(
CREATE TABLE club(id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT, founded INT);
CREATE TABLE member(id INTEGER PRIMARY KEY, club_id INT REFERENCES club(id), name TEXT, age INT, fee REAL, joined DATE);
CREATE TABLE visit(member_id INT NOT NULL REFERENCES member(id), day TEXT NOT NULL, minutes INT, PRIMARY KEY(member_id, day));
CREATE VIEW adult AS SELECT id, name, club_id FROM member WHERE age >= 18;
)";

class RefuterTest : public ::testing::Test {
 protected:
  RefuterGround ground_{club_schema};
};

TEST_F(RefuterTest, FindsWhatDiffersOutright) {
  const std::pair<const char*, const char*> pairs[] = {
      {"SELECT name FROM member WHERE age > 30", "SELECT name FROM member WHERE age >= 30"},
      {"SELECT name FROM member WHERE age > 30", "SELECT name FROM member WHERE age > 31"},
      {"SELECT name FROM club", "SELECT city FROM club"},
      {"SELECT count(*) FROM member", "SELECT count(DISTINCT name) FROM member"},
      {"SELECT max(age) FROM member", "SELECT min(age) FROM member"},
      {"SELECT avg(age) FROM member", "SELECT sum(age) / count(age) FROM member"},
      {"SELECT name FROM member WHERE name LIKE '%an%'", "SELECT name FROM member WHERE name LIKE 'an%'"},
      {"SELECT name FROM member WHERE age BETWEEN 20 AND 30", "SELECT name FROM member WHERE age > 20 AND age < 30"},
      {"SELECT c.name FROM club c JOIN member m ON m.club_id = c.id",
       "SELECT c.name FROM club c LEFT JOIN member m ON m.club_id = c.id"},
      {"SELECT name FROM adult", "SELECT name FROM member WHERE age > 18"},
      {"SELECT id FROM club UNION SELECT club_id FROM member",
       "SELECT id FROM club INTERSECT SELECT club_id FROM member"},
      {"SELECT club_id FROM member GROUP BY club_id HAVING count(*) > 1",
       "SELECT club_id FROM member GROUP BY club_id HAVING sum(age) > 1"},
      {"SELECT name FROM member", "SELECT name, age FROM member"},
      {"SELECT name FROM member WHERE fee", "SELECT name FROM member"},
      {"SELECT name FROM member WHERE name OR age > 3", "SELECT name FROM member WHERE age > 3"},
  };
  for (const auto& [a, b] : pairs) {
    ground_.counterexample(a, b);
    EXPECT_EQ(ground_.grade(a, b), "outright") << a << "\n" << b;
  }
}

// What only long texts, blanks, negative numbers, halves or certain days tell apart.
TEST_F(RefuterTest, FindsValuesForFunctions) {
  const std::pair<const char*, const char*> pairs[] = {
      {"SELECT abs(age) FROM member", "SELECT age FROM member"},
      {"SELECT sum(abs(age)) FROM member", "SELECT sum(age) FROM member"},
      {"SELECT abs(sum(age)) FROM member", "SELECT sum(age) FROM member"},
      {"SELECT id FROM member WHERE age > (SELECT avg(age) FROM member)",
       "SELECT id FROM member WHERE age > (SELECT sum(age) / count(age) FROM member)"},
      {"SELECT age % 2 FROM member", "SELECT abs(age) % 2 FROM member"},
      {"SELECT id FROM member WHERE age * age = 144", "SELECT id FROM member WHERE abs(age) = 12 AND age <> 12"},
      {"SELECT id FROM member WHERE age + 3 = 40", "SELECT id FROM member WHERE age * 2 = 72"},
      {"SELECT round(fee) FROM member", "SELECT CAST(fee + 0.5 AS INT) FROM member"},
      {"SELECT id FROM club WHERE length(name) > 0", "SELECT id FROM club"},
      {"SELECT id FROM club WHERE trim(city) = 'Rome'", "SELECT id FROM club WHERE city = 'Rome'"},
      {"SELECT replace(city, ' ', '') FROM club", "SELECT trim(city) FROM club"},
      {"SELECT substr(city, 1, 3) FROM club", "SELECT city FROM club"},
      {"SELECT substr(city, 1, 20) FROM club", "SELECT city FROM club"},
      {"SELECT substr(city, -3) FROM club", "SELECT city FROM club"},
      {"SELECT length(city) FROM club", "SELECT length(trim(city)) FROM club"},
      {"SELECT length(city) FROM club", "SELECT length(CAST(city AS BLOB)) FROM club"},
      {"SELECT id FROM club WHERE length(name) = 12", "SELECT id FROM club WHERE length(name) = 13"},
      {"SELECT member_id FROM visit WHERE strftime('%m', day) = '3'",
       "SELECT member_id FROM visit WHERE strftime('%m', day) = '03'"},
      {"SELECT member_id FROM visit WHERE strftime('%H:%M', day) = '07:45'",
       "SELECT member_id FROM visit WHERE strftime('%H', day) = '07'"},
      {"SELECT member_id FROM visit WHERE CAST(strftime('%m', day) AS INT) = 3",
       "SELECT member_id FROM visit WHERE strftime('%m', day) = '3'"},
      {"SELECT member_id FROM visit WHERE substr(day, 6, 2) = '03'",
       "SELECT member_id FROM visit WHERE substr(day, 6, 2) = '03' AND substr(day, 1, 2) = '19'"},
      {"SELECT member_id FROM visit v JOIN member m ON m.id = member_id WHERE julianday(day) - julianday(joined) > 3",
       "SELECT member_id FROM visit v JOIN member m ON m.id = member_id WHERE julianday(day) - julianday(joined) >= 3"},
      {"SELECT member_id FROM visit v JOIN member m ON m.id = member_id WHERE date(joined, '+1 month') < day",
       "SELECT member_id FROM visit v JOIN member m ON m.id = member_id WHERE date(joined, '+30 days') < day"},
      {"SELECT round(sum(fee * age), 2) FROM member", "SELECT sum(round(fee * age, 2)) FROM member"},
      {"SELECT id FROM club WHERE name LIKE '%a%b%'", "SELECT id FROM club WHERE name LIKE '%a%' AND name LIKE '%b%'"},
      {"SELECT id FROM club WHERE name GLOB 'Ab*z'", "SELECT id FROM club WHERE name GLOB 'Ab*' AND city IS NULL"},
      {"SELECT id FROM club WHERE name || '!' = 'Ajax!'", "SELECT id FROM club WHERE name = 'Ajax' AND id > 5"},
  };
  for (const auto& [a, b] : pairs) {
    for (const std::uint64_t seed : {1, 2, 3}) ground_.counterexample(a, b, {.seed = seed});
  }
}

TEST_F(RefuterTest, LeavesEqualQueriesAlone) {
  const std::pair<const char*, const char*> pairs[] = {
      {"SELECT name FROM member WHERE age > 30", "SELECT name FROM member WHERE NOT age <= 30"},
      {"SELECT name FROM member WHERE age IN (1, 2)", "SELECT name FROM member WHERE age = 2 OR age = 1"},
      {"SELECT DISTINCT id FROM club", "SELECT id FROM club"},
      {"SELECT c.id FROM club c WHERE EXISTS (SELECT 1 FROM member WHERE club_id = c.id)",
       "SELECT id FROM club WHERE id IN (SELECT club_id FROM member)"},
      {"SELECT sum(fee) FROM member", "SELECT sum(fee) FROM (SELECT fee FROM member ORDER BY fee DESC)"},
      {"SELECT name FROM adult", "SELECT name FROM member WHERE age >= 18"},
      {"SELECT count(*) FROM visit", "SELECT count(day) FROM visit"},
      {"SELECT name FROM member ORDER BY id LIMIT 3", "SELECT name FROM member ORDER BY id ASC LIMIT 3 OFFSET 0"},
  };
  for (const auto& [a, b] : pairs) {
    const auto refutation = ground_.refute(a, b);
    ASSERT_TRUE(refutation.ok()) << refutation.error().message;
    EXPECT_FALSE(refutation->counterexample) << a << "\n" << b << "\n" << refutation->counterexample->script;
    EXPECT_GT(refutation->databases, 100);
    EXPECT_TRUE(refutation->complete);
  }
}

// If both queries take tied rows alike, a difference counts only where no tie matters: here, between equal names.
TEST_F(RefuterTest, TiesThatBothTakeAlike) {
  const char* a = "SELECT name FROM member LIMIT 1 OFFSET 1";
  const char* b = "SELECT 'zz' FROM member LIMIT 1 OFFSET 1";
  for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
    const auto refutation = ground_.refute(a, b, {.same_ties = true, .seed = seed});
    ASSERT_TRUE(refutation.ok()) << refutation.error().message;
    ASSERT_TRUE(refutation->counterexample);
    const auto& script = refutation->counterexample->script;
    EXPECT_FALSE(RefuterGround::holds(script, "SELECT min(name) IS max(name) FROM member", "SELECT 1")) << script;
  }
}

// Each pair differs only under the given deviation.
TEST_F(RefuterTest, GradesByTheMildestDeviation) {
  const std::array<const char*, 3> pairs[] = {
      {"null", "SELECT count(*) FROM member", "SELECT count(name) FROM member"},
      {"null", "SELECT name FROM member WHERE age < 5 OR age >= 5", "SELECT name FROM member"},
      {"null", "SELECT name FROM club WHERE id NOT IN (SELECT club_id FROM member)",
       "SELECT name FROM club c WHERE NOT EXISTS (SELECT 1 FROM member WHERE club_id = c.id)"},
      {"duplicates", "SELECT DISTINCT city FROM club", "SELECT city FROM club"},
      {"duplicates", "SELECT c.name FROM club c JOIN member m ON m.club_id = c.id",
       "SELECT name FROM club WHERE id IN (SELECT club_id FROM member)"},
      {"foreign_key", "SELECT v.day FROM visit v JOIN member m ON m.id = v.member_id", "SELECT day FROM visit"},
      {"case", "SELECT id FROM club WHERE city = 'Rome'", "SELECT id FROM club WHERE city LIKE 'rome'"},
      {"case", "SELECT id FROM club WHERE city = 'Rome'", "SELECT id FROM club WHERE city = 'ROME'"},
      {"case", "SELECT id FROM club WHERE city LIKE 'Ro%'", "SELECT id FROM club WHERE substr(city, 1, 2) = 'Ro'"},
      {"empty", "SELECT max(founded) FROM club WHERE city = 'Rome'",
       "SELECT founded FROM club WHERE city = 'Rome' ORDER BY founded DESC LIMIT 1"},
      {"column_order", "SELECT id, name FROM club", "SELECT name, id FROM club"},
      {"type", "SELECT id FROM member WHERE age > 20", "SELECT id FROM member WHERE age >= 21"},
      {"affinity", "SELECT id FROM club WHERE CAST(city AS INTEGER) = 5", "SELECT id FROM club WHERE city = '5'"},
      {"affinity", "SELECT id FROM club WHERE city + 0 IN (5, 7)", "SELECT id FROM club WHERE city IN ('5', '7')"},
      {"outright", "SELECT id FROM club WHERE CAST(city AS INTEGER) > 5", "SELECT id FROM club WHERE city > '5'"},
      {"outright", "SELECT id FROM club WHERE city + 0 = 5 OR city = 'n/a'", "SELECT id FROM club WHERE city = '5'"},
      {"none", "SELECT id FROM club WHERE id > 20", "SELECT id FROM club WHERE id >= 21"},
  };
  for (const auto& [expected, a, b] : pairs) EXPECT_EQ(ground_.grade(a, b), expected) << a << "\n" << b;
}

TEST_F(RefuterTest, DoesNotReportDeviationsThatAreNotAllowed) {
  const std::pair<Deviation, std::array<const char*, 2>> pairs[] = {
      {Deviation::null, {"SELECT count(*) FROM member", "SELECT count(name) FROM member"}},
      {Deviation::duplicates, {"SELECT DISTINCT city FROM club", "SELECT city FROM club"}},
      {Deviation::foreign_key,
       {"SELECT v.day FROM visit v JOIN member m ON m.id = v.member_id", "SELECT day FROM visit"}},
      {Deviation::letter_case,
       {"SELECT id FROM club WHERE city = 'Rome'", "SELECT id FROM club WHERE city LIKE 'rome'"}},
      {Deviation::column_order, {"SELECT id, name FROM club", "SELECT name, id FROM club"}},
      {Deviation::type, {"SELECT id FROM member WHERE age > 20", "SELECT id FROM member WHERE age >= 21"}},
  };
  for (const auto& [deviation, queries] : pairs) {
    RefuteOptions options;
    options.allowed.remove(deviation);
    EXPECT_EQ(ground_.grade(queries[0], queries[1], options), "none") << queries[0];
    options.allowed = Deviations{deviation};
    EXPECT_EQ(ground_.grade(queries[0], queries[1], options), name(deviation)) << queries[0];
  }
}

// Without random databases: those made for the pair must suffice.
TEST_F(RefuterTest, DirectedDatabasesDoWithoutRandomOnes) {
  const std::pair<const char*, const char*> pairs[] = {
      // one condition, join, column
      {"SELECT id FROM member WHERE name = 'Ann' AND age > 30 AND fee < 7.5",
       "SELECT id FROM member WHERE name = 'Ann' AND age > 30"},
      {"SELECT m.id FROM member m JOIN club c ON c.id = m.club_id WHERE c.city = 'Rome'",
       "SELECT m.id FROM member m JOIN club c WHERE c.city = 'Rome'"},
      {"SELECT id FROM member WHERE age > 20 OR fee > 9", "SELECT id FROM member WHERE age > 20"},
      {"SELECT id FROM member WHERE name LIKE 'A%n_'", "SELECT id FROM member WHERE name LIKE 'A%n'"},
      {"SELECT id FROM member WHERE fee IN (1.5, 2.5)", "SELECT id FROM member WHERE fee = 1.5"},
      // sizes of groups
      {"SELECT club_id FROM member GROUP BY club_id HAVING count(*) > 10",
       "SELECT club_id FROM member GROUP BY club_id HAVING count(*) > 50"},
      {"SELECT club_id FROM member GROUP BY club_id HAVING count(*) >= 7",
       "SELECT club_id FROM member GROUP BY club_id HAVING count(*) > 7"},
      {"SELECT count(*) > 40 FROM member", "SELECT count(*) > 41 FROM member"},
      // LIMIT
      {"SELECT id FROM member ORDER BY age, id LIMIT 5", "SELECT id FROM member ORDER BY age, id LIMIT 6"},
      {"SELECT id FROM member ORDER BY age DESC, id LIMIT 1",
       "SELECT id FROM member WHERE age = (SELECT max(age) FROM member)"},
      // outer joins, NOT EXISTS, EXCEPT
      {"SELECT c.id, m.id FROM club c LEFT JOIN member m ON m.club_id = c.id",
       "SELECT c.id, m.id FROM club c JOIN member m ON m.club_id = c.id"},
      {"SELECT id FROM club c WHERE NOT EXISTS (SELECT 1 FROM member WHERE club_id = c.id AND age > 30)",
       "SELECT id FROM club"},
      {"SELECT city FROM club EXCEPT SELECT name FROM member", "SELECT DISTINCT city FROM club"},
      {"SELECT city FROM club INTERSECT SELECT name FROM member WHERE age = 77",
       "SELECT city FROM club INTERSECT SELECT name FROM member"},
      {"SELECT city FROM club WHERE founded = 3 UNION ALL SELECT name FROM member WHERE age = 77",
       "SELECT city FROM club WHERE founded = 3"},
      // several rows for one
      {"SELECT avg(age) FROM member", "SELECT avg(DISTINCT age) FROM member"},
      {"SELECT sum(m.age) FROM member m JOIN visit v ON v.member_id = m.id",
       "SELECT sum(age) FROM member WHERE id IN (SELECT member_id FROM visit)"},
      // NULL, orphans, nothing
      {"SELECT name FROM club WHERE founded NOT IN (SELECT age FROM member)",
       "SELECT name FROM club EXCEPT SELECT name FROM club WHERE founded IN (SELECT age FROM member)"},
      {"SELECT m.name FROM visit v JOIN member m ON m.id = v.member_id JOIN club c ON c.id = m.club_id",
       "SELECT m.name FROM visit v JOIN member m ON m.id = v.member_id"},
      {"SELECT max(id) FROM club", "SELECT id FROM club ORDER BY id DESC LIMIT 1"},
  };
  RefuteOptions options;
  options.databases = 0;
  for (const auto& [a, b] : pairs) ground_.counterexample(a, b, options);
}

TEST_F(RefuterTest, DoesWithoutPlans) {
  const auto refutation =
      ground_.refute("SELECT name FROM member WHERE age > 31", "SELECT name FROM member WHERE age > 32", {}, false);
  ASSERT_TRUE(refutation.ok());
  EXPECT_TRUE(refutation->counterexample);
}

TEST_F(RefuterTest, ComparesRowsAsAskedFor) {
  const char* forwards = "SELECT id FROM club ORDER BY id";
  const char* backwards = "SELECT id FROM club ORDER BY id DESC";
  RefuteOptions options;
  options.allowed.remove(Deviation::row_order);
  EXPECT_EQ(ground_.grade(forwards, backwards, options), "none");
  options.allowed.add(Deviation::row_order);
  EXPECT_EQ(ground_.grade(forwards, backwards, options), "row_order");
  options.rows = RowsAs::bag;
  EXPECT_EQ(ground_.grade(forwards, backwards, options), "none");
  EXPECT_EQ(ground_.grade("SELECT city FROM club", "SELECT DISTINCT city FROM club", options), "duplicates");
  options.rows = RowsAs::set;
  EXPECT_EQ(ground_.grade("SELECT city FROM club", "SELECT DISTINCT city FROM club", options), "none");
}

// What depends on an unspecified order is not a difference.
TEST_F(RefuterTest, ADifferenceMustHoldForEveryOrder) {
  const std::pair<const char*, const char*> open[] = {
      {"SELECT name FROM member LIMIT 1", "SELECT name FROM member ORDER BY id DESC LIMIT 1"},
      {"SELECT name FROM member LIMIT 1", "SELECT name FROM member ORDER BY age LIMIT 1"},
      {"SELECT name FROM member ORDER BY age LIMIT 2", "SELECT name FROM member ORDER BY age, id DESC LIMIT 2"},
      {"SELECT club_id, name FROM member GROUP BY club_id",
       "SELECT club_id, min(name) FROM member WHERE name IS NOT NULL GROUP BY club_id"},
      {"SELECT group_concat(name) FROM member",
       "SELECT group_concat(name) FROM (SELECT name FROM member ORDER BY name DESC)"},
      {"SELECT (SELECT name FROM member)", "SELECT (SELECT name FROM member ORDER BY id DESC)"},
  };
  RefuteOptions options;
  options.allowed = Deviations{};  // NULLs tell some of them apart
  for (const auto& [a, b] : open) {
    const auto refutation = ground_.refute(a, b, options);
    ASSERT_TRUE(refutation.ok());
    EXPECT_FALSE(refutation->counterexample) << a << "\n" << b << "\n" << refutation->counterexample->script;
    EXPECT_TRUE(refutation->order_dependent) << a << "\n" << b;
  }
  const std::pair<const char*, const char*> settled[] = {
      {"SELECT name FROM member LIMIT 1", "SELECT name FROM member LIMIT 2"},
      {"SELECT age FROM member ORDER BY age LIMIT 1", "SELECT age FROM member ORDER BY age DESC LIMIT 1"},
      {"SELECT club_id, name FROM member GROUP BY club_id", "SELECT name, name FROM member GROUP BY club_id"},
      {"SELECT group_concat(name) FROM member", "SELECT group_concat(name, ';') FROM member"},
  };
  for (const auto& [a, b] : settled)
    EXPECT_EQ(ground_.counterexample(a, b, options).deviations, Deviations{}) << a << "\n" << b;
}

TEST_F(RefuterTest, WhatVariesFromRunToRunIsLeftAlone) {
  for (const char* sql :
       {"SELECT random() FROM club", "SELECT date('now')", "SELECT name FROM member WHERE joined < date()",
        "SELECT current_date", "SELECT strftime('%Y') FROM club", "SELECT datetime(joined, 'localtime') FROM member"}) {
    const auto refutation = ground_.refute(sql, "SELECT name FROM club");
    ASSERT_TRUE(refutation.ok()) << sql;
    EXPECT_FALSE(refutation->counterexample) << sql;
    EXPECT_FALSE(refutation->failure.empty()) << sql;
  }
  ground_.counterexample("SELECT date(joined) FROM member", "SELECT joined FROM member");
}

TEST_F(RefuterTest, SumsMayDifferInTheirLastDigits) {
  const char* a = "SELECT sum(fee * 0.1) FROM member";
  const char* b = "SELECT total(fee / 10) FROM member";
  RefuteOptions options;
  options.allowed = Deviations{};
  EXPECT_EQ(ground_.grade(a, b, options), "none");
  EXPECT_EQ(ground_.grade("SELECT sum(fee) FROM member", "SELECT sum(fee + 0.00001) FROM member", options), "outright");
}

TEST_F(RefuterTest, CounterexamplesAreSmall) {
  const auto counterexample =
      ground_.counterexample("SELECT c.name FROM club c JOIN member m ON m.club_id = c.id WHERE m.age > 30",
                             "SELECT c.name FROM club c JOIN member m ON m.club_id = c.id WHERE m.age >= 30");
  EXPECT_EQ(counterexample.script,
            "CREATE TABLE club(id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT, founded INT);\n"
            "CREATE TABLE member(id INTEGER PRIMARY KEY, club_id INT REFERENCES club(id), name TEXT, age INT, fee "
            "REAL, joined DATE);\n" +
                counterexample.script.substr(counterexample.script.find("INSERT")));
  EXPECT_EQ(std::ranges::count(counterexample.script, '('), 3 + 4)
      << counterexample.script;  // of the tables and their foreign key; of one row each
  EXPECT_EQ(counterexample.a.row_count() + counterexample.b.row_count(), 1U);
}

TEST_F(RefuterTest, IsDeterministic) {
  const char* a = "SELECT name FROM member WHERE age > 30";
  const char* b = "SELECT name FROM member WHERE age > 40";
  const auto first = ground_.counterexample(a, b);
  ground_.counterexample("SELECT city FROM club", "SELECT name FROM club");
  EXPECT_EQ(ground_.counterexample(a, b).script, first.script);
  RefuterGround other(club_schema);
  EXPECT_EQ(other.counterexample(a, b).script, first.script);
}

TEST_F(RefuterTest, SaysWhyAQueryDoesNotPrepare) {
  const auto unknown = ground_.refute("SELECT name FROM club", "SELECT name FROM absent");
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().code, ErrorCode::query_failed);
  EXPECT_EQ(unknown.error().message, "b: no such table: absent");
  EXPECT_EQ(ground_.refute("DELETE FROM club", "SELECT 1").error().code, ErrorCode::not_allowed);
  EXPECT_EQ(ground_.refute("SELECT ?", "SELECT 1").error().message,
            "a: the query has parameters, for which there are no values; write the values into the query");
  EXPECT_EQ(ground_.refute("SELECT load_extension('x')", "SELECT 1").error().code, ErrorCode::not_allowed);
}

TEST_F(RefuterTest, DatabasesOnWhichAQueryFailsAreSkipped) {
  // Overflows for every row that it does not filter out.
  const auto refutation = ground_.refute("SELECT abs(-9223372036854775807 - 1) FROM club WHERE founded = 3",
                                         "SELECT 1 FROM club WHERE founded = 4");
  ASSERT_TRUE(refutation.ok());
  ASSERT_TRUE(refutation->counterexample);
  const auto never = ground_.refute("SELECT json_extract('{', '$') FROM club UNION SELECT json('{')", "SELECT 1");
  ASSERT_TRUE(never.ok());
  EXPECT_FALSE(never->counterexample);
  EXPECT_EQ(never->failure, "malformed JSON");
}

TEST_F(RefuterTest, HostileQueriesComeToAnEnd) {
  RefuteOptions options;
  options.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  const auto endless = ground_.refute(
      "WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT count(*) FROM r", "SELECT 1", options);
  ASSERT_TRUE(endless.ok());
  EXPECT_FALSE(endless->counterexample);
  EXPECT_FALSE(endless->complete);

  std::string joins = "SELECT count(*) FROM member m0";
  for (int i = 1; i < 60; ++i)
    joins += " JOIN member m" + std::to_string(i) + " ON m" + std::to_string(i) + ".id = m" + std::to_string(i - 1) +
             ".club_id";
  EXPECT_TRUE(ground_.refute(joins, joins + " WHERE m0.age = 3", options).ok());

  std::string nested = "age";
  for (int i = 0; i < 8; ++i)
    nested = "(SELECT max(" + nested + ") FROM member GROUP BY " + (i < 5 ? nested : "name") + ")";
  EXPECT_TRUE(ground_.refute("SELECT " + nested + " FROM member", "SELECT name FROM member", options).ok()) << nested;
  std::string doubled = "SELECT count(*) AS c FROM member";
  for (int i = 0; i < 8; ++i) doubled = "SELECT c + c AS c FROM (" + doubled + " LIMIT 9)";
  EXPECT_TRUE(ground_.refute(doubled, "SELECT 1", options).ok());

  std::string terms = "SELECT id FROM member WHERE age = 0";
  for (int i = 1; i < 900; ++i) terms += " OR age = " + std::to_string(i);
  EXPECT_TRUE(ground_.refute(terms, terms + " OR name = 'x'", options).ok());
}

TEST_F(RefuterTest, TheDeadlineEndsTheSearch) {
  RefuteOptions options;
  options.deadline = std::chrono::steady_clock::now();
  const auto refutation = ground_.refute("SELECT name FROM club", "SELECT city FROM club", options);
  ASSERT_TRUE(refutation.ok());
  EXPECT_FALSE(refutation->complete);
  options = {};
  options.stop = [] { return true; };
  EXPECT_FALSE(ground_.refute("SELECT name FROM club", "SELECT city FROM club", options)->complete);
  EXPECT_TRUE(ground_.refute("SELECT name FROM club", "SELECT city FROM club")->counterexample);
}

TEST_F(RefuterTest, NoQueryIsPreparedOnceTheTimeIsOver) {
  RefuteOptions options;
  options.deadline = std::chrono::steady_clock::now();
  const auto late = ground_.refute("SELECT name FROM club", "SELECT nothing FROM nowhere", options);
  ASSERT_TRUE(late.ok());
  EXPECT_EQ(late->obstacle, equiv::Obstacle::no_time);
  options = {};
  int asked = 0;
  options.stop = [&] { return ++asked == 2; };
  const auto between = ground_.refute("SELECT name FROM club", "SELECT nothing FROM nowhere", options);
  ASSERT_TRUE(between.ok());
  EXPECT_EQ(between->obstacle, equiv::Obstacle::no_time);
  EXPECT_FALSE(between->complete);
}

// Whatever the refuter is doing when the deadline comes.
TEST_F(RefuterTest, TheDeadlineIsNoError) {
  const std::string a = "SELECT m.name FROM member m WHERE m.age > 3 OR m.fee IN (SELECT minutes FROM visit)";
  const std::string b = "SELECT m.name FROM member m WHERE m.age >= 4 OR m.fee IN (SELECT minutes FROM visit)";
  for (int i = 0; i < 60; ++i) {
    RefuteOptions options;
    options.best_grade = true;
    options.deadline = std::chrono::steady_clock::now() + std::chrono::microseconds(150 * i);
    const auto refutation = ground_.refute(a, b, options);
    ASSERT_TRUE(refutation.ok()) << refutation.error().message;
    EXPECT_TRUE(refutation->counterexample || !refutation->complete);
  }
}

// --- schemas ---------------------------------------------------------------------------------------------------------

TEST(RefuterSchemaTest, NamesAndTextsCannotEscapeTheScript) {
  RefuterGround ground(R"(CREATE TABLE "we""ird; --"("sel'ect" TEXT, "from" INT, [a b] TEXT);
                          CREATE VIEW "v;w" AS SELECT "from" AS x, "sel'ect" FROM "we""ird; --" WHERE "sel'ect" <> ';--''';)");
  ground.counterexample("SELECT \"from\" FROM \"we\"\"ird; --\" WHERE \"sel'ect\" = 'it''s; --\n'",
                        "SELECT \"from\" FROM \"we\"\"ird; --\"");
  ground.counterexample("SELECT x FROM \"v;w\" -- a comment\n", "SELECT x FROM \"v;w\" /* ; */ WHERE x > 3");
}

TEST(RefuterSchemaTest, ConstraintsAreKept) {
  RefuterGround ground(R"(
    CREATE TABLE shop(id INT NOT NULL, kind TEXT CHECK(kind IN ('a', 'b')), size INT CHECK(size > 10), UNIQUE(id));
    CREATE UNIQUE INDEX one_of_a_kind ON shop(kind) WHERE size > 100;
    CREATE TABLE tight(x INTEGER, y TEXT, PRIMARY KEY(x, y)) WITHOUT ROWID, STRICT;
    CREATE TABLE made(a INT, b INT GENERATED ALWAYS AS (a * 2) STORED, c TEXT AS (a || 'x'));
  )");
  EXPECT_EQ(ground.grade("SELECT id FROM shop WHERE size > 5", "SELECT id FROM shop"), "null");
  EXPECT_EQ(ground.grade("SELECT kind FROM shop WHERE kind = 'c'", "SELECT kind FROM shop WHERE kind = 'd'"), "none");
  EXPECT_EQ(ground.grade("SELECT DISTINCT id FROM shop", "SELECT id FROM shop"), "none");
  EXPECT_EQ(ground.grade("SELECT x FROM tight WHERE x > 2", "SELECT x FROM tight WHERE x >= 3"), "none");
  EXPECT_EQ(ground.grade("SELECT b FROM made", "SELECT a * 2 FROM made"), "none");
  ground.counterexample("SELECT b FROM made", "SELECT a FROM made");
  ground.counterexample("SELECT c FROM made", "SELECT b FROM made");
  ground.counterexample("SELECT id FROM shop WHERE size > 50", "SELECT id FROM shop WHERE size > 60");
}

TEST(RefuterSchemaTest, ForeignKeysInCirclesAndToThemselves) {
  RefuterGround ground(R"(
    CREATE TABLE boss(id INT PRIMARY KEY, boss_id INT NOT NULL REFERENCES boss(id), x INT);
    CREATE TABLE hen(id INT PRIMARY KEY, egg_id INT NOT NULL REFERENCES egg(id));
    CREATE TABLE egg(id INT PRIMARY KEY, hen_id INT NOT NULL REFERENCES hen(id));
    CREATE TABLE lost(a INT REFERENCES nowhere(x), b TEXT REFERENCES boss(x), c INT, FOREIGN KEY(b, c) REFERENCES boss(x, id));
  )");
  EXPECT_EQ(ground.grade("SELECT x FROM boss WHERE x > 2", "SELECT x FROM boss WHERE x > 3"), "outright");
  EXPECT_EQ(
      ground.grade("SELECT count(*) FROM boss a JOIN boss b ON a.boss_id = b.id", "SELECT count(boss_id) FROM boss"),
      "foreign_key");
  EXPECT_EQ(ground.grade("SELECT hen.id FROM hen JOIN egg ON egg.id = egg_id",
                         "SELECT hen.id FROM hen JOIN egg ON hen_id = hen.id"),
            "outright");
  EXPECT_EQ(ground.grade("SELECT a, b, c FROM lost", "SELECT a, b, c FROM lost WHERE b > 'a'"), "outright");
}

// Columns of foreign keys that no query reads, with defaults that are not NULL.
TEST(RefuterSchemaTest, ForeignKeysWithValuesOfTheirOwn) {
  RefuterGround ground(R"(
    CREATE TABLE parent(id INTEGER PRIMARY KEY, x INT);
    CREATE TABLE alias(id INTEGER PRIMARY KEY REFERENCES parent(id), y INT);
    CREATE TABLE usual(parent_id INT DEFAULT 7 REFERENCES parent(id), y INT);
    CREATE TABLE computed(y INT, parent_id INT AS (y + 1) REFERENCES parent(id));
  )");
  for (const std::string table : {"alias", "usual", "computed"}) {
    const std::string query = "SELECT y, (SELECT max(x) FROM parent) FROM " + table;
    const auto counterexample = ground.counterexample(query, query + " WHERE y > 3", {.best_grade = true});
    auto connection = Connection::open_memory();
    ASSERT_EQ(sqlite3_exec(connection->handle(), counterexample.script.c_str(), nullptr, nullptr, nullptr), SQLITE_OK);
    bool orphans = false;
    const auto note = [](void* seen, int, char**, char**) { return *static_cast<bool*>(seen) = true, 0; };
    ASSERT_EQ(sqlite3_exec(connection->handle(), "PRAGMA foreign_key_check", note, &orphans, nullptr), SQLITE_OK);
    EXPECT_TRUE(!orphans || counterexample.deviations.has(Deviation::foreign_key)) << counterexample.script;
  }
}

TEST(RefuterSchemaTest, OtherSchemasAndViewsAreThere) {
  auto host = Connection::open_memory();
  for (const char* sql : {"CREATE TABLE t(x INT, y INT)", "CREATE VIEW big AS SELECT * FROM t WHERE x > 10",
                          "ATTACH ':memory:' AS \"other one\"", "CREATE TABLE \"other one\".t(x INT, z TEXT)",
                          "CREATE UNIQUE INDEX \"other one\".u ON t(x)", "CREATE TEMP TABLE scratch(x INT)",
                          "CREATE TEMP VIEW both AS SELECT t.x FROM main.t JOIN \"other one\".t AS o ON o.x = t.x"})
    ASSERT_TRUE(execute(host->handle(), sql).ok()) << sql;
  HostDatabase database(host->handle());
  RefuterGround ground(*database.open_host(RefuterGround::settings()));
  ground.counterexample("SELECT x FROM big", "SELECT x FROM t");
  ground.counterexample("SELECT z FROM \"other one\".t", "SELECT z FROM \"other one\".t WHERE x > 3");
  ground.counterexample("SELECT x FROM scratch WHERE x = 4", "SELECT x FROM temp.scratch WHERE x = 5");
  ground.counterexample("SELECT x FROM both", "SELECT x FROM t");
  EXPECT_EQ(
      ground.grade("SELECT DISTINCT x FROM \"other one\".t WHERE x > 0", "SELECT x FROM \"other one\".t WHERE x > 0"),
      "none");
}

TEST(RefuterSchemaTest, IndexesThatQueriesNameAreThere) {
  RefuterGround ground("CREATE TABLE t(x INT, y INT); CREATE INDEX by_x ON t(x); CREATE INDEX by_y ON t(y);");
  const auto counterexample =
      ground.counterexample("SELECT y FROM t INDEXED BY by_x WHERE x > 3", "SELECT y FROM t WHERE x > 4");
  EXPECT_NE(counterexample.script.find("by_x ON"), std::string::npos);
  EXPECT_EQ(counterexample.script.find("by_y ON"), std::string::npos);
}

// SQLite 3.40.1 looks up the pattern in the index and loses the rows without a match, so that both queries return
// nothing; the search, whose LIKE uses no index, sees a difference.
TEST(RefuterSchemaTest, LikeIsReplayedAsSqliteEvaluatesIt) {
  RefuterGround ground("CREATE TABLE b(k INT); CREATE TABLE w(k TEXT COLLATE NOCASE UNIQUE);");
  for (const std::string condition : {"w.k LIKE 'a%'", "w.k LIKE 'a%' AND b.k > 1", "like('a%', w.k)"}) {
    const std::string outer = "SELECT DISTINCT b.k FROM b LEFT JOIN w ON " + condition;
    const std::string inner = "SELECT DISTINCT b.k FROM b JOIN w ON " + condition;
    const auto refutation = ground.refute(outer, inner);
    ASSERT_TRUE(refutation.ok()) << refutation.error().message;
    if (refutation->counterexample) {
      EXPECT_TRUE(RefuterGround::holds(refutation->counterexample->script, outer, inner)) << condition;
    }
  }
  ground.counterexample("SELECT k FROM w WHERE k LIKE 'ab%'", "SELECT k FROM w WHERE k LIKE 'a%'");
  ground.counterexample("SELECT k FROM w WHERE k GLOB 'ab*'", "SELECT k FROM w WHERE k LIKE 'ab%'");
}

TEST(RefuterSchemaTest, VirtualTablesAreMissingAndSaidToBe) {
  RefuterGround ground("CREATE TABLE t(x); CREATE VIEW broken AS SELECT x FROM nowhere;");
  ground.counterexample("SELECT value FROM t, json_each('[1,2]') WHERE value > x",
                        "SELECT value FROM t, json_each('[1,3]') WHERE value > x");
  EXPECT_FALSE(ground.refute("SELECT * FROM broken", "SELECT * FROM t").ok());
}

}  // namespace
}  // namespace trustsql::test
