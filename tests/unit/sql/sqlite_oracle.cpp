#include "unit/sql/sqlite_oracle.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace trustsql::testing_support {

Prepared prepare(sqlite3* db, const std::string& sql) {
  Prepared prepared;
  sqlite3_set_authorizer(
      db,
      [](void* data, int action, const char* table, const char* column, const char*, const char*) {
        if (action == SQLITE_READ) static_cast<Prepared*>(data)->reads.emplace(to_lower_ascii(table), to_lower_ascii(column));
        return SQLITE_OK;
      },
      &prepared);
  sqlite3_stmt* statement = nullptr;
  prepared.ok = sqlite3_prepare_v2(db, sql.c_str(), static_cast<int>(sql.size()), &statement, nullptr) == SQLITE_OK;
  if (!prepared.ok) prepared.message = sqlite3_errmsg(db);
  for (int i = 0; i < sqlite3_column_count(statement); ++i) prepared.names.emplace_back(sqlite3_column_name(statement, i));
  sqlite3_finalize(statement);
  sqlite3_set_authorizer(db, nullptr, nullptr);
  return prepared;
}

void drop_empty_columns(std::set<Element>& reads) {
  std::erase_if(reads, [&](const Element& element) {
    const auto& [table, column] = element;
    return column.empty() && std::any_of(reads.begin(), reads.end(), [&](const Element& e) { return e.first == table && !e.second.empty(); });
  });
}

std::string difference(const std::set<Element>& sqlite, const std::set<Element>& ours) {
  std::string text;
  for (const auto& [table, column] : sqlite) {
    if (ours.count({table, column}) == 0) text += " -" + table + "." + column;
  }
  for (const auto& [table, column] : ours) {
    if (sqlite.count({table, column}) == 0) text += " +" + table + "." + column;
  }
  return text;
}

}  // namespace trustsql::testing_support
