#include "nl2sql/attempt_batch.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <set>
#include <stdexcept>
#include <thread>

namespace trustsql::nl2sql {
namespace {

const auto never = [] { return false; };

Result<Attempt> answer(std::size_t index) {
  Attempt attempt;
  attempt.question = std::to_string(index);
  return attempt;
}

TEST(AttemptBatch, EveryQuestionOnce) {
  for (const std::size_t concurrency : {1U, 3U, 64U}) {
    AttemptBatch batch(50, concurrency, answer);
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

TEST(AttemptBatch, Nothing) {
  AttemptBatch batch(0, 8, answer);
  EXPECT_FALSE(*batch.next(never));
}

TEST(AttemptBatch, AtMostSoManyAtOnce) {
  std::atomic<int> running = 0;
  std::atomic<int> most = 0;
  AttemptBatch batch(40, 4, [&](std::size_t index) {
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

TEST(AttemptBatch, AFailureIsThatQuestionsAlone) {
  AttemptBatch batch(3, 2, [](std::size_t index) -> Result<Attempt> {
    if (index == 1) return io_error("away");
    return answer(index);
  });
  int failed = 0;
  for (int i = 0; i < 3; ++i) failed += (*batch.next(never))->attempt.ok() ? 0 : 1;
  EXPECT_EQ(failed, 1);
}

TEST(AttemptBatch, WhatWorkThrowsIsAnError) {
  const auto error_of = [](std::size_t concurrency, const std::function<void()>& fail) {
    AttemptBatch batch(3, concurrency, [&](std::size_t index) {
      fail();
      return answer(index);
    });
    auto outcome = batch.next(never);
    EXPECT_FALSE(outcome.ok());
    EXPECT_FALSE(batch.next(never).ok());  // it is not forgotten
    return outcome.ok() ? Error() : std::move(outcome).error();
  };
  for (const std::size_t concurrency : {1U, 2U}) {
    EXPECT_EQ(error_of(concurrency, [] { throw std::bad_alloc(); }).code, ErrorCode::out_of_memory);
    EXPECT_EQ(error_of(concurrency, [] { throw std::runtime_error("so it is"); }).message, "internal error: so it is");
    EXPECT_EQ(error_of(concurrency, [] { throw 7; }).message, "internal error");
  }
}

TEST(AttemptBatch, AfterAnInterruptComesNothing) {
  for (const std::size_t concurrency : {1U, 2U}) {
    AttemptBatch batch(3, concurrency, [](std::size_t) -> Result<Attempt> {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      return answer(0);
    });
    EXPECT_FALSE(batch.next([] { return true; }).ok());
    while (true) {  // those that had begun already
      const auto finished = batch.next(never);
      ASSERT_TRUE(finished.ok());
      if (!*finished) break;
    }
  }
}

TEST(AttemptBatch, AnInterruptBeginsNoFurtherQuestion) {
  std::atomic<bool> cancelled = false;
  std::atomic<int> begun = 0;
  {
    AttemptBatch batch(1000, 4, [&](std::size_t index) {
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
