// The resolver on any query over a fixed schema, and the plan of what it resolves: an error has a message, in valid
// UTF-8 if the query is, and where SQLite prepares the query as well, both see the same number of columns.

#include <cstdint>
#include <string>

#include "base/text.hpp"
#include "fuzz/check.hpp"
#include "fuzz/schema_database.hpp"
#include "plan/builder.hpp"
#include "plan/verify.hpp"
#include "sql/parser.hpp"
#include "sql/resolver.hpp"
#include "unit/plan/trigger_queries.hpp"

using namespace trustsql;
using namespace trustsql::testing_support;

namespace {

// The number of columns of the only statement in `sql`; -1 if SQLite does not prepare it.
int columns_of(sqlite3* db, const std::string& sql) {
  sqlite3_stmt* statement = nullptr;
  const bool prepared = sqlite3_prepare_v2(db, sql.c_str(), -1, &statement, nullptr) == SQLITE_OK;
  const int columns = prepared ? sqlite3_column_count(statement) : -1;
  sqlite3_finalize(statement);
  return columns;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::SchemaDatabase database(TriggerQueries::schema());
  static const FunctionTable functions = FunctionTable::built_in(sqlite3_libversion_number());
  const std::string sql(reinterpret_cast<const char*>(data), size);
  const auto query = parse_query(sql, {.version = sqlite3_libversion_number()});
  if (!query.ok()) return 0;
  const auto resolution =
      resolve(*query, database.catalog, {.functions = &functions, .version = sqlite3_libversion_number()});
  if (!resolution.ok()) {
    FUZZ_CHECK(!resolution.error().message.empty());
    FUZZ_CHECK(is_valid_utf8(resolution.error().message) || !is_valid_utf8(sql));
    return 0;
  }
  const auto plan = plan::build_plan(*resolution);
  if (!plan.ok()) {
    FUZZ_CHECK(is_valid_utf8(plan.error().message) || !is_valid_utf8(sql));
    return 0;
  }
  plan::verify_or_throw(*plan, "the builder");
  const int columns = columns_of(database.db.get(), sql);
  if (columns > 0 && sql.find('\0') == sql.npos) {
    FUZZ_CHECK(plan->names.size() == static_cast<std::size_t>(columns));
  }
  return 0;
}
