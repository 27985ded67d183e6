// Triage, rewriting and error detection: requests contain what the papers say, in their order, and what follows from
// the replies.
#include <gtest/gtest.h>

#include <cmath>

#include "nl2sql/replies/one_word.hpp"
#include "nl2sql/stages/rewrite.hpp"
#include "nl2sql/stages/triage.hpp"
#include "nl2sql/stages/verify.hpp"
#include "unit/nl2sql/question_ground.hpp"

namespace trustsql::nl2sql {
namespace {

constexpr auto setup = R"(
  CREATE TABLE singer (id INTEGER PRIMARY KEY, name TEXT, country TEXT);
  CREATE TABLE song (id INTEGER PRIMARY KEY, singer INT REFERENCES singer (id), title TEXT);
  INSERT INTO singer VALUES (1, 'Ann', 'fr'), (2, 'Bo', 'us'), (3, 'Cy', 'fr'), (4, 'Di', 'de'), (5, 'Ed', 'it'), (6, 'Flo', 'se');
  INSERT INTO song VALUES (1, 1, 'Blue');
)";

// Expects `parts` in `text`, in this order.
void expect_in_order(const std::string& text, const std::vector<std::string>& parts) {
  std::size_t start = 0;
  for (const auto& part : parts) {
    const auto position = text.find(part, start);
    ASSERT_NE(position, std::string::npos) << "not there, or too early: " << part << "\nin:\n" << text;
    start = position + part.size();
  }
}

class AskingStages : public QuestionGround {
 protected:
  AskingStages() : QuestionGround(setup) {}

  static Example example(std::string question, std::optional<std::string> sql, std::string database = {}) {
    return {.question = std::move(question),
            .sql = std::move(sql),
            .database = std::move(database),
            .schema = {},
            .type = {}};
  }
};

// --- triage ----------------------------------------------------------------------------------------------------------

TEST_F(AskingStages, TriageShowsSchemaDemonstrationsAndQuestion) {
  const ExamplePool pool({example("How many singers are there?", "SELECT count(*) FROM singer"),
                          example("Plot the singers", std::nullopt)});
  context().examples = &pool;
  chat().add("answerable");
  auto a = attempt("How many songs are there?");
  a.evidence = "songs are titles";
  ASSERT_TRUE(TriageStage({.model = {.model = "m", .seed = 7}}).run(a, context()).ok());
  EXPECT_FALSE(a.abstained());

  const auto& request = chat().requests().at(0);
  EXPECT_EQ(request.model, "m");
  EXPECT_EQ(request.temperature, 0);
  EXPECT_EQ(request.samples, 1);
  EXPECT_EQ(request.seed, 7);
  const auto text = chat().text(0);
  expect_in_order(text, {"CREATE TABLE singer", "country: 'fr', 'us', 'de'", "CREATE TABLE song",
                         "FOREIGN KEY (singer) REFERENCES singer (id)", "title: 'Blue'",
                         "Question: ", "Answer: ", "Question: ", "Answer: ", "answerable or not_answerable",
                         "Question: How many songs are there?", "songs are titles", "Answer:"});
  EXPECT_NE(text.find("Question: How many singers are there?\nAnswer: answerable\n"), std::string::npos);
  EXPECT_NE(text.find("Question: Plot the singers\nAnswer: not_answerable\n"), std::string::npos);
  EXPECT_EQ(text.find("SELECT count(*)"), std::string::npos) << "the SQL is not shown";
  ASSERT_EQ(a.trace.size(), 1U);
  EXPECT_EQ(a.trace[0].stage, "triage");
  EXPECT_EQ(a.trace[0].decision, "answerable");
  EXPECT_NE(a.trace[0].input.find("CREATE TABLE singer"), std::string::npos);
}

TEST_F(AskingStages, TriageAcrossDomainsShowsTheOtherSchemasFirst) {
  std::vector<Example> examples;
  for (const auto* database : {"zoo", "shop"}) {
    for (int i = 0; i < 4; ++i) {
      examples.push_back(example("count " + std::to_string(i) + " in " + database, "SELECT 1", database));
      examples.push_back(example("draw " + std::to_string(i) + " in " + database, std::nullopt, database));
    }
    examples.back().schema = std::string("CREATE TABLE ") + database + "_table (a)";
  }
  const ExamplePool pool(std::move(examples));
  context().examples = &pool;
  chat().add("answerable");
  auto a = attempt("How many?");
  ASSERT_TRUE(TriageStage({}).run(a, context()).ok());
  const auto text = chat().text(0);
  const auto own = text.find("CREATE TABLE singer");
  EXPECT_LT(text.find("CREATE TABLE zoo_table"), own);
  EXPECT_LT(text.find("CREATE TABLE shop_table"), own);
  std::size_t shown = 0;
  for (auto position = text.find("Question: "); position < own; position = text.find("Question: ", position + 1))
    ++shown;
  EXPECT_EQ(shown, 8U) << "two and two of each";
}

TEST_F(AskingStages, TriageWithholdsRows) {
  context().send_rows = false;
  chat().add("answerable");
  auto a = attempt("How many?");
  ASSERT_TRUE(TriageStage({}).run(a, context()).ok());
  EXPECT_EQ(chat().text(0).find("'fr'"), std::string::npos);
  EXPECT_NE(chat().text(0).find("CREATE TABLE singer"), std::string::npos);
}

TEST_F(AskingStages, TriageAbstains) {
  for (const auto* reply : {"not_answerable", "Not answerable.", "unanswerable", "", "I think so"}) {
    chat().add(reply);
    auto a = attempt("Draw them");
    ASSERT_TRUE(TriageStage({}).run(a, context()).ok());
    EXPECT_EQ(a.abstention, Abstention::infeasible) << reply;
    EXPECT_EQ(a.infeasible_type, "");
  }
  EXPECT_TRUE(chat().is_used_up());
}

TEST_F(AskingStages, TriageAsksForTheTypeAfterwards) {
  chat().add("not_answerable");
  chat().add("Column Surface");
  auto a = attempt("What is the age of Ann?");
  ASSERT_TRUE(TriageStage({.model = {}, .type = true}).run(a, context()).ok());
  EXPECT_EQ(a.infeasible_type, "column-surface");
  const auto& second = chat().requests().at(1).messages;
  ASSERT_EQ(second.size(), 3U);
  EXPECT_EQ(second[0].text, chat().requests().at(0).messages[0].text);
  EXPECT_EQ(second[1], (llm::Message{llm::Role::assistant, "not_answerable"}));
  for (const std::string_view type :
       {"column-surface", "column-related", "column-unrelated", "non-sql", "ext-know", "ambiguous", "small-talk"})
    EXPECT_EQ(second[2].text.find(type) != std::string::npos, type != "small-talk") << type;
  EXPECT_EQ(a.trace.size(), 2U);

  chat().add("answerable");
  auto b = attempt("How many?");
  ASSERT_TRUE(TriageStage({.model = {}, .type = true}).run(b, context()).ok());
  EXPECT_EQ(chat().requests().size(), 3U) << "nothing more is asked of a question that can be answered";
}

TEST_F(AskingStages, SmallTalkIsATypeOnRequest) {
  for (const bool wanted : {false, true}) {
    chat().add("not_answerable");
    chat().add("small-talk");
    auto a = attempt("Hello");
    ASSERT_TRUE(TriageStage({.model = {}, .type = true, .small_talk = wanted}).run(a, context()).ok());
    EXPECT_EQ(a.infeasible_type, wanted ? "small-talk" : "non-sql");
  }
  EXPECT_NE(chat().text(3).find("small-talk: "), std::string::npos);
}

// --- rewriting -------------------------------------------------------------------------------------------------------

TEST_F(AskingStages, RewritingShowsTaskSpecificationsRowsAndQuestion) {
  chat().add("Result: How many singers are from \"fr\"? */");
  auto a = attempt("How many French singers are there?");
  a.schema.columns = {{1, {0}}};
  ASSERT_TRUE(RewriteStage({.model = {.model = "r"}}).run(a, context()).ok());
  EXPECT_EQ(a.rewritten, "How many singers are from \"fr\"?");
  EXPECT_EQ(a.current_question(), a.rewritten);
  EXPECT_EQ(chat().requests().at(0).temperature, 0);
  expect_in_order(
      chat().text(0),
      {"Task", "Rule 1", "Question:", "Result:", "Rule 2", "Question:", "Result:", "Rule 3", "Question:", "Result:",
       "Table singer: (1, 'Ann', 'fr'), (2, 'Bo', 'us'), (3, 'Cy', 'fr'), (4, 'Di', 'de'), (5, 'Ed', 'it')\n",
       "Table song: (1, 1, 'Blue')", "Question: How many French singers are there? */", "Result:"});
  EXPECT_EQ(chat().text(0).find("Flo"), std::string::npos) << "K = 5";
}

TEST_F(AskingStages, RewritingCanKeepToLinkedTables) {
  chat().add("x y?");
  auto a = attempt("How many?");
  a.schema.columns = {{1, {0, 2}}};
  ASSERT_TRUE(RewriteStage({.model = {}, .rows = 2, .linked_only = true}).run(a, context()).ok());
  EXPECT_EQ(chat().text(0).find("Table singer:"), std::string::npos);
  EXPECT_NE(chat().text(0).find("Table song: (1, 'Blue')"), std::string::npos);
}

TEST_F(AskingStages, RewritingKeepsWhatItShould) {
  const std::string question = "How many singers are there?";
  for (const auto& reply : {question, "Result: " + question, std::string(), std::string("SELECT count(*) FROM singer"),
                            std::string(5000, 'x')}) {
    chat().add(reply);
    auto a = attempt(question);
    ASSERT_TRUE(RewriteStage({}).run(a, context()).ok());
    EXPECT_EQ(a.current_question(), question) << reply.substr(0, 50);
    EXPECT_EQ(a.trace.at(0).decision.substr(0, 5), "kept:");
  }
}

TEST_F(AskingStages, RewritingWithholdsRows) {
  context().send_rows = false;
  chat().add("x?");
  auto a = attempt("How many?");
  ASSERT_TRUE(RewriteStage({}).run(a, context()).ok());
  EXPECT_EQ(chat().text(0).find("Ann"), std::string::npos);
  EXPECT_NE(chat().text(0).find("Table singer: no rows"), std::string::npos);
}

TEST(QuestionInReply, IsFoundInAnyForm) {
  EXPECT_EQ(question_in_reply("What is it?"), "What is it?");
  EXPECT_EQ(question_in_reply("\"What is it?\""), "What is it?");
  EXPECT_EQ(question_in_reply("/*results: What is in \"italy\"?*/"), "What is in \"italy\"?");
  EXPECT_EQ(question_in_reply("Which one is in \"italy\""), "Which one is in \"italy\"");
  EXPECT_EQ(question_in_reply("\"italy\" has how many?"), "\"italy\" has how many?");
  EXPECT_EQ(question_in_reply("Sure.\n\nRewritten question: What is it?\nI changed nothing."), "What is it?");
  EXPECT_EQ(question_in_reply("```\nWhat is it?\n```"), "What is it?");
  EXPECT_EQ(question_in_reply("What is the ratio 1:2?"), "What is the ratio 1:2?");
  EXPECT_EQ(question_in_reply(" \n "), "");
}

// --- error detection -------------------------------------------------------------------------------------------------

TEST_F(AskingStages, VerificationShowsSchemaQuestionAndSql) {
  chat().add("correct");
  auto a = attempt("How many singers are there?");
  a.rewritten = "something else";
  a.sql = "SELECT count(*) FROM singer";
  ASSERT_TRUE(VerifyStage({.model = {.model = "v"}}).run(a, context()).ok());
  EXPECT_FALSE(a.abstained());
  EXPECT_EQ(a.signals.verification, 1.0);
  EXPECT_GT(chat().requests().at(0).top_logprobs, 0);
  expect_in_order(chat().text(0),
                  {"Table singer, columns = [*, id, name, country]", "Foreign_keys = [song.singer = singer.id]",
                   "How many singers are there?", "SELECT count(*) FROM singer", "one word", "correct", "incorrect"});
}

TEST_F(AskingStages, VerificationHoldsBack) {
  for (const auto* reply : {"incorrect", "Incorrect.", "It is not correct", "perhaps", ""}) {
    chat().add(reply);
    auto a = attempt("How many?");
    a.sql = "SELECT 1";
    ASSERT_TRUE(VerifyStage({}).run(a, context()).ok());
    EXPECT_EQ(a.abstention, Abstention::error_detected) << reply;
    EXPECT_EQ(a.signals.verification, 0.0);
    EXPECT_TRUE(a.sql) << "what was held back is still known";
  }
}

TEST_F(AskingStages, VerificationGoesOnWithoutLogProbabilities) {
  chat().add_error(invalid_argument("logprobs are not supported"));
  chat().add("correct");
  auto a = attempt("How many?");
  a.sql = "SELECT 1";
  ASSERT_TRUE(VerifyStage({}).run(a, context()).ok());
  EXPECT_EQ(chat().requests().at(1).top_logprobs, 0);
  EXPECT_EQ(a.signals.verification, 1.0);

  chat().add_error(io_error("gone"));
  auto b = attempt("How many?");
  b.sql = "SELECT 1";
  const auto failed = VerifyStage({}).run(b, context());
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().code, ErrorCode::io);
}

TEST_F(AskingStages, InterruptsEndAStage) {
  stop();
  auto a = attempt("How many?");
  a.sql = "SELECT 1";
  EXPECT_EQ(VerifyStage({}).run(a, context()).error().code, ErrorCode::interrupted);
  EXPECT_EQ(TriageStage({}).run(a, context()).error().code, ErrorCode::interrupted);
  EXPECT_EQ(RewriteStage({}).run(a, context()).error().code, ErrorCode::interrupted);
}

llm::Choice choice(std::string text, std::vector<llm::TokenLogprob> tokens = {}) {
  return {.text = std::move(text), .finish_reason = "stop", .logprobs = std::move(tokens)};
}

TEST(OneWord, IsReadFromProse) {
  const auto yes = [](std::string text) { return read_one_word(choice(std::move(text)), "correct", "incorrect").yes; };
  EXPECT_EQ(yes("correct"), true);
  EXPECT_EQ(yes(" **Correct**."), true);
  EXPECT_EQ(yes("incorrect"), false);
  EXPECT_EQ(yes("Not correct, since it is incorrect."), false);
  EXPECT_EQ(yes("This isn't correct"), false);
  EXPECT_EQ(yes("The SQL is correct."), true);
  EXPECT_EQ(yes("Correct. It would be incorrect without DISTINCT."), true) << "the first word is the answer";
  EXPECT_EQ(yes("It looks correct but may be incorrect"), std::nullopt);
  EXPECT_EQ(yes("correctness"), std::nullopt);
  EXPECT_EQ(read_one_word(choice("not-answerable"), "answerable", "not_answerable").yes, false);
  EXPECT_EQ(read_one_word(choice("unanswerable"), "answerable", "not_answerable").yes, false);
}

TEST(OneWord, HasTheProbabilityOfItsFirstToken) {
  const auto log = [](double p) { return std::log(p); };
  const llm::TokenLogprob blank{"\n", log(0.9), {{"\n", log(0.9)}, {" ", log(0.1)}}};
  const auto p = [](const llm::Choice& c) { return read_one_word(c, "correct", "incorrect").probability; };
  EXPECT_NEAR(
      p(choice(
          "correct",
          {blank,
           {"correct", log(0.6), {{"correct", log(0.6)}, {" Correct", log(0.1)}, {"in", log(0.2)}, {"x", log(0.1)}}}})),
      0.7 / 0.9, 1e-12);
  EXPECT_NEAR(p(choice("incorrect",
                       {{"in", log(0.8), {{"in", log(0.8)}, {"cor", log(0.2)}}}, {"correct", 0, {{"correct", 0}}}})),
              0.2, 1e-12);
  EXPECT_NEAR(p(choice("correct", {{"correct", log(0.7), {}}})), 0.7, 1e-12) << "no alternatives";
  EXPECT_NEAR(p(choice("incorrect", {{"incorrect", log(0.7), {}}})), 0.3, 1e-12);
  EXPECT_EQ(p(choice("correct", {{"correct", NAN, {}}})), 1) << "numbers that mean nothing";
  EXPECT_EQ(p(choice("It is correct", {{"It", 0, {}}})), 1) << "the first token does not tell";
}

}  // namespace
}  // namespace trustsql::nl2sql
