#include "score/set_match/schema.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "base/text.hpp"

namespace trustsql::set_match {

namespace {

bool is_seen(const Table& table) {
  return table.schema == "main" && table.kind != Table::Kind::view && table.name != "sqlite_schema" &&
         table.name != "sqlite_master";
}

}  // namespace

Schema::Schema(const Catalog& catalog) {
  for (const auto& table : catalog.tables()) {
    if (!is_seen(table)) continue;
    const int table_index = static_cast<int>(table_names_.size());
    table_names_.push_back(to_lower_ascii(table.name));
    tables_.emplace(table_names_.back(), table_index);
    for (const auto& column : table.columns) {
      names_.push_back(to_lower_ascii(column.name));
      columns_.emplace(table_names_.back() + '.' + names_.back(), static_cast<int>(table_of_.size()));
      table_of_.push_back(table_index);
    }
  }
  representative_.resize(names_.size());
  std::iota(representative_.begin(), representative_.end(), 0);
  unite(catalog);
}

std::optional<int> Schema::find(const Indexes& indexes, std::string_view name) {
  const auto entry = indexes.find(std::string(name));
  return entry == indexes.end() ? std::nullopt : std::optional(entry->second);
}

std::optional<int> Schema::find_column(int table, std::string_view column) const {
  return find(columns_, table_names_[index(table)] + '.' + std::string(column));
}

void Schema::unite(const Catalog& catalog) {
  std::vector<std::set<int>> groups;
  for (const auto& table : catalog.tables()) {
    if (!is_seen(table)) continue;
    for (const auto& key : table.foreign_keys) {
      for (std::size_t i = 0; i < std::min(key.columns.size(), key.parent_columns.size()); ++i) {
        const auto& child_name = table.columns[static_cast<std::size_t>(key.columns[i])].name;
        const auto child = find_column(to_lower_ascii(table.name + '.' + child_name));
        const auto parent = find_column(to_lower_ascii(key.parent_table + '.' + key.parent_columns[i]));
        if (!child || !parent) continue;
        auto group = std::find_if(groups.begin(), groups.end(),
                                  [&](const auto& g) { return g.contains(*child) || g.contains(*parent); });
        if (group == groups.end()) group = groups.emplace(groups.end());
        group->insert({*child, *parent});
      }
    }
  }
  // A column that is in two groups is represented by the later one.
  for (const auto& group : groups)
    for (const int column : group) representative_[index(column)] = *group.begin();
}

}  // namespace trustsql::set_match
