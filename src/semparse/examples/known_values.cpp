#include "semparse/examples/known_values.hpp"

#include "base/text.hpp"

namespace trustsql::semparse {

bool DatabaseValues::is(ColumnId id, std::string_view column) const {
  const auto& known = knowledge_.domain.column(id);
  const auto dot = column.rfind('.');
  if (dot == std::string_view::npos) return equals_ignore_case(known.name, column);
  return equals_ignore_case(known.name, column.substr(dot + 1)) &&
         equals_ignore_case(knowledge_.domain.table(known.table).name, column.substr(0, dot));
}

std::optional<std::string> DatabaseValues::find(std::string_view column, std::string_view text) const {
  std::optional<std::string> found;
  for (const auto& cell : knowledge_.values.find(text)) {
    if (!is(cell.column, column)) continue;
    if (equals_ignore_case(cell.text, text)) return std::string(cell.text);
    if (!found) found = std::string(cell.text);
  }
  return found;
}

bool DatabaseValues::is_complete(std::string_view column) const {
  bool any = false;
  for (ColumnId id = 0; id < static_cast<ColumnId>(knowledge_.domain.columns().size()); ++id) {
    if (!is(id, column)) continue;
    if (!knowledge_.values.is_complete(id)) return false;
    any = true;
  }
  return any;
}

}  // namespace trustsql::semparse
