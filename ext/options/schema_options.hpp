// The options with which callers select the schema for a function: `database`, `schema`.
#pragma once

#include <memory>

#include "base/options.hpp"
#include "db/catalog/catalog.hpp"
#include "ext/adaptor/call.hpp"
#include "ext/services/session.hpp"

namespace trustsql::ext {

inline constexpr Option<std::optional<std::string>> database_option = {
    .key = "database",
    .description = "The path of the SQLite file whose schema is used. By default the schema of this connection."};
inline constexpr Option<std::optional<std::string>> schema_option = {
    .key = "schema", .description = "The schema as DDL text: CREATE TABLE ...; ... No database is read."};

inline constexpr auto schema_options = option_table(database_option, schema_option);

// The database or DDL text that these options name; this connection's database if they name none. Errors:
// invalid_argument (both are given), those of HostDatabase.
inline Result<std::shared_ptr<SandboxSource>> source_of(Session& session, const SharedScope& scope,
                                                        const Options& options) {
  const auto database = options.get(database_option);
  const auto schema = options.get(schema_option);
  if (database && schema) return invalid_argument("give either database or schema, not both");
  return schema ? session.database().open_schema(*schema, session.settings())
                : session.database().open(database, session.settings(), scope.get());
}

// The schema of source_of(). Errors: those of source_of() and of reading the schema.
inline Result<std::shared_ptr<const Catalog>> catalog_of(Session& session, const SharedScope& scope,
                                                         const Options& options) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto source, source_of(session, scope, options));
  return source->catalog();
}

}  // namespace trustsql::ext
