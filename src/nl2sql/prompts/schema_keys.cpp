#include "nl2sql/prompts/schema_keys.hpp"

namespace trustsql::nl2sql {

void add_keys(const Catalog& catalog, const SchemaSubset& all, SchemaSubset& subset) {
  const auto add = [&](std::size_t table, std::size_t column) {
    if (all.columns.at(table).count(column) > 0) subset.columns[table].insert(column);
  };
  for (auto& [index, columns] : subset.columns) {
    const auto& table = catalog.tables()[index];
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
      if (table.columns[column].primary_key_position > 0) add(index, column);
    }
    for (const auto& key : table.foreign_keys) {
      const auto* parent = catalog.parent(table, key);
      if (parent == nullptr) continue;
      const auto parent_index = static_cast<std::size_t>(parent - catalog.tables().data());
      if (subset.columns.count(parent_index) == 0) continue;
      for (const int column : key.columns) add(index, static_cast<std::size_t>(column));
      for (const auto& name : key.parent_columns) {
        if (const auto column = parent->find_column(name)) add(parent_index, *column);
      }
    }
  }
}

}  // namespace trustsql::nl2sql
