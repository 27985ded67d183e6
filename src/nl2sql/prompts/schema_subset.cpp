#include "nl2sql/prompts/schema_subset.hpp"

#include "base/text.hpp"

namespace trustsql::nl2sql {

SchemaSubset SchemaSubset::all(const Catalog& catalog) {
  constexpr std::string_view own = "trustsql_";
  SchemaSubset subset;
  const auto tables = catalog.tables();
  for (std::size_t t = 0; t < tables.size(); ++t) {
    const auto& table = tables[t];
    if (table.is_internal() || table.kind == Table::Kind::shadow_table || !table.error.empty()) continue;
    if (equals_ignore_case(std::string_view(table.name).substr(0, own.size()), own)) continue;
    auto& columns = subset.columns[t];
    for (std::size_t c = 0; c < table.columns.size(); ++c)
      if (!table.columns[c].hidden) columns.insert(columns.end(), c);
  }
  return subset;
}

}  // namespace trustsql::nl2sql
