#include "base/parallel_for.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <new>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace trustsql {
namespace {

const auto never = [] { return false; };

TEST(ParallelFor, WorksOnEveryIndexOnce) {
  for (const std::size_t count : {0U, 1U, 2U, 7U, 1000U}) {
    for (const std::size_t threads : {0U, 1U, 2U, 3U, 16U}) {
      std::vector<std::atomic<int>> seen(count);
      EXPECT_TRUE(parallel_for(
          count, threads, [&](std::size_t i) { ++seen[i]; }, never));
      for (const auto& times : seen) EXPECT_EQ(times.load(), 1) << count << " indices, " << threads << " threads";
    }
  }
}

// The first index of either range waits for the other's: a single thread would wait forever.
TEST(ParallelFor, TwoThreadsBeginWithRangesOfTheirOwn) {
  std::atomic<int> arrived{0};
  std::mutex mutex;
  std::set<std::thread::id> threads;
  EXPECT_TRUE(parallel_for(
      10, 2,
      [&](std::size_t i) {
        if (i % 5 != 0) return;
        ++arrived;
        while (arrived.load() < 2) std::this_thread::yield();
        const std::lock_guard lock(mutex);
        threads.insert(std::this_thread::get_id());
      },
      never));
  EXPECT_EQ(threads.size(), 2U);
}

// The first thread is held until all other indices are done, so the other thread must have taken those of its range as
// well.
TEST(ParallelFor, AThreadThatIsDoneHelpsTheOthers) {
  std::atomic<int> done{0};
  EXPECT_TRUE(parallel_for(
      10, 2,
      [&](std::size_t i) {
        if (i == 0) {
          while (done.load() < 9) std::this_thread::yield();
        } else {
          ++done;
        }
      },
      never));
  EXPECT_EQ(done.load(), 9);
}

TEST(ParallelFor, HandsNothingOutAfterPollSaysSo) {
  std::atomic<bool> stop{false};
  std::atomic<int> begun{0};
  const auto work = [&](std::size_t) {
    ++begun;
    while (!stop.load()) std::this_thread::yield();
  };
  const auto poll = [&] {
    stop.store(true);
    return true;
  };
  EXPECT_FALSE(parallel_for(1'000'000'000, 2, work, poll));
  EXPECT_GE(begun.load(), 1);
}

TEST(ParallelFor, ThrowsWhatWorkOrPollThrows) {
  const auto never = [] { return false; };
  for (const std::size_t threads : {1U, 2U, 8U}) {
    const auto work = [](std::size_t i) {
      if (i == 50) throw std::runtime_error("fifty");
    };
    EXPECT_THROW(parallel_for(1000, threads, work, never), std::runtime_error);
  }
  const auto sleep = [](std::size_t) { std::this_thread::sleep_for(std::chrono::milliseconds(60)); };
  const auto poll = []() -> bool { throw std::bad_alloc(); };
  for (const std::size_t threads : {1U, 2U}) EXPECT_THROW(parallel_for(1000, threads, sleep, poll), std::bad_alloc);
}

TEST(ParallelFor, TheSettingNamesTheThreads) {
  EXPECT_EQ(thread_count(3), 3U);
  EXPECT_GE(thread_count(0), 1U);
}

}  // namespace
}  // namespace trustsql
