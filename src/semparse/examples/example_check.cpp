#include "semparse/examples/example_check.hpp"

#include <vector>

#include "base/text.hpp"

namespace trustsql::semparse {

namespace {

// The columns that "table.column" or "column" may be.
std::vector<ColumnId> columns_of(const Domain& domain, std::string_view name) {
  const auto dot = name.rfind('.');
  std::vector<ColumnId> found;
  for (TableId table = 0; table < static_cast<TableId>(domain.tables().size()); ++table) {
    if (dot != std::string_view::npos && domain.find_table(name.substr(0, dot)) != table) continue;
    const auto column = domain.find_column(table, dot == std::string_view::npos ? name : name.substr(dot + 1));
    if (column != nothing) found.push_back(column);
  }
  return found;
}

// Whether a column holds a value; nullopt if it holds none at all, or cannot be read.
Result<std::optional<bool>> holds(const Domain& domain, ColumnId id, const std::string& value, Sandbox& sandbox) {
  const auto& column = domain.column(id);
  const auto& table = domain.table(column.table);
  const auto from = " FROM " + quote_identifier(table.schema) + "." + quote_identifier(table.name);
  const auto name = quote_identifier(column.name);
  const auto rows = sandbox.run("SELECT EXISTS (SELECT 1" + from + " WHERE " + name + " = " + value +
                                "), EXISTS (SELECT 1" + from + " WHERE " + name + " IS NOT NULL)");
  if (!rows.ok()) {
    if (ends_the_call(rows.error().code)) return rows.error();
    return std::optional<bool>();
  }
  if (rows->at(0, 1).integer == 0) return std::optional<bool>();
  return std::optional(rows->at(0, 0).integer != 0);
}

}  // namespace

Result<std::optional<MissingValue>> find_missing_value(const ExampleAnswer& answer, const Domain& domain,
                                                       Sandbox& sandbox) {
  for (const auto& slot : answer.slots) {
    if (!slot.equality) continue;
    const auto value = slot.number ? slot.value : quote_string(slot.value);
    std::optional<ColumnId> lacking;
    bool held = false;
    for (const auto id : columns_of(domain, slot.column)) {
      TRUSTSQL_ASSIGN_OR_RETURN(const auto found, holds(domain, id, value, sandbox));
      held = held || found == true;
      if (found == false && !lacking) lacking = id;
    }
    if (held || !lacking) continue;
    const auto& column = domain.column(*lacking);
    return std::optional(MissingValue{slot.words, domain.table(column.table).name + "." + column.name, *lacking});
  }
  return std::optional<MissingValue>();
}

}  // namespace trustsql::semparse
