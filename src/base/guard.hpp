// guarded(): the boundary that no exception crosses.
//
// Every callback of a C library (SQLite's functions, virtual tables, authorizer and handlers, libcurl's) and every
// thread runs its work through it, so that exhausted memory or a bug ends one call with an error and never the process.
//
//   int on_progress(void* self) noexcept {
//     const auto stop = guarded([&] { return static_cast<Handler*>(self)->must_stop(); });
//     return !stop.ok() || *stop ? 1 : 0;
//   }
#pragma once

#include <type_traits>
#include <utility>
#include <variant>

#include "base/result.hpp"
#include "base/type_traits.hpp"

namespace trustsql {

// The Error that the exception in flight stands for: out_of_memory for std::bad_alloc; internal for any other, with the
// text of a std::exception. To be called in a catch block.
Error current_exception_error() noexcept;

// Runs `work()` and returns its value as a Result: the value itself if it already is a Result, a Status if `work`
// returns void. If `work` throws, the error is that of current_exception_error().
template <class Work>
auto guarded(Work&& work) noexcept {
  using Returned = std::invoke_result_t<Work>;
  if constexpr (std::is_void_v<Returned>) {
    try {
      std::forward<Work>(work)();
      return ok_status();
    } catch (...) {
      return Status(current_exception_error());
    }
  } else {
    using Given = std::conditional_t<is_instance_of<Returned, Result>, std::type_identity<Returned>,
                                     std::type_identity<Result<Returned>>>;
    try {
      return typename Given::type(std::forward<Work>(work)());
    } catch (...) {
      return typename Given::type(current_exception_error());
    }
  }
}

}  // namespace trustsql
