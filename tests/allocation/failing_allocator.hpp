// The allocators of this program, operator new and SQLite's, which can be told to fail once.
#pragma once

namespace allocation_test {

// Replaces SQLite's allocator with the counting one. To be called before SQLite is used.
void install_allocator();

// From here on the `n`-th allocation of any thread fails; 0 lets all succeed but still counts them.
void fail_at(long n);

// Stops counting.
struct Counted {
  long allocations = 0;
  bool failed = false;
};
Counted stop_counting();

// Blocks of operator new that are in use.
long live_blocks();

// Lets the allocations of the calling thread succeed uncounted while it lives.
class Uncounted {
 public:
  Uncounted();
  ~Uncounted();
  Uncounted(const Uncounted&) = delete;
  Uncounted& operator=(const Uncounted&) = delete;
};

}  // namespace allocation_test
