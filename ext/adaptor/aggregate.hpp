// aggregate<State>: turns a class that accumulates rows into a row of a registration table.
//
//   class RsMean {
//    public:
//     explicit RsMean(Session& session);                  // or a default constructor
//     Status step(ReliabilityCase c, double penalty);     // adds a row; may return void
//     Status inverse(ReliabilityCase c, double penalty);  // optional, for a window function: removes a row
//     Result<double> value();                             // the result so far; also called without any rows
//   };
//
// A row in which a required argument is NULL is skipped by step() and inverse() alike. After an error in step() the
// statement ends with that error.
#pragma once

#include "ext/adaptor/call.hpp"

namespace trustsql::ext {

template <class State>
concept HasInverse = requires {
  &State::inverse;
};

template <class State>
struct AggregateAdaptor {
  using Params = typename SignatureOf<decltype(&State::step)>::Params;

  // The object to which SQLite's aggregate context points.
  struct Group {
    State state;
    OptionsMemo memo;
    SharedScope scope;
    bool failed = false;

    explicit Group(Session& session) : state(make(session)) {}
    static State make(Session& session) {
      if constexpr (std::is_constructible_v<State, Session&>) {
        return State(session);
      } else {
        return State();
      }
    }
  };

  static Binding& binding_of(sqlite3_context* context) { return *static_cast<Binding*>(sqlite3_user_data(context)); }

  // Adds a row to the group, or removes it. Errors: those of the arguments and of the member function.
  template <auto member>
  static Status feed_group(sqlite3_context* context, Group& group, int count, sqlite3_value** values) {
    Binding& binding = binding_of(context);
    if constexpr (Params::has_scope) {
      if (!group.scope) group.scope = statement_scope(context);
    }
    const CallContext call{binding.spec, *binding.session, group.memo, group.scope};
    Status status = ok_status();
    Error error;
    const auto outcome = call_with(Params{}, call, count, values, error, [&](auto&... arguments) {
      using Returned = decltype((group.state.*member)(arguments...));
      if constexpr (std::is_void_v<Returned>) {
        (group.state.*member)(arguments...);
      } else {
        status = (group.state.*member)(arguments...);
      }
    });
    if (outcome == CallOutcome::failed) return error;
    return status;
  }

  template <auto member>
  static void feed(sqlite3_context* context, int count, sqlite3_value** values) noexcept {
    Binding& binding = binding_of(context);
    auto** slot = static_cast<Group**>(sqlite3_aggregate_context(context, sizeof(Group*)));
    if (slot == nullptr) return sqlite3_result_error_nomem(context);
    const auto status = guarded([&] {
      if (*slot == nullptr) *slot = std::make_unique<Group>(*binding.session).release();
      return feed_group<member>(context, **slot, count, values);
    });
    if (status.ok()) return;
    if (*slot != nullptr) (*slot)->failed = true;
    set_error(context, binding.spec, status.error());
  }

  static void value(sqlite3_context* context) noexcept {
    Binding& binding = binding_of(context);
    guarded_result(context, binding.spec, [&] {
      auto** slot = static_cast<Group**>(sqlite3_aggregate_context(context, 0));
      if (slot != nullptr && *slot != nullptr) {
        deliver(context, binding.spec, (*slot)->state.value());
      } else {
        Group empty_group(*binding.session);
        deliver(context, binding.spec, empty_group.state.value());
      }
    });
  }

  // SQLite calls this once for every group that a row has reached, even if the statement is aborted. The value is then
  // unused, so it is not computed after a failure.
  static void finalize(sqlite3_context* context) noexcept {
    auto** slot = static_cast<Group**>(sqlite3_aggregate_context(context, 0));
    const bool failed = slot != nullptr && *slot != nullptr && (*slot)->failed;
    if (!failed) value(context);
    if (slot != nullptr) std::unique_ptr<Group>(std::exchange(*slot, nullptr)).reset();
  }

  static int register_function(sqlite3* db, const FunctionSpec& spec, const std::shared_ptr<Session>& session) {
    const std::string name(spec.name);
    for (int arity = spec.min_arguments; arity <= spec.max_arguments; ++arity) {
      auto binding = std::make_unique<Binding>(Binding{spec, session});
      int code = SQLITE_OK;
      if constexpr (HasInverse<State>) {
        code =
            sqlite3_create_window_function(db, name.c_str(), arity, sqlite_flags(spec), binding.release(),
                                           feed<&State::step>, finalize, value, feed<&State::inverse>, destroy_binding);
      } else {
        code = sqlite3_create_function_v2(db, name.c_str(), arity, sqlite_flags(spec), binding.release(), nullptr,
                                          feed<&State::step>, finalize, destroy_binding);
      }
      if (code != SQLITE_OK) return code;
    }
    return SQLITE_OK;
  }
};

template <class State>
constexpr FunctionSpec aggregate(const FunctionDoc& doc) {
  using Adaptor = AggregateAdaptor<State>;
  return {doc, HasInverse<State> ? FunctionKind::window : FunctionKind::aggregate, Adaptor::Params::min_arguments,
          Adaptor::Params::max_arguments, Adaptor::register_function};
}

}  // namespace trustsql::ext
