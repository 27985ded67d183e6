// What users name as a source of rows (a table, a query) and as a schema (DDL): either an error with a message in valid
// UTF-8, or rows that end. Nothing is written to the host, and no DDL leaves its database in memory.

#include <sqlite3.h>

#include <cstdint>
#include <string>

#include "base/settings.hpp"
#include "base/text.hpp"
#include "db/catalog/catalog.hpp"
#include "db/sources/ddl_source.hpp"
#include "db/sources/row_source.hpp"
#include "fuzz/check.hpp"

using namespace trustsql;

namespace {

constexpr int max_instructions = 2'000'000;  // of SQLite, for one source

void check(const Error& error) { FUZZ_CHECK(!error.message.empty() && is_valid_utf8(error.message)); }

sqlite3* open_host() {
  sqlite3* host = nullptr;
  FUZZ_CHECK(sqlite3_open(":memory:", &host) == SQLITE_OK);
  FUZZ_CHECK(sqlite3_exec(host,
                          "CREATE TABLE predictions(id, sql TEXT, c REAL); CREATE VIEW v AS SELECT * FROM "
                          "predictions; INSERT INTO predictions VALUES (1, 'SELECT 1', 0.5), (2, NULL, NULL)",
                          nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_limit(host, SQLITE_LIMIT_LENGTH, 1'000'000);
  return host;
}

void read_rows(sqlite3* host, const std::string& text) {
  int left = max_instructions / 1000;
  sqlite3_progress_handler(
      host, 1000, [](void* count) { return --*static_cast<int*>(count) < 0 ? 1 : 0; }, &left);
  auto source = RowSource::open(host, text);
  if (!source.ok()) return check(source.error());
  for (const auto& name : source->column_names()) FUZZ_CHECK(source->find(name).has_value());
  while (true) {
    const auto row = source->next();
    if (!row.ok()) return check(row.error());
    if (!*row) return;
    for (std::size_t i = 0; i < source->column_names().size(); ++i) (void)source->at(static_cast<int>(i));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static sqlite3* const host = open_host();
  static const Settings settings = [] {
    auto created = *Settings::create([](std::string_view) { return std::nullopt; });
    (void)created.set("timeout_ms", ValueView::of_integer(500));
    return created;
  }();
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto changes = sqlite3_total_changes(host);
  read_rows(host, text);
  FUZZ_CHECK(sqlite3_total_changes(host) == changes);
  const auto database = open_ddl(text, settings);
  if (!database.ok()) {
    check(database.error());
    return 0;
  }
  const auto catalog = (*database)->catalog();
  if (!catalog.ok()) check(catalog.error());
  return 0;
}
