// The description of a SQL function: one row of a registration table, which says everything about the function.
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
// scalar<>, aggregate<> and table<> (in the other headers of this folder) derive from the C++ type the number of
// arguments, their conversions and checks, and the callbacks for SQLite. The registration, the table trustsql_functions
// and docs/api.md are all generated from that row.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "base/options.hpp"
#include "ext/services/session.hpp"

namespace trustsql::ext {

enum class FunctionKind { scalar, aggregate, window, table };
std::string_view kind_name(FunctionKind kind);

// The side effects of a function, which determine its SQLite flags.
enum class Effect {
  none,   // depends on its arguments alone: SQLITE_DETERMINISTIC and SQLITE_INNOCUOUS
  state,  // reads or changes this connection, runs SQL, reads files or the network: SQLITE_DIRECTONLY
};

struct FunctionSpec;
using RegisterFunction = int (*)(sqlite3* db, const FunctionSpec& spec, const std::shared_ptr<Session>& session);

// The part of a row that is written by hand.
struct FunctionDoc {
  std::string_view name;
  std::string_view signature;     // "name(argument, argument [, optional] [, opts])"; messages use the argument names
  std::string_view summary;       // one or two sentences, with the units of results
  std::string_view example;       // one statement, followed by "-- result", which a test checks
  std::string_view columns = {};  // for tables: "name TYPE, name TYPE, ..."
  std::span<const OptionSpec> options = {};   // the keys of `opts`
  EntryPoint entry_point = EntryPoint::pure;  // the lowest entry point that registers it
  Effect effect = Effect::none;
};

// The part written by hand, and the part derived from the C++ type.
struct FunctionSpec : FunctionDoc {
  FunctionKind kind = FunctionKind::scalar;
  int min_arguments = 0;
  int max_arguments = 0;
  RegisterFunction register_function = nullptr;
  bool is_created = false;  // a table that CREATE VIRTUAL TABLE makes
};

// The name of argument `index` (from 0) in the signature.
std::string argument_name(const FunctionSpec& spec, int index);

// The user data that SQLite passes to a callback: the function's row and the connection's session.
struct Binding {
  const FunctionSpec& spec;
  std::shared_ptr<Session> session;
};
void destroy_binding(void* binding) noexcept;

// SQLite's flags for a function or table of this effect, text encoding included.
int sqlite_flags(const FunctionSpec& spec);

}  // namespace trustsql::ext
