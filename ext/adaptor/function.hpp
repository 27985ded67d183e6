// The description of a SQL function: one row of a registration table, and all there is to say about it.
//
// A family of functions (one file in ext/) writes typed C++ functions and a table:
//
//   Result<double> rs_phi(ReliabilityCase c, double penalty);
//
//   constexpr FunctionSpec functions[] = {
//       scalar<rs_phi>({.name = "rs_phi",
//                       .signature = "rs_phi(case, c)",
//                       .summary = "...",
//                       .example = "SELECT rs_phi('III', 10); -- -10.0"}),
//   };
//
// scalar<>, aggregate<> and table<> (the headers beside this one) derive from the C++ type how many arguments there
// are, how they are converted and checked, and what SQLite calls. From the same row come the registration, the table
// trustsql_functions and docs/api.md.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "base/options.hpp"
#include "ext/session.hpp"

namespace trustsql::ext {

enum class FunctionKind { scalar, aggregate, window, table };
std::string_view kind_name(FunctionKind kind);

// What a function does beside computing, which decides its SQLite flags.
enum class Effect {
  none,   // depends on its arguments alone: SQLITE_DETERMINISTIC and SQLITE_INNOCUOUS
  state,  // reads or changes this connection, runs SQL, reads files or the network: SQLITE_DIRECTONLY
};

struct FunctionSpec;
using RegisterFunction = int (*)(sqlite3* db, const FunctionSpec& spec, const std::shared_ptr<Session>& session);

// The written part of a row.
struct FunctionDoc {
  std::string_view name;
  std::string_view signature;     // "name(argument, argument [, optional] [, opts])"; argument names stand in messages
  std::string_view summary;       // one or two sentences; the units of results
  std::string_view example;       // one statement; "-- text" after it is its result, which a test compares
  std::string_view columns = {};  // of tables: "name TYPE, name TYPE, ..."
  std::span<const OptionSpec> options = {};   // the keys of `opts`
  EntryPoint entry_point = EntryPoint::pure;  // the lowest that registers it
  Effect effect = Effect::none;
};

// The written part and what was derived from the C++ type.
struct FunctionSpec : FunctionDoc {
  FunctionKind kind = FunctionKind::scalar;
  int min_arguments = 0;
  int max_arguments = 0;
  RegisterFunction register_function = nullptr;
};

// The name of argument `index` (from 0) as the signature has it.
std::string argument_name(const FunctionSpec& spec, int index);

// What SQLite hands back to a callback: the row of the function and the connection's session.
struct Binding {
  const FunctionSpec& spec;
  std::shared_ptr<Session> session;
};
void destroy_binding(void* binding) noexcept;

// SQLite's flags for a function or table of this effect, text encoding included.
int sqlite_flags(const FunctionSpec& spec);

}  // namespace trustsql::ext
