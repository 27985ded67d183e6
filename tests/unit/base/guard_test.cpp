#include "base/guard.hpp"

#include <gtest/gtest.h>

#include <new>
#include <stdexcept>

namespace trustsql {
namespace {

TEST(Guarded, HandsOnWhatWorkReturns) {
  EXPECT_TRUE(guarded([] {}).ok());
  EXPECT_EQ(*guarded([] { return 7; }), 7);
  EXPECT_EQ(*guarded([] { return Result<int>(8); }), 8);
  EXPECT_EQ(guarded([]() -> Status { return io_error("away"); }).error().message, "away");
}

TEST(Guarded, WhatIsThrownIsAnError) {
  const auto exhausted = guarded([]() -> int { throw std::bad_alloc(); });
  EXPECT_EQ(exhausted.error().code, ErrorCode::out_of_memory);
  EXPECT_EQ(exhausted.error().message, "out of memory");
  const auto other = guarded([]() -> Status { throw std::runtime_error("so it is"); });
  EXPECT_EQ(other.error().code, ErrorCode::internal);
  EXPECT_EQ(other.error().message, "internal error: so it is");
  const auto foreign = guarded([] { throw 7; });
  EXPECT_EQ(foreign.error().code, ErrorCode::internal);
  EXPECT_EQ(foreign.error().message, "internal error");
}

}  // namespace
}  // namespace trustsql
