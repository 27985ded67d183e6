#include "score/execution/batch.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <new>
#include <stdexcept>
#include <thread>

#include "base/guard.hpp"
#include "unit/score/scripted_source.hpp"
#include "unit/score/test_results.hpp"

namespace trustsql {
namespace {

using Case = ReliabilityCase;

bool never() { return false; }

// "one" and "two" give those numbers, "gold fails" and the like fail, "wait" waits until it is interrupted.
Result<ResultSet> answer(const std::string& sql, Sandbox& sandbox) {
  if (sql == "one") return make_result(1, {row(1)});
  if (sql == "two") return make_result(1, {row(2)});
  if (sql == "wait") {
    auto& connection = dynamic_cast<ScriptedSource::Connection&>(sandbox);
    while (!connection.must_stop()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return Error{ErrorCode::interrupted, "interrupted"};
  }
  if (sql == "unreadable") return io_error("disk I/O error");
  return query_failed("no such thing: " + sql);
}

BatchItem item(const std::shared_ptr<SandboxSource>& source, const char* gold, const char* prediction) {
  BatchItem item;
  if (gold != nullptr) item.gold = gold;
  if (prediction != nullptr) item.prediction = prediction;
  if (gold != nullptr && prediction != nullptr) item.source = source;
  return item;
}

std::vector<std::string> names(const std::vector<ItemScore>& scores) {
  std::vector<std::string> result;
  for (const auto& score : scores)
    result.emplace_back(score.reliability_case ? case_name(*score.reliability_case) : "-");
  return result;
}

using Names = std::vector<std::string>;

TEST(Batch, GivesEachItemItsCase) {
  const auto source = std::make_shared<ScriptedSource>(answer);
  const std::vector<BatchItem> items = {item(source, "one", "one"),     item(source, "one", nullptr),
                                        item(source, "one", "two"),     item(source, nullptr, "one"),
                                        item(source, nullptr, nullptr), item(source, "one", "fails")};
  ExecutionCache cache(1 << 20);
  for (const std::size_t threads : {1, 2, 5}) {
    const auto scores = score_batch(items, {.threads = threads}, cache, never);
    ASSERT_TRUE(scores.ok());
    EXPECT_EQ(names(*scores), (Names{"I", "II", "III", "IV", "V", "III"}));
    ASSERT_TRUE(scores->back().error.has_value());
    EXPECT_EQ(scores->back().error->message, "no such thing: fails");
  }
  EXPECT_TRUE(score_batch({}, {}, cache, never).ok());
}

TEST(Batch, CleaningMayMakeAnAbstention) {
  const auto source = std::make_shared<ScriptedSource>(answer);
  const std::vector<BatchItem> items = {item(source, "one", "null"), item(source, nullptr, "I cannot say")};
  ExecutionCache cache(1 << 20);
  const BatchOptions options{.exec = {.cleaning = {.abstain = true}}};
  EXPECT_EQ(names(*score_batch(items, options, cache, never)), (Names{"II", "V"}));
  EXPECT_EQ(names(*score_batch(items, {}, cache, never)), (Names{"III", "IV"}));
}

TEST(Batch, TheFirstFailingRowIsNamed) {
  const auto source = std::make_shared<ScriptedSource>(answer);
  std::vector<BatchItem> items(200, item(source, "one", "two"));
  items[170] = item(source, "gold x", "one");
  items[30] = item(source, "gold y", "one");
  items[31] = item(source, "a gold", "one");  // sorts first
  ExecutionCache cache(1 << 20);
  for (const std::size_t threads : {1, 3}) {
    const auto failed = score_batch(items, {.threads = threads}, cache, never);
    ASSERT_FALSE(failed.ok());
    EXPECT_EQ(failed.error().message, "row 31: the gold query 'gold y' failed: no such thing: gold y");
  }
  const auto numbered = score_batch(items, {.first_row = 1001}, cache, never);
  EXPECT_TRUE(numbered.error().message.starts_with("row 1031: "));

  const auto skipped = score_batch(items, {.on_gold_error = OnGoldError::skip}, cache, never);
  ASSERT_TRUE(skipped.ok());
  EXPECT_FALSE((*skipped)[30].reliability_case.has_value());
  EXPECT_TRUE((*skipped)[30].error.has_value());
  EXPECT_EQ((*skipped)[32].reliability_case, Case::III);

  // Errors that are not a query's fault still fail the batch.
  items[30] = item(source, "unreadable", "one");
  EXPECT_FALSE(score_batch(items, {.on_gold_error = OnGoldError::skip}, cache, never).ok());
}

TEST(Batch, OutcomeDoesNotDependOnThreads) {
  std::vector<std::shared_ptr<SandboxSource>> sources;
  for (std::uint64_t k = 1; k <= 3; ++k) sources.push_back(std::make_shared<ScriptedSource>(answer, k));
  std::mt19937 random(1);
  std::vector<BatchItem> items;
  const char* queries[] = {"one", "two", "fails", nullptr};
  for (int i = 0; i < 1000; ++i)
    items.push_back(
        item(sources[random() % 3], random() % 2 == 0 ? queries[random() % 2] : nullptr, queries[random() % 4]));
  ExecutionCache cache(1 << 20);
  const auto alone = score_batch(items, {.threads = 1}, cache, never);
  ASSERT_TRUE(alone.ok());
  for (const std::size_t threads : {2, 4, 16}) {
    ExecutionCache fresh(1 << 20);
    const auto together = score_batch(items, {.threads = threads}, fresh, never);
    ASSERT_TRUE(together.ok());
    EXPECT_EQ(names(*together), names(*alone));
  }
}

TEST(Batch, AGoldQueryIsRunOnce) {
  const auto source = std::make_shared<ScriptedSource>(answer);
  const std::vector<BatchItem> items(500, item(source, "one", "two"));
  ExecutionCache cache(1 << 20);
  ASSERT_TRUE(score_batch(items, {.threads = 4}, cache, never).ok());
  EXPECT_EQ(source->runs("one"), 1U);
  EXPECT_EQ(source->runs("two"), 1U);
  EXPECT_LE(source->leases, 40);
}

TEST(Batch, AnInterruptStopsRunningQueries) {
  const auto source = std::make_shared<ScriptedSource>(answer);
  const std::vector<BatchItem> items = {item(source, "one", "wait"), item(source, "two", "wait"),
                                        item(source, "one", "two")};
  for (const std::size_t threads : {1, 2}) {
    ExecutionCache cache(1 << 20);
    const auto begin = std::chrono::steady_clock::now();
    const auto stopped = score_batch(items, {.threads = threads}, cache, [&] {
      return std::chrono::steady_clock::now() - begin > std::chrono::milliseconds(60);
    });
    ASSERT_FALSE(stopped.ok());
    EXPECT_EQ(stopped.error().code, ErrorCode::interrupted);
    EXPECT_EQ(stopped.error().message, "interrupted");
  }
  ExecutionCache cache(1 << 20);
  const auto alone = score_item(items[0], {}, cache, [] { return true; });
  ASSERT_FALSE(alone.ok());
  EXPECT_EQ(alone.error().code, ErrorCode::interrupted);
}

TEST(Batch, ADatabaseThatCannotBeOpenedFailsItsFirstRow) {
  class Unopenable final : public SandboxSource {
   public:
    Result<SandboxLease> lease() override { return io_error("'gone.db' cannot be opened"); }
    Result<std::shared_ptr<const Catalog>> catalog() override { return io_error("'gone.db' cannot be opened"); }
    std::string_view name() const override { return "gone.db"; }
    std::uint64_t identity() const override { return 99; }
  };
  const auto good = std::make_shared<ScriptedSource>(answer);
  const auto bad = std::make_shared<Unopenable>();
  std::vector<BatchItem> items(10, item(good, "one", "two"));
  items[6] = item(bad, "one", "two");
  items[4] = item(bad, "two", "two");
  ExecutionCache cache(1 << 20);
  const auto failed = score_batch(items, {.threads = 2}, cache, never);
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().message, "row 5: 'gone.db' cannot be opened");
}

// What is thrown in one of the scoring threads ends the batch, in the caller's thread, as an error.
TEST(Batch, AnExceptionInAThreadEndsTheBatch) {
  const auto error_of = [](std::size_t threads, const std::function<void()>& fail) {
    const auto source = std::make_shared<ScriptedSource>([&](const std::string& sql, Sandbox&) {
      if (sql == "fails") fail();
      return make_result(1, {row(1)});
    });
    std::vector<BatchItem> items;
    for (int i = 0; i < 40; ++i)
      items.push_back(item(source, ("gold " + std::to_string(i)).c_str(), i == 20 ? "fails" : "one"));
    ExecutionCache cache(1 << 20);
    auto scores = guarded([&] { return score_batch(items, {.threads = threads}, cache, never); });
    EXPECT_FALSE(scores.ok());
    return scores.ok() ? Error() : std::move(scores).error();
  };
  for (const std::size_t threads : {1U, 4U}) {
    EXPECT_EQ(error_of(threads, [] { throw std::bad_alloc(); }).code, ErrorCode::out_of_memory);
    EXPECT_EQ(error_of(threads, [] { throw std::runtime_error("so it is"); }).message,
              "row 21: internal error: so it is");
    EXPECT_EQ(error_of(threads, [] { throw 7; }).message, "row 21: internal error");
  }
}

}  // namespace
}  // namespace trustsql
