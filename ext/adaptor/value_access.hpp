// Arguments and results: sqlite3_value to C++ types and back.
//
// A typed function declares what it takes by the types of its parameters:
//
//   std::int64_t, double, Number, std::string_view, BlobView   required; a NULL makes a scalar return NULL and an
//                                                              aggregate skip the row
//   ValueView                                                  any value, including NULL
//   std::optional<T>                                           required, may be NULL
//   OptionalArg<T>                                             may be omitted or NULL; only optional parameters and
//                                                              Options may follow
//   const Options&                                             last; may be omitted or NULL; checked against
//                                                              FunctionSpec::options
//   Session&                                                   not an argument: the connection's session
//   const SharedScope&                                         not an argument: what the calls of one statement share
//
// To accept another type (for example an enum), specialise ArgumentReader.
#pragma once

#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>

#include "base/guard.hpp"
#include "base/number.hpp"
#include "db/sources/host_database.hpp"
#include "ext/adaptor/function.hpp"

namespace trustsql::ext {

// What the calls of one statement of the host share (db/sources/host_database.hpp).
using SharedScope = std::shared_ptr<StatementScope>;

// The scope of the calling statement; created by its first call, destroyed when the statement is reset.
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

// A non-owning view of an argument; valid until the callback returns or the value is converted again.
ValueView view(sqlite3_value* value);

// Which argument of a call is read.
struct ArgumentPlace {
  const FunctionSpec& spec;
  int index;  // from 0

  // "argument 1 (sql)", for messages.
  std::string text() const;
};

// Reads a non-NULL argument. Error (invalid_argument): its type or value is wrong; the message names the place
// ("argument 1 (c) must be a number, not text").
template <class T>
struct ArgumentReader;

template <>
struct ArgumentReader<ValueView> {
  static Result<ValueView> read(sqlite3_value* value, const ArgumentPlace&) { return view(value); }
};
template <>
struct ArgumentReader<std::int64_t> {  // integers, and reals and texts that represent an integer exactly
  static Result<std::int64_t> read(sqlite3_value* value, const ArgumentPlace& place);
};
template <>
struct ArgumentReader<double> {  // numbers, and texts that look like a number
  static Result<double> read(sqlite3_value* value, const ArgumentPlace& place);
};
template <>
struct ArgumentReader<Number> {  // as for double, but integers are exact
  static Result<Number> read(sqlite3_value* value, const ArgumentPlace& place);
};
template <>
struct ArgumentReader<std::string_view> {  // texts only
  static Result<std::string_view> read(sqlite3_value* value, const ArgumentPlace& place);
};
template <>
struct ArgumentReader<BlobView> {  // blobs only
  static Result<BlobView> read(sqlite3_value* value, const ArgumentPlace& place);
};

// The error (invalid_argument) "<subject> must be <expected>, not <value>".
Error must_be(std::string_view subject, std::string_view expected, sqlite3_value* value);

// Sets the result of a callback of the function `spec`. A result that is longer than the host's SQLITE_LIMIT_LENGTH is
// an error.
void set_result(sqlite3_context* context, const FunctionSpec& spec, ValueView value);
inline ValueView result_view(ValueView value) { return value; }
inline ValueView result_view(const Value& value) { return view(value); }
inline ValueView result_view(bool value) { return ValueView::of_integer(value ? 1 : 0); }
inline ValueView result_view(int value) { return ValueView::of_integer(value); }
inline ValueView result_view(std::int64_t value) { return ValueView::of_integer(value); }
inline ValueView result_view(double value) { return ValueView::of_real(value); }
inline ValueView result_view(const Number& value) { return value.as_value(); }
inline ValueView result_view(std::string_view value) { return ValueView::of_text(value); }
inline ValueView result_view(const std::string& value) { return ValueView::of_text(value); }
inline ValueView result_view(const Blob& value) { return ValueView::of_blob(value.bytes); }
template <class T>
ValueView result_view(const std::optional<T>& value) {
  return value ? result_view(*value) : ValueView::null();
}

// Sets an error: "name: message", with the corresponding SQLite code (SQLITE_INTERRUPT, SQLITE_NOMEM, SQLITE_TOOBIG,
// else SQLITE_ERROR).
void set_error(sqlite3_context* context, const FunctionSpec& spec, const Error& error) noexcept;
// The same for a callback of a virtual table: returns the code, and replaces `*message` (from sqlite3_malloc) with the
// text.
int set_error(char** message, const Binding& binding, const Error& error) noexcept;

// Runs `work`, which sets the result itself, in a callback that has a context; an exception becomes the callback's
// error.
template <class Work>
void guarded_result(sqlite3_context* context, const FunctionSpec& spec, Work&& work) noexcept {
  const auto result = guarded(std::forward<Work>(work));
  if (!result.ok()) set_error(context, spec, result.error());
}

// Runs `work`, which returns a Status or nothing, in a callback that returns a code; `message` as set_error() takes it.
template <class Work>
int guarded_code(char** message, const Binding& binding, Work&& work) noexcept {
  const auto result = guarded(std::forward<Work>(work));
  return result.ok() ? SQLITE_OK : set_error(message, binding, result.error());
}

}  // namespace trustsql::ext
