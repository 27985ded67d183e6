// How much of its stack the calling thread has left. Threads of some programs have small ones: 1 MiB in Java and Ruby,
// less in Erlang.
#pragma once

#include <pthread.h>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace trustsql {

namespace detail {

// The ends of the calling thread's stack, which the system is asked for once in each thread. They are not thread_local:
// in a module that is loaded at run time, glibc allocates such variables when a thread first uses them, and ends the
// process if there is no memory.
class StackBounds {
 public:
  struct Bounds {
    std::uintptr_t low = 0;
    std::uintptr_t high = 0;
  };

  StackBounds() : has_keys_(pthread_key_create(&low_, nullptr) == 0 && pthread_key_create(&high_, nullptr) == 0) {}

  Bounds of_this_thread() const {
    if (!has_keys_) return ask();
    Bounds bounds = {reinterpret_cast<std::uintptr_t>(pthread_getspecific(low_)),
                     reinterpret_cast<std::uintptr_t>(pthread_getspecific(high_))};
    if (bounds.high == 0) {
      bounds = ask();
      // NOLINTBEGIN(performance-no-int-to-ptr): numbers in the place of pointers, which nothing dereferences
      pthread_setspecific(low_, reinterpret_cast<void*>(bounds.low));
      pthread_setspecific(high_, reinterpret_cast<void*>(bounds.high));
      // NOLINTEND(performance-no-int-to-ptr)
    }
    return bounds;
  }

 private:
  static Bounds ask() {
    Bounds bounds;
#ifdef __GLIBC__
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return bounds;
    void* address = nullptr;
    std::size_t size = 0;
    if (pthread_attr_getstack(&attributes, &address, &size) == 0) {
      bounds.low = reinterpret_cast<std::uintptr_t>(address);
      bounds.high = bounds.low + size;
    }
    pthread_attr_destroy(&attributes);
#endif
    return bounds;
  }

  pthread_key_t low_ = 0;
  pthread_key_t high_ = 0;
  bool has_keys_;
};

}  // namespace detail

// The bytes between the caller's frame and the end of the stack. nullopt if the system does not say: with a C library
// other than glibc, or on a stack that the program has brought along, as coroutines do. The first call in a thread asks
// the system (for the main thread, that takes some 50 microseconds).
inline std::optional<std::size_t> stack_space() {
  static const detail::StackBounds stack;
  const auto [low, high] = stack.of_this_thread();
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  if (here <= low || here > high) return std::nullopt;
  return here - low;
}

// How many levels of recursion the rest of the stack is enough for, at most `most`, if each takes `bytes`.
inline int levels_of_stack(std::size_t bytes, int most) {
  const auto space = stack_space();
  return !space || *space / bytes > static_cast<std::size_t>(most) ? most : static_cast<int>(*space / bytes);
}

}  // namespace trustsql
