#include "nl2sql/batch.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <thread>

namespace trustsql::nl2sql {
namespace {

const auto never = [] { return false; };

Result<Attempt> answer(std::size_t index) {
  Attempt attempt;
  attempt.question = std::to_string(index);
  return attempt;
}

TEST(Batch, EveryQuestionOnce) {
  for (const std::size_t concurrency : {1U, 3U, 64U}) {
    Batch batch(50, concurrency, answer);
    std::set<std::size_t> seen;
    for (;;) {
      auto finished = batch.next(never);
      ASSERT_TRUE(finished.ok());
      if (!*finished) break;
      EXPECT_EQ((*finished)->attempt->question, std::to_string((*finished)->index));
      EXPECT_TRUE(seen.insert((*finished)->index).second);
    }
    EXPECT_EQ(seen.size(), 50U);
    EXPECT_FALSE(*batch.next(never));
  }
}

TEST(Batch, Nothing) {
  Batch batch(0, 8, answer);
  EXPECT_FALSE(*batch.next(never));
}

TEST(Batch, AtMostSoManyAtOnce) {
  std::atomic<int> running = 0;
  std::atomic<int> most = 0;
  Batch batch(40, 4, [&](std::size_t index) {
    const int now = ++running;
    for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
    }
    std::this_thread::yield();
    --running;
    return answer(index);
  });
  while (*batch.next(never)) {
  }
  EXPECT_LE(most, 4);
}

TEST(Batch, AFailureIsThatQuestionsAlone) {
  Batch batch(3, 2, [](std::size_t index) -> Result<Attempt> {
    if (index == 1) return io_error("away");
    return answer(index);
  });
  int failed = 0;
  for (int i = 0; i < 3; ++i) failed += (*batch.next(never))->attempt.ok() ? 0 : 1;
  EXPECT_EQ(failed, 1);
}

TEST(Batch, WhatWorkThrowsInAThreadIsAnError) {
  Batch batch(3, 2, [](std::size_t) -> Result<Attempt> { throw std::bad_alloc(); });
  const auto outcome = batch.next(never);
  ASSERT_FALSE(outcome.ok());
  EXPECT_EQ(outcome.error().code, ErrorCode::out_of_memory);
}

TEST(Batch, AnInterruptBeginsNoFurtherQuestion) {
  std::atomic<bool> cancelled = false;
  std::atomic<int> begun = 0;
  {
    Batch batch(1000, 4, [&](std::size_t index) {
      ++begun;
      while (!cancelled) std::this_thread::yield();
      return answer(index);
    });
    const auto outcome = batch.next([] { return true; });
    ASSERT_FALSE(outcome.ok());
    EXPECT_EQ(outcome.error().code, ErrorCode::interrupted);
    cancelled = true;
  }
  EXPECT_LE(begun, 4);
}

}  // namespace
}  // namespace trustsql::nl2sql
