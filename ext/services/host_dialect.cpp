#include "ext/services/host_dialect.hpp"

#include "base/text.hpp"
#include "db/catalog/catalog_reader.hpp"
#include "db/sqlite/connection.hpp"
#include "db/sqlite/host_functions.hpp"

namespace trustsql::ext {

namespace {

const FunctionTable& built_in_functions() {
  static const FunctionTable functions = FunctionTable::built_in(sqlite3_libversion_number());
  return functions;
}

// Whether SQLite was compiled with SQLITE_ALLOW_ROWID_IN_VIEW, which 3.40 does not list among its options. Throws if
// there is not enough memory to find out.
bool has_rowid_in_views() {
  const auto connection = Connection::open_memory();
  if (!connection.ok()) throw std::bad_alloc();
  const auto statement = prepare(connection->handle(), "SELECT rowid FROM (SELECT 1)");
  if (!statement.ok() && statement.error().code != ErrorCode::query_failed) throw std::bad_alloc();
  return statement.ok();
}

SqlFunction to_sql_function(const HostFunction& host, std::string_view name) {
  using Kind = SqlFunction::Kind;
  SqlFunction function{.name = name,
                       .min_arguments = std::max(host.arguments, 0),
                       .max_arguments = host.arguments,
                       .deterministic = false};
  function.kind = host.kind == HostFunction::Kind::scalar      ? Kind::scalar
                  : host.kind == HostFunction::Kind::aggregate ? Kind::aggregate
                                                               : Kind::window_aggregate;
  return function;
}

}  // namespace

ResolveOptions built_in_dialect() {
  static const bool rowid_in_views = has_rowid_in_views();
  return {.functions = &built_in_functions(), .rowid_in_views = rowid_in_views, .version = sqlite3_libversion_number()};
}

Result<HostDialect> HostDialect::read(sqlite3* host) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto listed, read_functions(host));
  HostDialect dialect;
  dialect.host_ = host;
  TRUSTSQL_ASSIGN_OR_RETURN(dialect.collations_, read_collations(host));
  const auto built_in = built_in_functions().all();
  std::vector<SqlFunction> functions(built_in.begin(), built_in.end());
  dialect.names_.reserve(listed.size());  // no reallocation: the functions refer to the names
  for (const auto& function : listed) {
    if (built_in_functions().has(function.name)) continue;
    functions.push_back(to_sql_function(function, dialect.names_.emplace_back(to_lower_ascii(function.name))));
  }
  dialect.functions_ = FunctionTable(std::move(functions));
  return dialect;
}

const Table* HostDialect::find_eponymous(std::string_view name) {
  for (const auto& table : tables_) {
    if (equals_ignore_case(table.name, name)) return &table;
  }
  auto table = read_eponymous_table(host_, name);
  if (!table.ok()) failure_ = std::move(table).error();
  return table.ok() && *table ? &tables_.emplace_back(*std::move(*table)) : nullptr;
}

ResolveOptions HostDialect::options() {
  ResolveOptions options = built_in_dialect();
  options.functions = &functions_;
  options.collations = collations_;
  options.find_eponymous = [this](std::string_view name) { return find_eponymous(name); };
  return options;
}

}  // namespace trustsql::ext
