#include "score/execution/execution_cache.hpp"

#include <gtest/gtest.h>

#include <condition_variable>
#include <thread>

#include "unit/score/scripted_source.hpp"
#include "unit/score/test_results.hpp"

namespace trustsql {
namespace {

// Every query gives its own text.
Result<ResultSet> echo(const std::string& sql, Sandbox&) { return make_result(1, {{ValueView::of_text(sql)}}); }

std::string text_of(const Execution& execution) {
  return execution.ok() ? std::string(execution.value()->at(0, 0).bytes) : execution.error().message;
}

TEST(ExecutionCache, RunsAQueryOnceForEachDatabaseVersionAndText) {
  ScriptedSource source(echo);
  auto lease = *source.lease();
  ExecutionCache cache(1 << 20);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(text_of(cache.run(*lease, 1, 1, "a")), "a");
  EXPECT_EQ(source.runs("a"), 1U);
  EXPECT_EQ(text_of(cache.run(*lease, 1, 2, "a")), "a");
  EXPECT_EQ(source.runs("a"), 2U);
  EXPECT_EQ(text_of(cache.run(*lease, 2, 1, "a")), "a");
  EXPECT_EQ(source.runs("a"), 3U);
  EXPECT_EQ(text_of(cache.run(*lease, 1, 1, "b")), "b");
  EXPECT_EQ(cache.statistics().hits, 2U);
  EXPECT_EQ(cache.statistics().misses, 4U);
}

TEST(ExecutionCache, ForgetsTheLeastRecentlyUsed) {
  ScriptedSource source(echo);
  auto lease = *source.lease();
  ExecutionCache cache(3 * 300);  // room for three short entries
  for (const auto* sql : {"a", "b", "c", "a", "d"}) EXPECT_TRUE(cache.run(*lease, 1, 1, sql).ok());
  EXPECT_LE(cache.statistics().bytes, 900);
  (void)cache.run(*lease, 1, 1, "a");
  EXPECT_EQ(source.runs("a"), 1U);
  (void)cache.run(*lease, 1, 1, "b");
  EXPECT_EQ(source.runs("b"), 2U);
}

TEST(ExecutionCache, KeepsNothingThatIsTooLarge) {
  ScriptedSource source(echo);
  auto lease = *source.lease();
  ExecutionCache cache(1000);
  const std::string large(2000, 'x');
  for (int i = 0; i < 2; ++i) EXPECT_EQ(text_of(cache.run(*lease, 1, 1, large)), large);
  EXPECT_EQ(source.runs(large), 2U);
  EXPECT_EQ(cache.statistics().bytes, 0);
  ExecutionCache none(0);
  for (int i = 0; i < 2; ++i) (void)none.run(*lease, 1, 1, "small");
  EXPECT_EQ(source.runs("small"), 2U);
}

TEST(ExecutionCache, FailuresOfTheQueryAreKeptOthersAreNot) {
  int calls = 0;
  ScriptedSource source([&](const std::string& sql, Sandbox&) -> Result<ResultSet> {
    ++calls;
    if (sql == "wrong") return query_failed("no such table: t");
    return Error{ErrorCode::interrupted, "interrupted"};
  });
  auto lease = *source.lease();
  ExecutionCache cache(1 << 20);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(text_of(cache.run(*lease, 1, 1, "wrong")), "no such table: t");
  EXPECT_EQ(source.runs("wrong"), 1U);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(text_of(cache.run(*lease, 1, 1, "stopped")), "interrupted");
  EXPECT_EQ(source.runs("stopped"), 2U);
}

TEST(ExecutionCache, ThreadsThatAskAtOnceShareOneRun) {
  std::mutex mutex;
  std::condition_variable changed;
  bool may_end = false;
  ScriptedSource source([&](const std::string& sql, Sandbox& sandbox) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return may_end; });
    return echo(sql, sandbox);
  });
  ExecutionCache cache(0);
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      auto lease = *source.lease();
      if (text_of(cache.run(*lease, 1, 1, "slow")) == "slow") ++right;
    });
  }
  // All except the one that runs it have found it there.
  while (source.runs("slow") == 0) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  {
    const std::lock_guard lock(mutex);
    may_end = true;
  }
  changed.notify_all();
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(right, 4);
  EXPECT_LT(source.runs("slow"), 4U);
}

TEST(ExecutionCache, WhoWaitedForAnInterruptedRunRunsItItself) {
  std::mutex mutex;
  std::condition_variable changed;
  bool may_end = false;
  std::atomic<int> calls{0};
  ScriptedSource source([&](const std::string& sql, Sandbox& sandbox) -> Result<ResultSet> {
    if (calls.fetch_add(1) > 0) return echo(sql, sandbox);
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return may_end; });
    return Error{ErrorCode::interrupted, "interrupted"};
  });
  ExecutionCache cache(1 << 20);
  std::string first;
  std::string second;
  std::thread runner([&] { first = text_of(cache.run(**source.lease(), 1, 1, "q")); });
  while (calls == 0) std::this_thread::yield();
  std::thread waiter([&] { second = text_of(cache.run(**source.lease(), 1, 1, "q")); });
  {
    const std::lock_guard lock(mutex);
    may_end = true;
  }
  changed.notify_all();
  runner.join();
  waiter.join();
  EXPECT_EQ(first, "interrupted");
  EXPECT_EQ(second, "q");
}

}  // namespace
}  // namespace trustsql
