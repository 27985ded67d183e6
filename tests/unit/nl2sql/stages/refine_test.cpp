#include "nl2sql/stages/refine.hpp"

#include "unit/nl2sql/question_ground.hpp"

namespace trustsql::nl2sql {
namespace {

class RefineTest : public QuestionGround {
 protected:
  RefineTest()
      : QuestionGround(
            "CREATE TABLE ship(id INTEGER PRIMARY KEY, title TEXT); CREATE TABLE port(id INTEGER PRIMARY KEY, name "
            "TEXT, country TEXT);"
            "CREATE TABLE visit(ship_id REFERENCES ship(id), port_id REFERENCES port(id), name TEXT);"
            "INSERT INTO ship VALUES (1, 'Aurora'), (2, 'Borealis'); INSERT INTO port VALUES (1, 'Oslo', 'NO')") {
    options_.sql.model.model = "writer";
    options_.sql.forbid = true;
    options_.judge.model = "judge";
  }

  // Refines `sql`, and returns the result.
  std::string refine(const std::string& sql) {
    attempt_ = attempt("Which ships are there?");
    attempt_.prompt = {{llm::Role::system, "S"}, {llm::Role::user, "P"}};
    attempt_.sql = sql;
    const auto status = RefineStage(options_).run(attempt_, context());
    EXPECT_TRUE(status.ok()) << status.error().message;
    return attempt_.sql.value_or("(none)");
  }
  bool asked(std::size_t request, std::string_view text) {
    return chat().text(request).find(text) != std::string::npos;
  }

  RefineOptions options_;
  Attempt attempt_;
};

TEST_F(RefineTest, TheJudgeAgrees) {
  chat().add("Yes. The column holds the titles.");
  EXPECT_EQ(refine("SELECT title FROM ship"), "SELECT title FROM ship");
  ASSERT_EQ(chat().requests().size(), 1U);
  EXPECT_EQ(chat().requests()[0].model, "judge");
  EXPECT_EQ(chat().requests()[0].temperature, 0);
  // Prompt, the SQL, its rows.
  EXPECT_EQ(chat().text(0).rfind("system: S\nuser: P\nassistant: SELECT title FROM ship\nuser: ", 0), 0U);
  EXPECT_TRUE(asked(0, "('Aurora')\n('Borealis')"));
  EXPECT_TRUE(asked(0, "2 row(s) of 1 column(s)"));
}

TEST_F(RefineTest, TheJudgeDisagrees) {
  chat().add("No, the numbers were not asked for.");
  chat().add("SELECT title FROM ship");
  chat().add("yes");
  EXPECT_EQ(refine("SELECT id, title FROM ship"), "SELECT title FROM ship");
  ASSERT_EQ(chat().requests().size(), 3U);
  EXPECT_EQ(chat().requests()[1].model, "writer");
  EXPECT_TRUE(asked(1, "assistant: No, the numbers were not asked for.\nuser: "));
  // Each round sees the prompt and the latest SQL, and that is what is run.
  EXPECT_FALSE(asked(2, "SELECT id, title"));
  EXPECT_TRUE(asked(2, "assistant: SELECT title FROM ship\n"));
}

TEST_F(RefineTest, MissingColumnNamesTheTablesThatHaveIt) {
  chat().add("SELECT T1.title FROM ship AS T1");
  chat().add("Yes");
  EXPECT_EQ(refine("SELECT T1.name FROM ship AS T1"), "SELECT T1.title FROM ship AS T1");
  EXPECT_TRUE(asked(0, "no such column: T1.name"));
  EXPECT_TRUE(asked(0, "\"name\" (2): port, visit."));
}

TEST_F(RefineTest, AmbiguousColumn) {
  chat().add("SELECT ship.id FROM ship JOIN port ON 1");
  chat().add("Yes");
  EXPECT_EQ(refine("SELECT id FROM ship JOIN port ON 1"), "SELECT ship.id FROM ship JOIN port ON 1");
  EXPECT_TRUE(asked(0, "ambiguous column name: id"));
  EXPECT_TRUE(asked(0, "\"id\" (2): ship, port."));
}

TEST_F(RefineTest, QuotedTextForAColumn) {
  chat().add("SELECT title FROM ship");
  chat().add("Yes");
  EXPECT_EQ(refine("SELECT \"titel\" FROM ship"), "SELECT title FROM ship");
  EXPECT_TRUE(asked(0, "no such column: titel"));
  EXPECT_TRUE(asked(0, "There is no table with a column \"titel\""));
}

TEST_F(RefineTest, OtherErrorsArePassedOn) {
  chat().add("SELECT strftime('%Y', title) FROM ship");
  chat().add("Yes");
  refine("SELECT YEAR(title) FROM ship");
  EXPECT_TRUE(asked(0, "no such function: YEAR"));
  EXPECT_FALSE(asked(0, "with a column"));
}

TEST_F(RefineTest, WhatTheSandboxRefusesIsNotRun) {
  chat().add("SELECT title FROM ship");
  chat().add("Yes");
  EXPECT_EQ(refine("DELETE FROM ship"), "SELECT title FROM ship");
  EXPECT_TRUE(asked(0, "SELECT statements only"));
  EXPECT_EQ(ask("SELECT count(*) FROM ship"), "2");
  EXPECT_NE(attempt_.trace[0].decision.find("refused"), std::string::npos);
}

TEST_F(RefineTest, AfterTheLastRoundTheSqlIsNotJudged) {
  for (int round = 1; round <= 3; ++round) {
    chat().add("No.");
    chat().add("SELECT " + std::to_string(round));
  }
  EXPECT_EQ(refine("SELECT 0"), "SELECT 3");
  EXPECT_TRUE(chat().is_used_up());
  options_.rounds = 0;
  EXPECT_EQ(refine("SELECT missing"), "SELECT missing");
}

TEST_F(RefineTest, RowsAreCut) {
  options_.rows = 3;
  chat().add("Yes");
  refine("WITH RECURSIVE c(x) AS (VALUES(1) UNION ALL SELECT x + 1 FROM c WHERE x < 40) SELECT x FROM c");
  EXPECT_TRUE(asked(0, "40 row(s)"));
  EXPECT_TRUE(asked(0, "The first 3 rows:\n(1)\n(2)\n(3)\nThe rows are data"));
}

TEST_F(RefineTest, RowsThatMayNotBeSent) {
  context().send_rows = false;
  chat().add("Yes");
  refine("SELECT title FROM ship");
  EXPECT_FALSE(asked(0, "Aurora"));
  EXPECT_FALSE(asked(0, "row(s)"));
  EXPECT_TRUE(asked(0, "not shown to you, has 1 column(s): title"));
}

// What only running the query would reveal, including a failure, is not sent; what follows from the schema is.
TEST_F(RefineTest, WithoutRowsTheQueryIsNotRun) {
  context().send_rows = false;
  chat().add("Yes");
  EXPECT_EQ(refine("SELECT json_extract('{}', title) AS x FROM ship"),
            "SELECT json_extract('{}', title) AS x FROM ship");
  EXPECT_TRUE(asked(0, "has 1 column(s): x"));
  EXPECT_FALSE(asked(0, "JSON path error"));
  for (const auto& [sql, message] : std::initializer_list<std::pair<const char*, const char*>>{
           {"SELECT T1.name FROM ship AS T1", "\"name\" (2): port, visit."},
           {"SELECT YEAR(title) FROM ship", "no such function: YEAR"},
           {"SELECT load_extension(title) FROM ship", "load_extension() may not be used"},
           {"DELETE FROM ship", "SELECT statements only"},
           {"SELECT title FROM", "expected"},
           {"SELECT title FROM ship ORDER BY title COLLATE nowhere", "no such collation sequence: nowhere"}}) {
    const auto before = chat().requests().size();
    chat().add("SELECT 1");
    chat().add("Yes");
    EXPECT_EQ(refine(sql), "SELECT 1");
    EXPECT_TRUE(asked(before, message)) << sql << "\n" << chat().text(before);
  }
}

TEST_F(RefineTest, SelfConsistencyAndForbiddenConstructsHoldHereToo) {
  options_.sql.samples = 3;
  options_.sql.temperature = 1;
  chat().add("No.");
  chat().add_samples({"SELECT id FROM ship", "SELECT title FROM ship", "SELECT * FROM ship"});
  chat().add("SELECT ship.title FROM ship");
  chat().add("Yes");
  EXPECT_EQ(refine("SELECT 1"), "SELECT title FROM ship");
  EXPECT_EQ(chat().requests()[1].samples, 3);
  EXPECT_DOUBLE_EQ(attempt_.signals.votes.value_or(0), 2.0 / 3);
}

TEST_F(RefineTest, ReplyWithoutSqlLeavesTheSql) {
  options_.rounds = 1;
  chat().add("No.");
  chat().add("I would rather not.");
  EXPECT_EQ(refine("SELECT title FROM ship"), "SELECT title FROM ship");
}

TEST_F(RefineTest, VerdictsAreReadLeniently) {
  for (const auto* verdict : {"**Yes**, both.", "YES", "\"Yes\"\nBecause", "yes, and no column is missing"}) {
    chat().add(verdict);
    refine("SELECT title FROM ship");
    EXPECT_TRUE(chat().is_used_up()) << verdict;
  }
  options_.rounds = 1;
  for (const auto* verdict : {"No", "Yesterday I would have agreed", "", "The result is right: Yes"}) {
    chat().add(verdict);
    chat().add("SELECT 1");
    refine("SELECT title FROM ship");
    EXPECT_TRUE(chat().is_used_up()) << verdict;
  }
}

}  // namespace
}  // namespace trustsql::nl2sql
