#include "ext/host_dialect.hpp"

#include "base/text.hpp"
#include "db/host_functions.hpp"

namespace trustsql::ext {

namespace {

const FunctionTable& built_in_functions() {
  static const FunctionTable functions = FunctionTable::built_in(sqlite3_libversion_number());
  return functions;
}

SqlFunction described(const HostFunction& host, std::string_view name) {
  using Kind = SqlFunction::Kind;
  SqlFunction function{.name = name, .min_arguments = std::max(host.arguments, 0), .max_arguments = host.arguments, .deterministic = false};
  function.kind = host.kind == HostFunction::Kind::scalar      ? Kind::scalar
                  : host.kind == HostFunction::Kind::aggregate ? Kind::aggregate
                                                               : Kind::window_aggregate;
  return function;
}

}  // namespace

ResolveOptions built_in_dialect() {
  return {.functions = &built_in_functions(),
          .rowid_in_views = sqlite_shim::has_compile_option("ALLOW_ROWID_IN_VIEW"),
          .version = sqlite3_libversion_number()};
}

Result<HostDialect> HostDialect::read(sqlite3* host) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto listed, read_functions(host));
  HostDialect dialect;
  TRUSTSQL_ASSIGN_OR_RETURN(dialect.collations_, read_collations(host));
  const auto known = built_in_functions().all();
  std::vector<SqlFunction> functions(known.begin(), known.end());
  dialect.names_.reserve(listed.size());  // they are referred to
  for (const auto& function : listed) {
    if (built_in_functions().has(function.name)) continue;
    functions.push_back(described(function, dialect.names_.emplace_back(to_lower_ascii(function.name))));
  }
  dialect.functions_ = FunctionTable(std::move(functions));
  return dialect;
}

ResolveOptions HostDialect::options() const {
  ResolveOptions options = built_in_dialect();
  options.functions = &functions_;
  options.collations = collations_;
  return options;
}

}  // namespace trustsql::ext
