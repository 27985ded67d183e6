// The options by which every function that needs a schema is told which: `database`, `schema`.
#pragma once

#include <memory>

#include "base/options.hpp"
#include "db/catalog.hpp"
#include "ext/adaptor/call.hpp"
#include "ext/session.hpp"

namespace trustsql::ext {

inline constexpr OptionSpec database_option = {
    .key = "database",
    .type = OptionType::text,
    .description = "The path of the SQLite file whose schema it is. By default this connection's."};
inline constexpr OptionSpec schema_option = {
    .key = "schema",
    .type = OptionType::text,
    .description = "The schema as DDL text: CREATE TABLE ...; ... No database is looked at."};

// The database or DDL text that these options name; this connection's database where they name none. Errors: both are
// given; of HostDatabase.
inline Result<std::shared_ptr<SandboxSource>> source_of(Session& session, const SharedScope& scope,
                                                        const Options& options) {
  const auto database = options.text("database");
  const auto schema = options.text("schema");
  if (database && schema) return invalid_argument("database and schema are both given; there is one schema");
  return schema ? session.database().open_schema(*schema, session.settings())
                : session.database().open(database, session.settings(), scope.get());
}

// Its schema. Errors: of source_of(), and of reading it.
inline Result<std::shared_ptr<const Catalog>> catalog_of(Session& session, const SharedScope& scope,
                                                         const Options& options) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto source, source_of(session, scope, options));
  return source->catalog();
}

}  // namespace trustsql::ext
