#include "unit/plan/random_databases.hpp"

#include "base/text.hpp"
#include "db/sqlite/connection.hpp"
#include "equiv/refuter/random_instance.hpp"

namespace trustsql::testing_support {

namespace {

// The CREATE statements of the main database of `db`, except triggers and what SQLite creates itself.
std::vector<std::string> ddl_of(sqlite3* db) {
  std::vector<std::string> statements;
  auto rows = prepare(db,
                      "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND type <> 'trigger' AND name NOT LIKE "
                      "'sqlite\\_%' ESCAPE '\\' ORDER BY rowid");
  while (*rows->step()) statements.emplace_back(rows->column_text(0));
  return statements;
}

}  // namespace

void insert_rows(sqlite3* db, const equiv::DataModel& model, const equiv::Instance& instance) {
  for (std::size_t t = 0; t < model.tables.size(); ++t) {
    const auto& table = *model.tables[t].table;
    std::string names;
    std::string places;
    for (const int position : model.tables[t].positions()) {
      names += (names.empty() ? "" : ", ") + quote_identifier(table.columns[static_cast<std::size_t>(position)].name);
      places += places.empty() ? "?" : ", ?";
    }
    auto insert = prepare(
        db, "INSERT OR IGNORE INTO main." + quote_identifier(table.name) + "(" + names + ") VALUES (" + places + ")");
    if (!insert.ok()) continue;
    for (const auto& row : instance.tables[t]) {
      for (std::size_t i = 0; i < row.size(); ++i)
        static_cast<void>(insert->bind(static_cast<int>(i) + 1, view(row[i])));
      static_cast<void>(insert->run());
    }
  }
}

// Deletes rows without parents: if a constraint rejected a row, its children are still there. Rows of tables without a
// rowid stay.
void drop_orphans(sqlite3* db) {
  for (bool has_orphans = true; has_orphans;) {
    has_orphans = false;
    std::vector<std::string> deletions;
    auto check = prepare(db, "SELECT DISTINCT \"table\", rowid FROM pragma_foreign_key_check WHERE rowid IS NOT NULL");
    if (!check.ok()) return;
    for (auto more = check->step(); more.ok() && *more; more = check->step())
      deletions.push_back("DELETE FROM " + quote_identifier(check->column_text(0)) +
                          " WHERE rowid = " + std::to_string(check->column_integer(1)));
    check->reset();
    for (const auto& deletion : deletions) has_orphans = execute(db, deletion).ok() || has_orphans;
  }
}

DatabaseMaker::DatabaseMaker(sqlite3* source, const Catalog& catalog, const std::vector<const plan::Plan*>& plans)
    : ddl_(ddl_of(source)), model_(equiv::DataModel::for_whole_schema(catalog)), pools_(model_) {
  for (const auto* plan : plans) {
    plan::ColumnReadings readings;
    readings.add(*plan);
    model_.note(readings);
    pools_.learn(*plan);
  }
  pools_.finish();
}

Database DatabaseMaker::make(Manner manner, std::uint64_t seed) const {
  using equiv::Deviation;
  using equiv::Deviations;
  sqlite3* db = nullptr;
  sqlite3_open(":memory:", &db);
  Database database(db);
  if (seed % 4 == 3) static_cast<void>(execute(db, "PRAGMA encoding = 'UTF-16le'"));
  static_cast<void>(execute(db, "BEGIN"));
  for (const auto& statement : ddl_) static_cast<void>(execute(db, statement));
  Random random(seed);
  equiv::RandomInstanceOptions how;
  how.deviations = manner == Manner::wild ? Deviations::all()
                                          : Deviations{Deviation::null, Deviation::empty, Deviation::letter_case};
  how.null_keys = manner == Manner::wild;
  how.null_share = 0.15 * static_cast<double>(random.below(3));
  how.max_rows = 2 + 3 * static_cast<std::size_t>(random.below(3));
  insert_rows(db, model_, equiv::random_instance(model_, pools_, how, random));
  if (manner == Manner::orderly) drop_orphans(db);
  static_cast<void>(execute(db, "COMMIT"));
  return database;
}

}  // namespace trustsql::testing_support
