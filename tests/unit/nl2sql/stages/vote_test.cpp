#include "nl2sql/stages/vote.hpp"

#include <gtest/gtest.h>

#include "unit/nl2sql/question_ground.hpp"

namespace trustsql::nl2sql {
namespace {

constexpr VoteRule text_unanimous{.by = VoteBy::text, .quorum = Quorum::unanimous};
constexpr VoteRule reply_unanimous{.by = VoteBy::text, .quorum = Quorum::unanimous, .raw = true};
constexpr VoteRule execution_majority{.by = VoteBy::execution, .quorum = Quorum::majority};
constexpr VoteRule execution_unanimous{.by = VoteBy::execution, .quorum = Quorum::unanimous};
constexpr VoteRule equivalence_majority{.by = VoteBy::equivalence, .quorum = Quorum::majority};

class VoteTest : public QuestionGround {
 protected:
  VoteTest() : QuestionGround("CREATE TABLE t(a INTEGER, b TEXT); INSERT INTO t VALUES (1, 'x'), (2, 'y'), (3, 'y')") {}

  // Votes on texts that are taken for SQL as they are; "" is a reply without SQL.
  Vote vote_on(const std::vector<std::string>& texts, const VoteRule& rule) {
    candidates_.clear();
    for (const auto& text : texts)
      candidates_.push_back({.reply = text.empty() ? "I do not know." : text, .sql = text});
    auto outcome = vote(candidates_, rule, context());
    EXPECT_TRUE(outcome.ok()) << outcome.error().message;
    return outcome.ok() ? *outcome : Vote();
  }

  std::vector<Candidate> candidates_;
};

TEST_F(VoteTest, UnanimousText) {
  const auto same = vote_on({"SELECT a FROM t", "SELECT  a\nFROM t", "SELECT a FROM t"}, text_unanimous);
  EXPECT_TRUE(same.agreed);
  EXPECT_EQ(same.winner, 0U);
  EXPECT_EQ(same.share(), 1);
  const auto one_differs = vote_on({"SELECT a FROM t", "SELECT a FROM t", "SELECT b FROM t"}, text_unanimous);
  EXPECT_FALSE(one_differs.agreed);
  EXPECT_EQ(one_differs.winner, std::nullopt);
  EXPECT_DOUBLE_EQ(one_differs.share(), 2.0 / 3);
  EXPECT_EQ(vote_on({"SELECT a FROM t", "", "SELECT a FROM t"}, text_unanimous).winner, std::nullopt);
  // Nothing is run: a query that fails is a text like any other.
  EXPECT_EQ(vote_on({"SELECT nothing", "SELECT nothing"}, text_unanimous).winner, 0U);
  EXPECT_EQ(vote_on({"SELECT b FROM t WHERE b = 'x'", "SELECT b FROM t WHERE b = \"x\""}, text_unanimous).winner, 0U);
}

TEST_F(VoteTest, UnanimousReplies) {
  EXPECT_EQ(vote_on({"SELECT a FROM t", "SELECT a FROM t"}, reply_unanimous).winner, 0U);
  EXPECT_EQ(vote_on({"SELECT a FROM t", "SELECT a  FROM t"}, reply_unanimous).winner, std::nullopt);
  const auto refusals = vote_on({"", ""}, reply_unanimous);
  EXPECT_TRUE(refusals.agreed);
  EXPECT_EQ(refusals.winner, std::nullopt);
}

TEST_F(VoteTest, MajorityByExecution) {
  // The second and the fourth give the same rows in another order of columns and rows.
  const auto two = vote_on(
      {"SELECT a FROM t", "SELECT a, b FROM t WHERE a > 1", "SELECT b FROM t", "SELECT b, a FROM t WHERE a >= 2"},
      execution_majority);
  EXPECT_EQ(two.winner, 1U);
  EXPECT_EQ(two.votes, 2U);
  EXPECT_FALSE(two.tied);
  EXPECT_DOUBLE_EQ(two.share(), 0.5);
  EXPECT_EQ(two.ballot, (std::vector<std::optional<std::size_t>>{0, 1, 2, 1}));
  // An order that one of the two asks for is a part of its answer.
  EXPECT_EQ(vote_on({"SELECT a FROM t ORDER BY a", "SELECT a FROM t ORDER BY a DESC"}, execution_majority).votes, 1U);
}

TEST_F(VoteTest, TiesGoToTheEarliest) {
  const auto tie =
      vote_on({"SELECT 9", "SELECT a FROM t", "SELECT b FROM t", "SELECT b FROM t", "SELECT a FROM t ORDER BY a"},
              execution_majority);
  EXPECT_EQ(tie.winner, 1U);
  EXPECT_TRUE(tie.tied);
  EXPECT_NE(tie.summary().find("tie"), std::string::npos);
  EXPECT_FALSE(vote_on({"SELECT 1", "SELECT 1", "SELECT 2"}, execution_majority).tied);
}

TEST_F(VoteTest, QueriesThatFailHaveNoVote) {
  const auto one_runs = vote_on(
      {"SELECT missing FROM t", "SELECT missing FROM t", "DROP TABLE t", "", "SELECT a FROM t"}, execution_majority);
  EXPECT_EQ(one_runs.winner, 4U);
  EXPECT_DOUBLE_EQ(one_runs.share(), 0.2);
  EXPECT_EQ(candidates_[0].error, "no such column: missing");
  EXPECT_FALSE(candidates_[0].refused);
  EXPECT_TRUE(candidates_[2].refused);
  EXPECT_EQ(ask("SELECT count(*) FROM t"), "3");
  // If all queries fail, the first one is taken, with no votes.
  const auto none = vote_on({"", "SELECT missing FROM t", "SELECT wrong FROM t"}, execution_majority);
  EXPECT_EQ(none.winner, 1U);
  EXPECT_EQ(none.share(), 0);
  EXPECT_FALSE(none.agreed);
  EXPECT_EQ(vote_on({"", ""}, execution_majority).winner, std::nullopt);
  EXPECT_EQ(vote_on({"SELECT missing FROM t"}, execution_unanimous).winner, std::nullopt);
}

TEST_F(VoteTest, QuotedColumnThatIsNone) {
  // SQLite would give the text nmae three times.
  EXPECT_EQ(vote_on({"SELECT \"nmae\" FROM t", "SELECT \"nmae\" FROM t", "SELECT a FROM t"}, execution_majority).winner,
            2U);
  EXPECT_EQ(candidates_[0].error, "no such column: nmae");
  EXPECT_EQ(vote_on({"SELECT a FROM t WHERE b = \"y\"", "SELECT a FROM t WHERE a > 1"}, execution_unanimous).winner,
            0U);
}

TEST_F(VoteTest, UnanimousExecution) {
  EXPECT_EQ(vote_on({"SELECT a FROM t WHERE b = 'x'", "SELECT min(a) FROM t"}, execution_unanimous).winner, 0U);
  EXPECT_EQ(vote_on({"SELECT a FROM t", "SELECT a FROM t", "SELECT missing"}, execution_unanimous).winner,
            std::nullopt);
}

TEST_F(VoteTest, ProvedEquivalence) {
  // The first two agree on these rows only; the third and the fourth on all.
  const auto outcome = vote_on({"SELECT a FROM t WHERE b = 'y'", "SELECT a FROM t WHERE a > 1",
                                "SELECT a FROM t WHERE a >= 2 AND a > 1", "SELECT x.a FROM t AS x WHERE NOT x.a <= 1"},
                               equivalence_majority);
  EXPECT_NE(outcome.ballot[0], outcome.ballot[1]);
  EXPECT_EQ(outcome.ballot[1], outcome.ballot[3]);
  EXPECT_EQ(outcome.winner, 1U);
  EXPECT_GE(outcome.votes, 2U);
}

TEST_F(VoteTest, Interrupt) {
  stop();
  std::vector<Candidate> candidates = {
      {.reply = "", .sql = "WITH RECURSIVE c(x) AS (VALUES(1) UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c"}};
  const auto outcome = vote(candidates, execution_majority, context());
  ASSERT_FALSE(outcome.ok());
  EXPECT_EQ(outcome.error().code, ErrorCode::interrupted);
}

}  // namespace
}  // namespace trustsql::nl2sql
