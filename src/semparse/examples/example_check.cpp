#include "semparse/examples/example_check.hpp"

#include "base/text.hpp"

namespace trustsql::semparse {

namespace {

// "table.column", or "column" if one table alone has it.
ColumnId column_of(const Domain& domain, std::string_view name) {
  const auto dot = name.rfind('.');
  if (dot != std::string_view::npos) {
    const auto table = domain.find_table(name.substr(0, dot));
    return table == nothing ? nothing : domain.find_column(table, name.substr(dot + 1));
  }
  ColumnId found = nothing;
  for (TableId table = 0; table < static_cast<TableId>(domain.tables().size()); ++table) {
    const auto column = domain.find_column(table, name);
    if (column == nothing) continue;
    if (found != nothing) return nothing;
    found = column;
  }
  return found;
}

}  // namespace

Result<std::optional<MissingValue>> find_missing_value(const ExampleAnswer& answer, const Domain& domain,
                                                       Sandbox& sandbox) {
  for (const auto& slot : answer.slots) {
    if (!slot.equality) continue;
    const auto id = column_of(domain, slot.column);
    if (id == nothing) continue;
    const auto& column = domain.column(id);
    const auto& table = domain.table(column.table);
    const auto from = " FROM " + quote_identifier(table.schema) + "." + quote_identifier(table.name);
    const auto name = quote_identifier(column.name);
    const auto value = slot.number ? slot.value : quote_string(slot.value);
    const auto rows = sandbox.run("SELECT EXISTS (SELECT 1" + from + " WHERE " + name + " = " + value +
                                  "), EXISTS (SELECT 1" + from + " WHERE " + name + " IS NOT NULL)");
    if (!rows.ok()) {
      if (rows.error().code == ErrorCode::interrupted || rows.error().code == ErrorCode::out_of_memory)
        return rows.error();
      continue;
    }
    const bool holds = rows->at(0, 0).integer != 0;
    const bool has_rows = rows->at(0, 1).integer != 0;
    if (has_rows && !holds) return std::optional(MissingValue{slot.words, table.name + "." + column.name});
  }
  return std::optional<MissingValue>();
}

}  // namespace trustsql::semparse
