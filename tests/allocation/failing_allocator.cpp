#include "allocation/failing_allocator.hpp"

#include <sqlite3.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace allocation_test {

namespace {

// State of the process, like the allocators.
std::atomic<bool> counting{false};
std::atomic<bool> failed{false};
std::atomic<long> allocations{0};
std::atomic<long> failing{0};
std::atomic<long> blocks{0};
thread_local int uncounted = 0;
sqlite3_mem_methods system_allocator;

bool fails_now() {
  if (!counting.load() || uncounted > 0) return false;
  if (allocations.fetch_add(1) + 1 != failing.load()) return false;
  failed = true;
  return true;
}

void* sqlite_malloc(int size) { return fails_now() ? nullptr : system_allocator.xMalloc(size); }
void* sqlite_realloc(void* memory, int size) { return fails_now() ? nullptr : system_allocator.xRealloc(memory, size); }

}  // namespace

void install_allocator() {
  sqlite3_config(SQLITE_CONFIG_GETMALLOC, &system_allocator);
  sqlite3_mem_methods methods = system_allocator;
  methods.xMalloc = sqlite_malloc;
  methods.xRealloc = sqlite_realloc;
  sqlite3_config(SQLITE_CONFIG_MALLOC, &methods);
  sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0);  // its memory is not allocated
}

void fail_at(long n) {
  allocations = 0;
  failed = false;
  failing = n;
  counting = true;
}

Counted stop_counting() {
  counting = false;
  return {allocations.load(), failed.load()};
}

long live_blocks() { return blocks.load(); }

Uncounted::Uncounted() { ++uncounted; }
Uncounted::~Uncounted() { --uncounted; }

void* allocate(std::size_t size, std::size_t alignment) noexcept {
  if (fails_now()) return nullptr;
  void* memory = alignment > alignof(std::max_align_t)
                     ? std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment)
                     : std::malloc(size == 0 ? 1 : size);
  if (memory != nullptr) ++blocks;
  return memory;
}

void* allocate_or_throw(std::size_t size, std::size_t alignment) {
  void* memory = allocate(size, alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void release(void* memory) noexcept {
  if (memory == nullptr) return;
  --blocks;
  std::free(memory);
}

}  // namespace allocation_test

using allocation_test::allocate;
using allocation_test::allocate_or_throw;
using allocation_test::release;

constexpr std::size_t usual = alignof(std::max_align_t);

void* operator new(std::size_t size) { return allocate_or_throw(size, usual); }
void* operator new[](std::size_t size) { return allocate_or_throw(size, usual); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate_or_throw(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return allocate_or_throw(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size, usual); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocate(size, usual); }
void operator delete(void* memory) noexcept { release(memory); }
void operator delete[](void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t) noexcept { release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }
