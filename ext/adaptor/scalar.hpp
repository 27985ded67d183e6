// scalar<function>: turns a typed function into a row of a registration table.
#pragma once

#include "ext/adaptor/call.hpp"

namespace trustsql::ext {

// What a scalar function keeps between its calls, in addition to the session.
struct ScalarBinding : Binding {
  OptionsMemo memo;
};

template <auto function>
struct ScalarAdaptor {
  using Signature = SignatureOf<decltype(function)>;
  using Params = typename Signature::Params;

  static void call(sqlite3_context* context, int count, sqlite3_value** values) noexcept {
    auto& binding = *static_cast<ScalarBinding*>(sqlite3_user_data(context));
    guarded_result(context, binding.spec, [&] {
      Error error;
      SharedScope scope;
      if constexpr (Params::has_scope) scope = statement_scope(context);
      const CallContext call{binding.spec, *binding.session, binding.memo, scope};
      const auto outcome = call_with(Params{}, call, count, values, error, [&](auto&... arguments) {
        deliver(context, binding.spec, function(arguments...));
      });
      if (outcome == CallOutcome::failed) set_error(context, binding.spec, error);
      if (outcome == CallOutcome::null_argument) sqlite3_result_null(context);
    });
  }

  static int register_function(sqlite3* db, const FunctionSpec& spec, const std::shared_ptr<Session>& session) {
    const std::string name(spec.name);
    for (int arity = spec.min_arguments; arity <= spec.max_arguments; ++arity) {
      auto binding = std::make_unique<ScalarBinding>(ScalarBinding{{spec, session}, {}});
      const int code = sqlite3_create_function_v2(
          db, name.c_str(), arity, sqlite_flags(spec), binding.release(), call, nullptr, nullptr,
          [](void* pointer) { std::unique_ptr<ScalarBinding>(static_cast<ScalarBinding*>(pointer)).reset(); });
      if (code != SQLITE_OK) return code;
    }
    return SQLITE_OK;
  }
};

template <auto function>
constexpr FunctionSpec scalar(const FunctionDoc& doc) {
  using Adaptor = ScalarAdaptor<function>;
  return {doc, FunctionKind::scalar, Adaptor::Params::min_arguments, Adaptor::Params::max_arguments,
          Adaptor::register_function};
}

}  // namespace trustsql::ext
