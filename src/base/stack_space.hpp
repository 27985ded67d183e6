// How much of its stack the calling thread has left. Threads of some programs have small ones: 1 MiB in Java and Ruby,
// less in Erlang.
#pragma once

#include <pthread.h>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace trustsql {

// The bytes between the caller's frame and the end of the stack. nullopt if the system does not say: with a C library
// other than glibc, or on a stack that the program has brought along, as coroutines do. The first call in a thread asks
// the system (for the main thread, that takes some 50 microseconds).
inline std::optional<std::size_t> stack_space() {
#ifdef __GLIBC__
  struct Stack {
    std::uintptr_t low = 0;
    std::uintptr_t high = 0;
    Stack() {
      pthread_attr_t attributes;
      if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
      void* address = nullptr;
      std::size_t size = 0;
      if (pthread_attr_getstack(&attributes, &address, &size) == 0) {
        low = reinterpret_cast<std::uintptr_t>(address);
        high = low + size;
      }
      pthread_attr_destroy(&attributes);
    }
  };
  thread_local const Stack stack;
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  if (here <= stack.low || here > stack.high) return std::nullopt;
  return here - stack.low;
#else
  return std::nullopt;
#endif
}

// How many levels of recursion the rest of the stack is enough for, at most `most`, if each takes `bytes`.
inline int levels_of_stack(std::size_t bytes, int most) {
  const auto space = stack_space();
  return !space || *space / bytes > static_cast<std::size_t>(most) ? most : static_cast<int>(*space / bytes);
}

}  // namespace trustsql
