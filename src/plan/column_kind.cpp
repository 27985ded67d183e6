#include "plan/column_kind.hpp"

#include "base/text.hpp"
#include "db/catalog/catalog.hpp"

namespace trustsql::plan {

ColumnKind kind_of(const trustsql::Column& column) {
  const auto says = [&](const char* word) { return contains_ignore_case(column.declared_type, word); };
  if (column.enforced_type == ValueType::integer) return ColumnKind::integer;
  switch (column.affinity) {
    case Affinity::integer: return ColumnKind::integer;
    case Affinity::real: return ColumnKind::real;
    case Affinity::text: return ColumnKind::text;
    case Affinity::numeric:
      if (says("datetime") || says("timestamp")) return ColumnKind::datetime;
      if (says("date")) return ColumnKind::date;
      if (says("time")) return ColumnKind::time;
      if (says("bool")) return ColumnKind::boolean;
      if (says("num") || says("dec") || says("money")) return ColumnKind::number;
      return ColumnKind::any;
    case Affinity::none:
    case Affinity::blob: break;
  }
  return ColumnKind::any;
}

}  // namespace trustsql::plan
