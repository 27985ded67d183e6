#include "nl2sql/stages/write_sql.hpp"

#include "nl2sql/stages/forbidden.hpp"
#include "unit/nl2sql/question_ground.hpp"

namespace trustsql::nl2sql {
namespace {

TEST(Forbidden, Constructs) {
  EXPECT_EQ(forbidden_construct("SELECT a FROM t LEFT JOIN s ON t.a = s.a"), "LEFT JOIN");
  EXPECT_EQ(forbidden_construct("SELECT a FROM t NATURAL LEFT OUTER JOIN s"), "LEFT JOIN");
  EXPECT_EQ(forbidden_construct("SELECT a FROM t WHERE a IN (SELECT DISTINCT * FROM s)"), "SELECT *");
  EXPECT_EQ(forbidden_construct("select /* all */ * from t"), "SELECT *");
  EXPECT_EQ(forbidden_construct("SELECT count(*), t.* FROM t"), "");
  EXPECT_EQ(forbidden_construct("SELECT 'LEFT JOIN', \"SELECT *\" FROM t -- SELECT *"), "");
  EXPECT_EQ(forbidden_construct("SELECT left FROM t JOIN s"), "");
}

class WriteSqlTest : public QuestionGround {
 protected:
  WriteSqlTest() : QuestionGround("CREATE TABLE t(a INTEGER, b TEXT); INSERT INTO t VALUES (1, 'x'), (2, 'y')") {}

  Abstention write(const SqlOptions& options, const std::string& prompt = "Which?") {
    attempt_ = attempt("Which?");
    auto outcome = write_sql("generate", {{llm::Role::user, prompt}}, options, attempt_, context());
    EXPECT_TRUE(outcome.ok()) << outcome.error().message;
    return outcome.ok() ? *outcome : Abstention::endpoint;
  }

  SqlOptions options_{.model = {.model = "m"}};
  Attempt attempt_;
};

TEST_F(WriteSqlTest, OneSample) {
  chat().add("```sql\nSELECT a FROM t;\n```");
  EXPECT_EQ(write(options_), Abstention::none);
  EXPECT_EQ(attempt_.sql, "SELECT a FROM t");
  EXPECT_EQ(attempt_.signals.votes, std::nullopt);
  ASSERT_EQ(chat().requests().size(), 1U);
  EXPECT_EQ(chat().requests()[0].model, "m");
  EXPECT_EQ(chat().requests()[0].temperature, 0);
  EXPECT_EQ(chat().requests()[0].samples, 1);
  EXPECT_EQ(chat().requests()[0].top_logprobs, 0);
  ASSERT_EQ(attempt_.trace.size(), 1U);
  EXPECT_EQ(attempt_.trace[0].requests, 1);
}

TEST_F(WriteSqlTest, NoSql) {
  chat().add("not_answerable");
  EXPECT_EQ(write(options_), Abstention::no_sql);
  EXPECT_EQ(attempt_.sql, std::nullopt);
}

// A query whose end is lost may be another one.
TEST_F(WriteSqlTest, ACutReplyIsNoAnswer) {
  for (const auto* const cut : {"SELECT a FROM t WHERE a = 1", "Here it is:\n```sql\nSELECT a FROM t"}) {
    chat().add_cut(cut);
    EXPECT_EQ(write(options_), Abstention::no_sql) << cut;
    EXPECT_EQ(attempt_.sql, std::nullopt) << cut;
  }
  for (const auto* const whole : {"```sql\nSELECT a FROM t\n```\nThis returns", "SELECT a FROM t;\n\nThis"}) {
    chat().add_cut(whole);
    EXPECT_EQ(write(options_), Abstention::none) << whole;
    EXPECT_EQ(attempt_.sql, "SELECT a FROM t") << whole;
  }
}

TEST_F(WriteSqlTest, ContinuesAPromptThatEndsInSelect) {
  chat().add("b FROM t WHERE a = 1");
  EXPECT_EQ(write(options_, "Which?\nSELECT"), Abstention::none);
  EXPECT_EQ(attempt_.sql, "SELECT b FROM t WHERE a = 1");
}

TEST_F(WriteSqlTest, SamplesAreVotedOn) {
  options_.samples = 5;
  options_.temperature = 1;
  chat().add_samples({"SELECT 3", "SELECT b FROM t", "DROP TABLE t", "SELECT b FROM t ORDER BY a", "no idea"});
  EXPECT_EQ(write(options_), Abstention::none);
  EXPECT_EQ(attempt_.sql, "SELECT b FROM t");
  EXPECT_EQ(attempt_.signals.votes, 0.4);
  EXPECT_EQ(attempt_.candidates.size(), 5U);
  EXPECT_EQ(chat().requests()[0].samples, 5);
  EXPECT_EQ(chat().requests()[0].temperature, 1);
  ASSERT_EQ(attempt_.trace.size(), 2U);
  EXPECT_EQ(attempt_.trace[1].stage, "generate.vote");
  EXPECT_EQ(ask("SELECT count(*) FROM t"), "2");
}

TEST_F(WriteSqlTest, NoAgreement) {
  options_.samples = 2;
  options_.rule = {.by = VoteBy::text, .quorum = Quorum::unanimous, .raw = true};
  chat().add_samples({"SELECT a FROM t", "SELECT b FROM t"});
  EXPECT_EQ(write(options_), Abstention::no_agreement);
  chat().add_samples({"not_answerable", "not_answerable"});
  EXPECT_EQ(write(options_), Abstention::no_sql);
}

TEST_F(WriteSqlTest, ForbiddenConstructsAreAskedForAgain) {
  options_.forbid = true;
  chat().add("SELECT * FROM t");
  chat().add("SELECT a, b FROM t LEFT JOIN t AS u ON 1");
  chat().add("SELECT a, b FROM t");
  EXPECT_EQ(write(options_), Abstention::none);
  EXPECT_EQ(attempt_.sql, "SELECT a, b FROM t");
  ASSERT_EQ(chat().requests().size(), 3U);
  EXPECT_NE(chat().text(1).find("assistant: SELECT * FROM t\n"), std::string::npos);
  EXPECT_NE(chat().text(1).find("SELECT * may not be used"), std::string::npos);
  EXPECT_NE(chat().text(2).find("LEFT JOIN may not be used"), std::string::npos);
  EXPECT_EQ(chat().text(2).find("assistant: SELECT * FROM t\n"), std::string::npos);  // the latest SQL alone
  EXPECT_EQ(chat().requests()[1].repeat, 1);
  EXPECT_EQ(attempt_.trace.size(), 3U);
}

TEST_F(WriteSqlTest, AskingAgainEnds) {
  options_.forbid = true;
  options_.asks_again = 2;
  for (int i = 0; i < 3; ++i) chat().add("SELECT * FROM t");
  EXPECT_EQ(write(options_), Abstention::none);
  EXPECT_EQ(attempt_.sql, "SELECT * FROM t");
  EXPECT_TRUE(chat().is_used_up());
}

TEST_F(WriteSqlTest, OnlyTheSampleThatHasItIsAskedForAgain) {
  options_.forbid = true;
  options_.samples = 3;
  chat().add_samples({"SELECT b FROM t", "SELECT * FROM t", "SELECT a FROM t"});
  chat().add("SELECT b FROM t WHERE a > 0");
  EXPECT_EQ(write(options_), Abstention::none);
  EXPECT_EQ(attempt_.sql, "SELECT b FROM t");
  EXPECT_DOUBLE_EQ(attempt_.signals.votes.value_or(0), 2.0 / 3);
  EXPECT_EQ(chat().requests()[1].samples, 1);
}

TEST_F(WriteSqlTest, TokenConfidence) {
  FakeChatModel model([](const llm::ChatRequest& request) -> Result<llm::ChatReply> {
    EXPECT_GT(request.top_logprobs, 0);
    auto reply = FakeChatModel::reply({"SELECT a FROM t"});
    reply.choices[0].logprobs = {
        {.token = "SELECT", .logprob = std::log(0.9), .top = {{"SELECT", std::log(0.9)}, {"WITH", std::log(0.1)}}},
        {.token = " a", .logprob = std::log(0.5), .top = {{" a", std::log(0.5)}, {" b", std::log(0.5)}}}};
    return reply;
  });
  StageContext with_model{.catalog = *catalog_,
                          .source = *source_,
                          .chat = model,
                          .prompts = prompts_,
                          .embedder = embedder_,
                          .example_embedder = embedder_,
                          .word_embedder = embedder_,
                          .content = content_,
                          .call = {}};
  options_.token_confidence = true;
  Attempt attempt;
  ASSERT_TRUE(write_sql("generate", {{llm::Role::user, "Which?"}}, options_, attempt, with_model).ok());
  EXPECT_NEAR(attempt.signals.max_probability.value_or(0), 0.5, 1e-9);
  EXPECT_NEAR(attempt.signals.max_entropy.value_or(0), std::log(2), 1e-9);
}

}  // namespace
}  // namespace trustsql::nl2sql
