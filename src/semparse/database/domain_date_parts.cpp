// Date parts: the years and months of dates as columns.
#include <utility>

#include "semparse/database/domain.hpp"

namespace trustsql::semparse {

Domain Domain::with_date_parts(const std::vector<DatePart>& parts) const {
  Domain domain = *this;
  for (const auto& part : parts) {
    DomainColumn column;
    column.name = this->column(part.date).name;
    column.words = {part.unit == DateUnit::year ? "year" : "month"};
    column.all_words = column.words;
    column.table = this->column(part.date).table;
    column.kind = DataKind::text;
    column.shared = true;
    column.has_nulls = this->column(part.date).has_nulls;
    column.part_of = part;
    domain.columns_.push_back(std::move(column));
  }
  return domain;
}

}  // namespace trustsql::semparse
