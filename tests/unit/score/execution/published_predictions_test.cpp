// EX of published systems against the verdicts of the public evaluator, line by line.

#include <gtest/gtest.h>

#include <map>

#include "db/sources/host_database.hpp"
#include "db/sqlite/sqlite_api.hpp"
#include "score/execution/batch.hpp"
#include "unit/score/development_data.hpp"

namespace trustsql {
namespace {

struct Close {
  void operator()(sqlite3* db) const { sqlite3_close(db); }
};

class PublishedPredictions : public testing::Test {
 protected:
  void SetUp() override {
    TRUSTSQL_NEEDS_DEVELOPMENT_DATA(data);
    data_ = *data;
    sqlite3* db = nullptr;
    ASSERT_EQ(sqlite3_open(":memory:", &db), SQLITE_OK);
    host_.reset(db);
    database_ = std::make_unique<HostDatabase>(db);
    // Two predictions are cross joins that the evaluator's run stopped after ten seconds; less time is enough to see
    // that.
    ASSERT_TRUE(settings_.set("timeout_ms", ValueView::of_integer(4000)).ok());
  }

  Result<std::shared_ptr<SandboxSource>> source_of(const nlohmann::json& line) {
    const auto path = data_ / "spider" / "databases" / (line["db_id"].get<std::string>() + ".sqlite");
    return database_->open_file(path.string(), settings_);
  }

  // The cases of the lines of one file.
  std::vector<ItemScore> score(const std::vector<nlohmann::json>& lines, const ExecOptions& exec, std::size_t threads) {
    std::vector<BatchItem> items;
    for (const auto& line : lines) {
      auto source = source_of(line);
      EXPECT_TRUE(source.ok()) << source.error().message;
      items.push_back({line["gold"].get<std::string>(), line["pred"].get<std::string>(), *source});
    }
    auto scores = score_batch(items, {.exec = exec, .threads = threads}, cache_, [] { return false; });
    EXPECT_TRUE(scores.ok()) << scores.error().message;
    return scores.ok() ? std::move(*scores) : std::vector<ItemScore>(lines.size());
  }

  void expect_verdicts(const char* reference, SpiderDistinct distinct, std::size_t threads) {
    std::size_t lines_seen = 0;
    for (const auto& file : files_in(data_ / "predictions", ".jsonl")) {
      const auto lines = read_jsonl(file);
      const auto scores = score(lines, {.semantics = ExecSemantics::spider, .distinct = distinct}, threads);
      for (std::size_t i = 0; i < lines.size(); ++i) {
        const auto expected = lines[i][reference].get<bool>() ? ReliabilityCase::I : ReliabilityCase::III;
        EXPECT_EQ(scores[i].reliability_case, expected) << file.stem() << " id " << lines[i]["id"] << "\n  gold "
                                                        << lines[i]["gold"] << "\n  pred " << lines[i]["pred"];
        ++lines_seen;
      }
    }
    EXPECT_EQ(lines_seen, 13U * 445U);
  }

  std::filesystem::path data_;
  Settings settings_ = *Settings::create([](std::string_view) { return std::optional<std::string>(); });
  std::unique_ptr<sqlite3, Close> host_;
  std::unique_ptr<HostDatabase> database_;
  ExecutionCache cache_{std::int64_t{64} << 20};
};

// The queries as they are instead of rewritten, and columns counted also in empty results: there is no other
// difference.
TEST_F(PublishedPredictions, BagDiffersFromTheEvaluatorForTwoReasonsOnly) {
  std::size_t empty_results = 0;
  std::size_t split_operators = 0;
  for (const auto& file : files_in(data_ / "predictions", ".jsonl")) {
    const auto lines = read_jsonl(file);
    const auto scores = score(lines, {}, 2);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const bool right = scores[i].reliability_case == ReliabilityCase::I;
      if (right == lines[i]["ex_keep_distinct"].get<bool>()) continue;
      EXPECT_FALSE(right);
      const auto prediction = lines[i]["pred"].get<std::string>();
      if (prediction.find("! =") != std::string::npos) {
        EXPECT_TRUE(scores[i].error.has_value());
        ++split_operators;
        continue;
      }
      auto lease = *(*source_of(lines[i]))->lease();
      const auto gold_rows = lease->run(lines[i]["gold"].get<std::string>());
      const auto predicted_rows = lease->run(prediction);
      ASSERT_TRUE(gold_rows.ok() && predicted_rows.ok());
      EXPECT_TRUE(gold_rows->empty() && predicted_rows->empty()) << prediction;
      EXPECT_NE(gold_rows->column_count(), predicted_rows->column_count()) << prediction;
      ++empty_results;
    }
  }
  EXPECT_EQ(empty_results, 6U);
  EXPECT_EQ(split_operators, 2U);
}

TEST_F(PublishedPredictions, SpiderKeepingDistinct) { expect_verdicts("ex_keep_distinct", SpiderDistinct::keep, 1); }

TEST_F(PublishedPredictions, SpiderDroppingDistinct) { expect_verdicts("ex", SpiderDistinct::drop, 2); }

}  // namespace
}  // namespace trustsql
