// A reference to something callable, for parameters: no copy, no allocation, no template.
//
//   void each_word(std::string_view text, FunctionRef<void(std::string_view)> visit);
//   each_word(text, [&](std::string_view word) { ... });
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

namespace trustsql {

template <class Signature>
class FunctionRef;

template <class R, class... Args>
class FunctionRef<R(Args...)> {
 public:
  // `function` must outlive the reference; a temporary lives until the end of the call that it is passed to.
  template <class F>
  requires(!std::is_same_v<std::remove_cvref_t<F>, FunctionRef> && std::is_invocable_r_v<R, F&, Args...>)
      FunctionRef(F&& function)  // NOLINT(bugprone-forwarding-reference-overload): a copy is excluded above
      : object_(const_cast<void*>(static_cast<const void*>(std::addressof(function)))),
        call_([](void* object, Args... args) -> R {
          return (*static_cast<std::remove_reference_t<F>*>(object))(std::forward<Args>(args)...);
        }) {}

  R operator()(Args... args) const { return call_(object_, std::forward<Args>(args)...); }

 private:
  void* object_;
  R (*call_)(void*, Args...);
};

}  // namespace trustsql
