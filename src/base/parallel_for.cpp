#include "base/parallel_for.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace trustsql {

namespace {

// The indices that one worker starts with, on a separate cache line.
struct alignas(64) Range {
  std::atomic<std::size_t> next{0};
  std::size_t end = 0;
};

}  // namespace

std::size_t thread_count(long long setting) {
  if (setting > 0) return static_cast<std::size_t>(setting);
  static const std::size_t processors =
      std::max(1U, std::thread::hardware_concurrency());  // the call reads a system file
  return processors;
}

bool parallel_for(std::size_t count, std::size_t threads, const std::function<void(std::size_t)>& work,
                  const std::function<bool()>& poll) {
  constexpr auto poll_interval = std::chrono::milliseconds(50);
  std::atomic<std::size_t> done{0};
  std::atomic<bool> stopped{false};
  const std::size_t wanted = std::min(threads, count);

  if (wanted <= 1) {
    auto last_poll = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < count; ++i) {
      if (const auto now = std::chrono::steady_clock::now(); now - last_poll >= poll_interval) {
        last_poll = now;
        if (poll()) return false;
      }
      work(i);
    }
    return true;
  }

  std::mutex mutex;
  std::condition_variable idle;
  std::size_t running = 0;
  std::vector<Range> ranges(wanted);
  for (std::size_t i = 0; i < wanted; ++i) {
    ranges[i].next = count * i / wanted;
    ranges[i].end = count * (i + 1) / wanted;
  }
  std::exception_ptr thrown;
  // Runs `task`, which may throw, in any thread.
  const auto attempt = [&](auto&& task) noexcept {
    try {
      task();
    } catch (...) {
      stopped.store(true);
      const std::lock_guard lock(mutex);
      if (!thrown) thrown = std::current_exception();
    }
  };
  const auto drain = [&](std::size_t worker) {
    for (std::size_t k = 0; k < wanted; ++k) {
      Range& range = ranges[(worker + k) % wanted];
      for (std::size_t i = range.next.fetch_add(1); i < range.end && !stopped.load(std::memory_order_relaxed);
           i = range.next.fetch_add(1)) {
        attempt([&] { work(i); });
        done.fetch_add(1);
      }
    }
    const std::lock_guard lock(mutex);
    --running;
    idle.notify_all();
  };

  // The caller's thread only waits and polls, so that an interrupt is seen while long work runs.
  std::vector<std::jthread> workers;
  workers.reserve(wanted);
  for (std::size_t i = 0; i < wanted; ++i) {
    {
      const std::lock_guard lock(mutex);
      ++running;
    }
    try {
      workers.emplace_back(drain, i);
    } catch (...) {  // no more threads available, or no memory for one: those that have started do the work
      const std::lock_guard lock(mutex);
      --running;
      break;
    }
  }
  if (workers.empty()) {
    {
      const std::lock_guard lock(mutex);
      ++running;
    }
    drain(0);
  }
  std::unique_lock lock(mutex);
  while (running > 0) {
    if (idle.wait_for(lock, poll_interval, [&] { return running == 0; })) break;
    lock.unlock();
    attempt([&] {
      if (!stopped.load() && poll()) stopped.store(true);
    });
    lock.lock();
  }
  lock.unlock();
  if (thrown) std::rethrow_exception(thrown);
  return done.load() == count;
}

}  // namespace trustsql
