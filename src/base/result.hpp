// Result<T>: the value of a computation, or an Error that says why there is none.
//
// Every failure that a caller can expect (a query that does not prepare, a file that is missing, an option that does
// not exist) travels as an Error value. Exceptions are left for programming errors and exhausted memory; the adaptor in
// ext/ catches those at the boundary to SQLite.
//
//   Result<int> parse(std::string_view text);
//   Result<int> twice(std::string_view text) {
//     TRUSTSQL_ASSIGN_OR_RETURN(const int n, parse(text));
//     return 2 * n;
//   }
#pragma once

#include <cassert>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace trustsql {

// What kind of failure an Error is, as far as callers treat kinds differently.
enum class ErrorCode {
  invalid_argument,  // the caller's input is wrong: type, range, JSON, an unknown option
  query_failed,      // SQLite rejected or aborted a query that was run on somebody's behalf
  unknown_function,  // as query_failed, in the sandbox: the query calls a function that is not built into SQLite
  not_allowed,       // the sandbox refused: not a single SELECT, a function or table off the allow-list
  limit_exceeded,    // a deadline or a limit on rows, bytes, depth or steps ended the work
  interrupted,       // sqlite3_interrupt on the host connection
  io,                // a file or database could not be opened or read
  out_of_memory,
  internal,  // a bug in this library
};

// Whether the error is none of the query that was run: it ends whatever ran it, which may otherwise go on without that
// query's result.
constexpr bool ends_the_call(ErrorCode code) {
  return code == ErrorCode::interrupted || code == ErrorCode::out_of_memory || code == ErrorCode::io;
}

struct Error {
  ErrorCode code = ErrorCode::internal;
  std::string message;

  // The same error with `prefix` and a colon before its message.
  Error with_prefix(std::string_view prefix) && {
    message.insert(0, std::string(prefix) + ": ");
    return std::move(*this);
  }
};

inline Error invalid_argument(std::string message) { return {ErrorCode::invalid_argument, std::move(message)}; }
inline Error query_failed(std::string message) { return {ErrorCode::query_failed, std::move(message)}; }
inline Error not_allowed(std::string message) { return {ErrorCode::not_allowed, std::move(message)}; }
inline Error limit_exceeded(std::string message) { return {ErrorCode::limit_exceeded, std::move(message)}; }
inline Error io_error(std::string message) { return {ErrorCode::io, std::move(message)}; }
inline Error internal_error(std::string message) { return {ErrorCode::internal, std::move(message)}; }

template <class T>
class [[nodiscard]] Result {
 public:
  using value_type = T;

  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  // Precondition: ok().
  T& value() & {
    assert(ok());
    return *std::get_if<0>(&state_);
  }
  const T& value() const& {
    assert(ok());
    return *std::get_if<0>(&state_);
  }
  T&& value() && {
    assert(ok());
    return std::move(*std::get_if<0>(&state_));
  }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  // Precondition: !ok().
  Error& error() & {
    assert(!ok());
    return *std::get_if<1>(&state_);
  }
  const Error& error() const& {
    assert(!ok());
    return *std::get_if<1>(&state_);
  }
  Error&& error() && {
    assert(!ok());
    return std::move(*std::get_if<1>(&state_));
  }

 private:
  std::variant<T, Error> state_;
};

// A Result without a value: success, or an Error.
using Status = Result<std::monostate>;
inline Status ok_status() { return std::monostate{}; }

}  // namespace trustsql

#define TRUSTSQL_CONCAT_(a, b) a##b
#define TRUSTSQL_CONCAT(a, b) TRUSTSQL_CONCAT_(a, b)

// Evaluates `expression` (a Result); returns its Error from the enclosing function, or defines `declaration` with its
// value.
#define TRUSTSQL_ASSIGN_OR_RETURN(declaration, ...)                                                           \
  auto TRUSTSQL_CONCAT(result_, __LINE__) = (__VA_ARGS__);                                                    \
  if (!TRUSTSQL_CONCAT(result_, __LINE__).ok()) return std::move(TRUSTSQL_CONCAT(result_, __LINE__)).error(); \
  declaration = std::move(TRUSTSQL_CONCAT(result_, __LINE__)).value()

// Evaluates `expression` (a Result of any type); returns its Error from the enclosing function if it has one.
#define TRUSTSQL_RETURN_IF_ERROR(...)                     \
  do {                                                    \
    auto result_ = (__VA_ARGS__);                         \
    if (!result_.ok()) return std::move(result_).error(); \
  } while (false)
