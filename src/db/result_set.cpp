#include "db/result_set.hpp"

namespace trustsql {

void ResultSet::append(ValueView value) {
  Cell cell;
  cell.type = value.type;
  switch (value.type) {
    case ValueType::null: break;
    case ValueType::integer: cell.integer = value.integer; break;
    case ValueType::real: cell.real = value.real; break;
    case ValueType::text:
    case ValueType::blob:
      cell.offset = arena_.size();
      cell.length = static_cast<std::uint32_t>(value.bytes.size());
      arena_.append(value.bytes);
      break;
  }
  cells_.push_back(cell);
}

void ResultSet::truncate(std::size_t rows) {
  if (rows < row_count()) cells_.resize(rows * columns_);
}

}  // namespace trustsql
