#include "score/execution/exec_match.hpp"

#include <gtest/gtest.h>

#include "unit/db/support.hpp"
#include "unit/score/scripted_source.hpp"
#include "unit/score/test_results.hpp"

namespace trustsql {
namespace {

// A small database in memory, judged through a snapshot.
class ExecMatchTest : public testing::Test {
 protected:
  ExecMatchTest() : database_(host_) {
    host_.exec(
        "CREATE TABLE t(a INTEGER, b TEXT, c REAL); INSERT INTO t VALUES (1, 'x', 1.0), (2, 'y', 2.5), (2, 'y', 2.5), "
        "(3, NULL, 0.5)");
    source_ = *database_.open_host(settings_);
  }

  Result<ExecMatch> judge(std::string_view gold, std::string_view prediction, const ExecOptions& options = {},
                          std::int64_t max_steps = 1'000'000) {
    auto lease = *source_->lease();
    ReadWindow window(*lease);
    return exec_match(gold, prediction, window, {.options = options, .max_steps = max_steps});
  }
  bool match(std::string_view gold, std::string_view prediction, const ExecOptions& options = {}) {
    auto outcome = judge(gold, prediction, options);
    EXPECT_TRUE(outcome.ok() && !outcome->gold_error) << gold;
    return outcome.ok() && outcome->match;
  }

  test::TestConnection host_;
  HostDatabase database_;
  Settings settings_ = *Settings::create([](std::string_view) { return std::optional<std::string>(); });
  std::shared_ptr<SandboxSource> source_;
};

constexpr ExecOptions strict{.semantics = ExecSemantics::strict};
constexpr ExecOptions spider_keep{.semantics = ExecSemantics::spider, .distinct = SpiderDistinct::keep};
constexpr ExecOptions spider_drop{.semantics = ExecSemantics::spider};
constexpr ExecOptions benchmark_atis{.semantics = ExecSemantics::trustsql};

TEST_F(ExecMatchTest, Bag) {
  EXPECT_TRUE(match("SELECT a, b FROM t", "SELECT b, a FROM t ORDER BY a DESC"));
  EXPECT_FALSE(match("SELECT a FROM t", "SELECT DISTINCT a FROM t"));
  EXPECT_FALSE(match("SELECT a FROM t ORDER BY a", "SELECT a FROM t ORDER BY a DESC"));
  EXPECT_TRUE(match("SELECT a FROM t ORDER BY a", "SELECT a FROM t"));  // in the order of the table, which is that of a
  EXPECT_TRUE(match("SELECT * FROM (SELECT a FROM t ORDER BY a)", "SELECT a FROM t ORDER BY a DESC"));
  EXPECT_TRUE(match("SELECT 'order by', a FROM t", "SELECT 'order by', a FROM t ORDER BY a DESC"));
  EXPECT_TRUE(match("SELECT 1", "SELECT 1.0"));
  EXPECT_FALSE(match("SELECT 1", "SELECT '1'"));
  EXPECT_FALSE(match("SELECT a FROM t WHERE 0", "SELECT a, b FROM t WHERE 0"));
  EXPECT_TRUE(match("SELECT a FROM t WHERE 0", "SELECT b FROM t WHERE 0"));
}

TEST_F(ExecMatchTest, Strict) {
  EXPECT_TRUE(match("SELECT a, b FROM t", "SELECT a AS x, b AS y FROM t ORDER BY a DESC", strict));
  EXPECT_FALSE(match("SELECT a, b FROM t", "SELECT b, a FROM t", strict));
  EXPECT_FALSE(match("SELECT a FROM t ORDER BY a", "SELECT a FROM t ORDER BY a DESC", strict));
  EXPECT_FALSE(match("SELECT a FROM t WHERE 0", "SELECT a, b FROM t WHERE 0", strict));
}

TEST_F(ExecMatchTest, Spider) {
  EXPECT_TRUE(match("SELECT DISTINCT a FROM t", "SELECT a FROM t", spider_drop));
  EXPECT_FALSE(match("SELECT DISTINCT a FROM t", "SELECT a FROM t", spider_keep));
  EXPECT_TRUE(match("SELECT a FROM t WHERE 0", "SELECT a, b FROM t WHERE 0", spider_keep));
  EXPECT_TRUE(match("SELECT a FROM t WHERE a = 1", "SELECT a FROM t WHERE a = value", spider_keep));
  EXPECT_TRUE(match("SELECT a FROM t WHERE a >= 2", "SELECT a FROM t WHERE a > = 2", spider_keep));
  EXPECT_TRUE(match("SELECT a FROM t", "SELECT a FROM t; SELECT b FROM t", spider_drop));
  EXPECT_FALSE(match("SELECT a FROM t", "SELECT a FROM t; SELECT b FROM t", spider_keep));
  EXPECT_FALSE(match("SELECT * FROM (SELECT a FROM t ORDER BY a)", "SELECT a FROM t ORDER BY a DESC", spider_keep));
  // A byte that is not UTF-8 is dropped from texts.
  EXPECT_TRUE(match("SELECT CAST(x'61ff62' AS TEXT)", "SELECT 'ab'", spider_keep));
  EXPECT_FALSE(match("SELECT CAST(x'61ff62' AS TEXT)", "SELECT 'ab'"));
  // The evaluator's connection binds no parameters.
  EXPECT_FALSE(match("SELECT NULL", "SELECT ?1", spider_keep));
  EXPECT_TRUE(match("SELECT '?'", "SELECT '?'", spider_keep));
}

TEST_F(ExecMatchTest, Trustsql) {
  EXPECT_TRUE(match("SELECT DISTINCT a FROM t", "SELECT a FROM t", benchmark_atis));
  EXPECT_TRUE(match("SELECT a FROM t ORDER BY a", "SELECT a FROM t ORDER BY a DESC", benchmark_atis));
  EXPECT_FALSE(match("SELECT a, b FROM t", "SELECT b, a FROM t", benchmark_atis));
  EXPECT_TRUE(match("SELECT COUNT(*) FROM t WHERE 0", "SELECT a FROM t WHERE 0", benchmark_atis));
  const ExecOptions spider{.semantics = ExecSemantics::trustsql, .dataset = TrustsqlDataset::spider};
  EXPECT_TRUE(match("SELECT a, b FROM t", "SELECT DISTINCT b, a FROM t", spider));
  EXPECT_FALSE(match("SELECT a, b FROM t", "SELECT DISTINCT b, a FROM t", benchmark_atis));
  const ExecOptions ehrsql{.semantics = ExecSemantics::trustsql, .dataset = TrustsqlDataset::ehrsql};
  EXPECT_TRUE(match("SELECT strftime('%Y', current_time)", "SELECT '2100'", ehrsql));
}

TEST_F(ExecMatchTest, APredictionThatFailsIsWrong) {
  for (const auto* prediction : {"SELECT absent FROM t", "SELEC", "", "  ", "SELECT a FROM t; SELECT a FROM t",
                                 "DELETE FROM t", "ATTACH 'x' AS y", "SELECT load_extension('x')",
                                 "SELECT zeroblob(1000000000)", "\xff\xfe", "PRAGMA user_version"}) {
    const auto outcome = judge("SELECT a FROM t", prediction);
    ASSERT_TRUE(outcome.ok()) << prediction;
    EXPECT_FALSE(outcome->match) << prediction;
    EXPECT_TRUE(outcome->prediction_error.has_value()) << prediction;
    EXPECT_FALSE(outcome->gold_error.has_value()) << prediction;
  }
}

TEST_F(ExecMatchTest, AGoldQueryThatFailsIsNamed) {
  const auto outcome = judge("SELECT absent FROM t", "SELECT a FROM t");
  ASSERT_TRUE(outcome.ok());
  EXPECT_FALSE(outcome->match);
  ASSERT_TRUE(outcome->gold_error.has_value());
  EXPECT_EQ(outcome->gold_error->message, "the gold query 'SELECT absent FROM t' failed: no such column: absent");
}

TEST_F(ExecMatchTest, AComparisonThatTakesTooLongIsAnError) {
  // A 4x4 rook's graph against Shrikhande's (column_match_test.cpp), as 16 columns of 16 rows.
  const auto graph = [](const char* adjacent) {
    std::string columns;
    for (int v = 0; v < 16; ++v)
      columns += std::string(v == 0 ? "" : ", ") + "CASE WHEN u = " + std::to_string(v) + " THEN 2 ELSE (SELECT " +
                 adjacent + " FROM (SELECT (u/4 - " + std::to_string(v / 4) + " + 4) % 4 AS i, (u%4 - " +
                 std::to_string(v % 4) + " + 4) % 4 AS j)) END";
    return "WITH RECURSIVE n(u) AS (SELECT 0 UNION ALL SELECT u + 1 FROM n WHERE u < 15) SELECT " + columns + " FROM n";
  };
  const auto rook = graph("(i = 0) <> (j = 0)");
  const auto shrikhande =
      graph("(i = 0 AND j % 2 = 1) OR (j = 0 AND i % 2 = 1) OR (i = 1 AND j = 1) OR (i = 3 AND j = 3)");
  const auto given_up = judge(rook, shrikhande, {}, 3);
  ASSERT_FALSE(given_up.ok());
  EXPECT_EQ(given_up.error().code, ErrorCode::limit_exceeded);
  const auto decided = judge(rook, shrikhande);
  ASSERT_TRUE(decided.ok());
  EXPECT_FALSE(decided->match);
}

TEST_F(ExecMatchTest, EqualTextsMatchUnlessTheyAreRandom) {
  EXPECT_TRUE(match("SELECT a FROM t", "SELECT a FROM t"));
  EXPECT_FALSE(match("SELECT random()", "SELECT random()"));
  EXPECT_TRUE(match("SELECT random() IS NULL", "SELECT random() IS NULL"));
}

TEST(ExecMatch, CircumstancesAreErrorsNotVerdicts) {
  for (const auto code : {ErrorCode::interrupted, ErrorCode::io, ErrorCode::out_of_memory}) {
    ScriptedSource source([&](const std::string& sql, Sandbox&) -> Result<ResultSet> {
      if (sql == "broken") return Error{code, "circumstances"};
      return make_result(1, {row(1)});
    });
    auto lease = *source.lease();
    ReadWindow window(*lease);
    for (const auto& [gold, prediction] : {std::pair("broken", "fine"), std::pair("fine", "broken")}) {
      const auto outcome = exec_match(gold, prediction, window, {});
      ASSERT_FALSE(outcome.ok());
      EXPECT_EQ(outcome.error().code, code);
    }
  }
}

TEST(ExecMatch, TheSameTextIsRunOnce) {
  ScriptedSource source([](const std::string&, Sandbox&) { return make_result(1, {row(1)}); });
  auto lease = *source.lease();
  ReadWindow window(*lease);
  ASSERT_TRUE(exec_match("SELECT a", "SELECT a", window, {}).ok());
  EXPECT_EQ(source.runs("SELECT a"), 1U);
  ASSERT_TRUE(exec_match("SELECT random()", "SELECT random()", window, {}).ok());
  EXPECT_EQ(source.runs("SELECT random()"), 2U);
  // Equal only after rewriting.
  ASSERT_TRUE(exec_match("SELECT DISTINCT b", "SELECT  b", window, {.options = spider_drop}).ok());
  EXPECT_EQ(source.runs("SELECT  b"), 1U);
}

TEST(ExecMatch, CachedResultsAreUsedWhileTheDatabaseIsTheSame) {
  ScriptedSource source([](const std::string&, Sandbox&) { return make_result(1, {row(1)}); });
  auto lease = *source.lease();
  ExecutionCache cache(1 << 20);
  const ExecContext context{.cache = &cache, .source = source.identity()};
  const auto judge = [&](const char* prediction) {
    ReadWindow window(*lease);
    EXPECT_TRUE(exec_match("SELECT a", prediction, window, context).ok());
  };
  judge("SELECT b");
  judge("SELECT c");
  EXPECT_EQ(source.runs("SELECT a"), 1U);
  source.version = 2;
  judge("SELECT b");
  EXPECT_EQ(source.runs("SELECT a"), 2U);
  EXPECT_EQ(source.runs("SELECT b"), 2U);
  judge("SELECT random()");
  judge("SELECT random()");
  EXPECT_EQ(source.runs("SELECT random()"), 2U);
}

}  // namespace
}  // namespace trustsql
