#include "nl2sql/attempt_batch.hpp"

#include <algorithm>
#include <chrono>

#include "base/guard.hpp"

namespace trustsql::nl2sql {

namespace {

constexpr auto poll_interval = std::chrono::milliseconds(50);

Error interrupted() { return {ErrorCode::interrupted, "interrupted"}; }

}  // namespace

AttemptBatch::AttemptBatch(std::size_t count, std::size_t concurrency, Work work)
    : count_(count), work_(std::move(work)) {
  const std::size_t wanted = std::min(count, concurrency);
  if (wanted <= 1) return;
  threads_.reserve(wanted);
  for (std::size_t i = 0; i < wanted; ++i) {
    try {
      threads_.emplace_back([this] { work_through(); });
    } catch (...) {  // no more threads, or no memory: the started ones do the work, else next() does
      break;
    }
  }
}

AttemptBatch::~AttemptBatch() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
}

std::optional<std::size_t> AttemptBatch::take() {
  const std::lock_guard lock(mutex_);
  return stopped_ || begun_ == count_ ? std::nullopt : std::optional(begun_++);
}

void AttemptBatch::work_through() noexcept {
  while (const auto index = take()) attempt(*index);
}

void AttemptBatch::attempt(std::size_t index) noexcept {
  std::list<Finished> finished;
  auto worked = guarded([&] { finished.push_back({index, work_(index)}); });
  const std::lock_guard lock(mutex_);
  finished_.splice(finished_.end(), finished);
  if (!worked.ok()) {
    stopped_ = true;
    failure_ = std::move(worked).error();
  }
  arrived_.notify_one();
}

Result<std::optional<AttemptBatch::Finished>> AttemptBatch::next(const std::function<bool()>& poll) {
  if (poll()) {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    return interrupted();
  }
  if (threads_.empty()) {
    if (const auto index = take()) attempt(*index);
  }
  std::unique_lock lock(mutex_);
  while (finished_.empty()) {
    if (failure_) return *failure_;
    if (delivered_ == (stopped_ ? begun_ : count_)) return std::optional<Finished>();
    if (arrived_.wait_for(lock, poll_interval, [&] { return !finished_.empty() || failure_; })) continue;
    lock.unlock();
    const bool stop = poll();
    lock.lock();
    if (stop) {
      stopped_ = true;
      return interrupted();
    }
  }
  auto finished = std::optional(std::move(finished_.front()));
  finished_.pop_front();
  ++delivered_;
  return finished;
}

}  // namespace trustsql::nl2sql
