#include "memory.hpp"

#include <sqlite3.h>

#include <atomic>

namespace test_runner {

namespace {

// SQLite's default allocator, and the countdown. SQLite has one allocator per process, hence global state.
sqlite3_mem_methods system_allocator;
std::atomic<int> countdown{0};

std::atomic<bool> failed{false};

bool fails_now() {
  if (countdown.load() <= 0 || countdown.fetch_sub(1) != 1) return false;
  failed = true;
  return true;
}

void* failing_malloc(int size) { return fails_now() ? nullptr : system_allocator.xMalloc(size); }
void* failing_realloc(void* memory, int size) {
  return fails_now() ? nullptr : system_allocator.xRealloc(memory, size);
}

}  // namespace

void install_failing_allocator() {
  sqlite3_config(SQLITE_CONFIG_GETMALLOC, &system_allocator);
  sqlite3_mem_methods methods = system_allocator;
  methods.xMalloc = failing_malloc;
  methods.xRealloc = failing_realloc;
  sqlite3_config(SQLITE_CONFIG_MALLOC, &methods);
}

bool fail_allocation(int n) {
  countdown = n;
  return failed.exchange(false);
}

}  // namespace test_runner
