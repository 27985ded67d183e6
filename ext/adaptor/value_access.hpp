// Arguments and results: sqlite3_value to C++ types and back.
//
// A typed function declares what it takes by the types of its parameters:
//
//   std::int64_t, double, Number, std::string_view, BlobView   required; a NULL makes a scalar return NULL and an aggregate skip the row
//   ValueView                                          any value, NULL included
//   std::optional<T>                                   required, may be NULL
//   OptionalArg<T>                                     may be left out or NULL; only optional parameters and Options may follow
//   const Options&                                     last; may be left out or NULL; checked against FunctionSpec::options
//   Session&                                           not an argument: the connection's session
//   const SharedScope&                                 not an argument: what the calls of one statement share
//
// A type of its own (an enum, say) is taken by specialising ArgumentReader.
#pragma once

#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>

#include "base/number.hpp"
#include "db/host_database.hpp"
#include "ext/adaptor/function.hpp"

namespace trustsql::ext {

// What the calls of one statement of the host share (db/host_database.hpp).
using SharedScope = std::shared_ptr<StatementScope>;

// That of the statement which is calling; made by its first call, gone when the statement is reset.
SharedScope statement_scope(sqlite3_context* context);

struct BlobView {
  std::string_view bytes;
};

template <class T>
struct OptionalArg {
  std::optional<T> value;
  bool has_value() const { return value.has_value(); }
  const T& operator*() const { return *value; }
};

// A borrowed view of an argument; valid until the callback returns or the value is converted again.
ValueView view(sqlite3_value* value);

// Reads a non-NULL argument. `read` returns an Error that says what the argument must be ("must be a number, not text").
template <class T>
struct ArgumentReader;

template <>
struct ArgumentReader<ValueView> {
  static Result<ValueView> read(sqlite3_value* value) { return view(value); }
};
template <>
struct ArgumentReader<std::int64_t> {
  static Result<std::int64_t> read(sqlite3_value* value);  // integers, and reals and texts that are exactly one
};
template <>
struct ArgumentReader<double> {
  static Result<double> read(sqlite3_value* value);  // numbers, and texts that look like one
};
template <>
struct ArgumentReader<Number> {
  static Result<Number> read(sqlite3_value* value);  // as double, integers exactly
};
template <>
struct ArgumentReader<std::string_view> {
  static Result<std::string_view> read(sqlite3_value* value);  // texts only
};
template <>
struct ArgumentReader<BlobView> {
  static Result<BlobView> read(sqlite3_value* value);  // blobs only
};

Error must_be(std::string_view what, sqlite3_value* value);

// Sets the result of a callback.
void set_result(sqlite3_context* context, ValueView value);
inline void set_result(sqlite3_context* context, const Value& value) { set_result(context, view(value)); }
inline void set_result(sqlite3_context* context, std::int64_t value) { sqlite3_result_int64(context, value); }
inline void set_result(sqlite3_context* context, int value) { sqlite3_result_int(context, value); }
inline void set_result(sqlite3_context* context, bool value) { sqlite3_result_int(context, value ? 1 : 0); }
inline void set_result(sqlite3_context* context, double value) { sqlite3_result_double(context, value); }
inline void set_result(sqlite3_context* context, const Number& value) { set_result(context, value.as_value()); }
inline void set_result(sqlite3_context* context, std::string_view value) { set_result(context, ValueView::of_text(value)); }
inline void set_result(sqlite3_context* context, const std::string& value) { set_result(context, ValueView::of_text(value)); }
inline void set_result(sqlite3_context* context, const Blob& value) { set_result(context, ValueView::of_blob(value.bytes)); }
template <class T>
void set_result(sqlite3_context* context, const std::optional<T>& value) {
  if (value) {
    set_result(context, *value);
  } else {
    sqlite3_result_null(context);
  }
}

// Sets an error: "name: message", with the SQLite code that fits (SQLITE_INTERRUPT, SQLITE_NOMEM, SQLITE_TOOBIG, else SQLITE_ERROR).
void set_error(sqlite3_context* context, const FunctionSpec& spec, const Error& error);
int sqlite_code(const Error& error);
// "name: message" for an error of this function, in valid UTF-8 whatever it quotes: every message leaves through here.
std::string error_text(const FunctionSpec& spec, const Error& error);

// The Error that the exception in flight stands for; to be called in a catch block.
Error current_exception_error() noexcept;

}  // namespace trustsql::ext
