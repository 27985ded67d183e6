// EX of published systems against the verdicts of the public evaluator, line by line.

#include <gtest/gtest.h>

#include <map>

#include "db/host_database.hpp"
#include "db/sqlite_api.hpp"
#include "score/batch.hpp"
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
  }

  // The cases of the lines of one file.
  std::vector<ItemScore> score(const std::vector<nlohmann::json>& lines, const ExecOptions& exec, std::size_t threads) {
    const Settings settings = *Settings::create([](std::string_view) { return std::optional<std::string>(); });
    std::vector<BatchItem> items;
    for (const auto& line : lines) {
      const auto path = data_ / "spider" / "databases" / (line["db_id"].get<std::string>() + ".sqlite");
      auto source = database_->open_file(path.string(), settings);
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
        EXPECT_EQ(scores[i].reliability_case, expected)
            << file.stem() << " id " << lines[i]["id"] << "\n  gold " << lines[i]["gold"] << "\n  pred " << lines[i]["pred"];
        ++lines_seen;
      }
    }
    EXPECT_EQ(lines_seen, 13U * 445U);
  }

  std::filesystem::path data_;
  std::unique_ptr<sqlite3, Close> host_;
  std::unique_ptr<HostDatabase> database_;
  ExecutionCache cache_{std::int64_t{64} << 20};
};

TEST_F(PublishedPredictions, SpiderKeepingDistinct) { expect_verdicts("ex_keep_distinct", SpiderDistinct::keep, 1); }

TEST_F(PublishedPredictions, SpiderDroppingDistinct) { expect_verdicts("ex", SpiderDistinct::drop, 2); }

}  // namespace
}  // namespace trustsql
