// Calls a typed function with SQLite's arguments: the part that scalars, aggregates and tables share.
#pragma once

#include <algorithm>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "base/text.hpp"
#include "base/type_traits.hpp"
#include "ext/adaptor/value_access.hpp"

namespace trustsql::ext {

// --- the kinds of parameters ---------------------------------------------------------------------------------------

template <class P>
inline constexpr bool is_session = std::is_same_v<P, Session&>;
template <class P>
inline constexpr bool is_scope = std::is_same_v<P, const SharedScope&>;
template <class P>
inline constexpr bool is_options = std::is_same_v<std::decay_t<P>, Options>;
template <class P>
inline constexpr bool is_argument = !is_session<P> && !is_scope<P>;
template <class P>
inline constexpr bool may_be_absent = is_options<P> || is_instance_of<std::decay_t<P>, OptionalArg>;

// The parameters of a typed function as a list of types.
template <class... P>
struct Parameters {
  static constexpr int max_arguments = static_cast<int>((0 + ... + (is_argument<P> ? 1 : 0)));
  static constexpr int min_arguments = static_cast<int>((0 + ... + (is_argument<P> && !may_be_absent<P> ? 1 : 0)));
  static constexpr bool has_options = (false || ... || is_options<P>);
  static constexpr bool has_scope = (false || ... || is_scope<P>);
};

template <class F>
struct SignatureOf;
template <class R, class... P>
struct SignatureOf<R (*)(P...)> {
  using Return = R;
  using Params = Parameters<P...>;
};
template <class C, class R, class... P>
struct SignatureOf<R (C::*)(P...)> {
  using Return = R;
  using Params = Parameters<P...>;
};

// --- the arguments of one call -------------------------------------------------------------------------------------

// Options are parsed once and kept while their text stays the same, since a function is called row by row with the
// same literal.
struct OptionsMemo {
  std::string text;
  bool valid = false;
  Options options;
};

// SQLite's arguments assigned to parameters. A text that begins with '{' in the position of an optional argument is the
// opts.
class Arguments {
 public:
  template <class Params>
  static Arguments place(int count, sqlite3_value** values, Params) {
    Arguments arguments;
    arguments.values_ = values;
    arguments.count_ = count;
    if constexpr (Params::has_options) {
      const int last = count - 1;
      const bool in_place = count == Params::max_arguments;
      if (in_place || (last >= Params::min_arguments && begins_with_brace(values[last]))) {
        arguments.options_ = values[last];
        arguments.count_ = last;
      }
    }
    return arguments;
  }

  // Argument `index`, or null if it was omitted.
  sqlite3_value* at(int index) const { return index < count_ ? values_[index] : nullptr; }
  sqlite3_value* options() const { return options_; }

 private:
  static bool begins_with_brace(sqlite3_value* value) {
    if (sqlite3_value_type(value) != SQLITE_TEXT) return false;
    const auto text = trim(view(value).bytes);
    return !text.empty() && text.front() == '{';
  }

  sqlite3_value** values_ = nullptr;
  int count_ = 0;
  sqlite3_value* options_ = nullptr;
};

struct CallContext {
  const FunctionSpec& spec;
  Session& session;
  OptionsMemo& memo;
  const SharedScope& scope;  // empty if the function has no parameter for it
};

enum class CallOutcome { called, null_argument, failed };

// Holds the value of a parameter until the call.
template <class P>
struct Holder {
  using T = std::decay_t<P>;
  T value{};

  // Reads argument `index`. Returns `called` to continue; `null_argument` and `failed` end the call.
  CallOutcome read(const CallContext& call, const Arguments& arguments, int index, Error& error) {
    sqlite3_value* argument = arguments.at(index);
    const bool is_null = argument == nullptr || sqlite3_value_type(argument) == SQLITE_NULL;
    if constexpr (std::is_same_v<T, ValueView>) {
      if (!is_null) value = view(argument);
      return CallOutcome::called;
    } else if constexpr (is_instance_of<T, std::optional>) {
      return is_null ? CallOutcome::called : read_into(call, argument, index, error, value);
    } else if constexpr (is_instance_of<T, OptionalArg>) {
      return is_null ? CallOutcome::called : read_into(call, argument, index, error, value.value);
    } else {
      return is_null ? CallOutcome::null_argument : read_into(call, argument, index, error, value);
    }
  }
  T& get(const CallContext&) { return value; }

 private:
  template <class Into>
  static CallOutcome read_into(const CallContext& call, sqlite3_value* argument, int index, Error& error, Into& into) {
    using Bare =
        typename std::conditional_t<is_instance_of<Into, std::optional>, Into, std::optional<Into>>::value_type;
    auto result = ArgumentReader<Bare>::read(argument, {call.spec, index});
    if (!result.ok()) {
      error = std::move(result).error();
      return CallOutcome::failed;
    }
    into = std::move(result).value();
    return CallOutcome::called;
  }
};

template <>
struct Holder<Session&> {
  CallOutcome read(const CallContext&, const Arguments&, int, Error&) { return CallOutcome::called; }
  Session& get(const CallContext& call) { return call.session; }
};

template <>
struct Holder<const SharedScope&> {
  CallOutcome read(const CallContext&, const Arguments&, int, Error&) { return CallOutcome::called; }
  const SharedScope& get(const CallContext& call) { return call.scope; }
};

struct OptionsHolder {
  CallOutcome read(const CallContext& call, const Arguments& arguments, int, Error& error) {
    sqlite3_value* argument = arguments.options();
    const bool is_null = argument == nullptr || sqlite3_value_type(argument) == SQLITE_NULL;
    std::string_view text;
    if (!is_null) {
      if (sqlite3_value_type(argument) != SQLITE_TEXT) {
        error = must_be("opts", "a JSON object", argument);
        return CallOutcome::failed;
      }
      text = view(argument).bytes;
    }
    if (call.memo.valid && call.memo.text == text) return CallOutcome::called;
    call.memo.valid = false;
    auto parsed = is_null ? Result<Options>(Options(call.spec.options)) : Options::parse(text, call.spec.options);
    if (!parsed.ok()) {
      error = std::move(parsed).error();
      return CallOutcome::failed;
    }
    call.memo.options = std::move(parsed).value();
    call.memo.text.assign(text);
    call.memo.valid = true;
    return CallOutcome::called;
  }
  const Options& get(const CallContext& call) { return call.memo.options; }
};
template <>
struct Holder<const Options&> : OptionsHolder {};

// Converts the arguments and calls `function` with them. Returns `called` if it was called; on `failed`, `error` is
// set.
template <class... P, class Function>
CallOutcome call_with(Parameters<P...> params, const CallContext& call, int count, sqlite3_value** values, Error& error,
                      Function&& function) {
  const Arguments arguments = Arguments::place(count, values, params);
  std::tuple<Holder<P>...> holders;
  int index = 0;
  CallOutcome outcome = CallOutcome::called;
  std::apply(
      [&](auto&... holder) {
        [[maybe_unused]] const auto read = [&](auto& parameter, bool counts) {
          if (outcome != CallOutcome::called) return;
          outcome = parameter.read(call, arguments, index, error);
          if (counts) ++index;
        };
        (read(holder, is_argument<P>), ...);
      },
      holders);
  if (outcome != CallOutcome::called) return outcome;
  std::apply([&](auto&... holder) { std::forward<Function>(function)(holder.get(call)...); }, holders);
  return CallOutcome::called;
}

// --- return values -------------------------------------------------------------------------------------------------

// Passes the return value of a typed function to SQLite: a value, or a Result with a value or an Error.
template <class R>
void deliver(sqlite3_context* context, const FunctionSpec& spec, R&& returned) {
  if constexpr (is_instance_of<std::decay_t<R>, Result>) {
    if (returned.ok()) {
      set_result(context, spec, result_view(returned.value()));
    } else {
      set_error(context, spec, returned.error());
    }
  } else {
    set_result(context, spec, result_view(returned));
  }
}

}  // namespace trustsql::ext
