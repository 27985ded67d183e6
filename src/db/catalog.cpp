#include "db/catalog.hpp"

#include "base/text.hpp"

namespace trustsql {

int CatalogTable::find(std::string_view column) const {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (equals_ignore_case(columns[i].name, column)) return static_cast<int>(i);
  }
  return -1;
}

const CatalogTable* CatalogSchema::find(std::string_view table) const {
  for (const auto& candidate : tables) {
    if (equals_ignore_case(candidate.name, table)) return &candidate;
  }
  return nullptr;
}

const CatalogSchema* Catalog::find_schema(std::string_view name) const {
  for (const auto& schema : schemas) {
    if (equals_ignore_case(schema.name, name)) return &schema;
  }
  return nullptr;
}

}  // namespace trustsql
