// ResultSet: the rows of a query, in a compact typed form.
//
// Cells are stored row by row in one array, 16 bytes each; texts and blobs are stored in one arena. A result of r rows
// and c columns takes 16 * r * c bytes plus the bytes of its texts and blobs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/value.hpp"

namespace trustsql {

class ResultSet {
 public:
  ResultSet() = default;
  explicit ResultSet(std::vector<std::string> column_names)
      : column_names_(std::move(column_names)), columns_(column_names_.size()) {}

  std::size_t column_count() const { return columns_; }
  std::size_t row_count() const { return columns_ == 0 ? 0 : cells_.size() / columns_; }
  bool empty() const { return cells_.empty(); }
  const std::vector<std::string>& column_names() const { return column_names_; }

  // The cell at (row, column), valid while this object is neither changed nor destroyed.
  // Preconditions: row < row_count(), column < column_count().
  ValueView at(std::size_t row, std::size_t column) const { return view(cells_[row * columns_ + column]); }
  ValueType type_at(std::size_t row, std::size_t column) const { return cells_[row * columns_ + column].type; }

  // Appends the next cell of the row under construction; after column_count() calls a row is complete.
  void append(ValueView value) {
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
  // Drops all rows after the first `rows`.
  void truncate(std::size_t rows) {
    if (rows < row_count()) cells_.resize(rows * columns_);
  }

  // Bytes that cells and texts occupy (not what the vectors reserve).
  std::size_t byte_size() const { return cells_.size() * sizeof(Cell) + arena_.size(); }

 private:
  struct Cell {
    ValueType type = ValueType::null;
    std::uint32_t length = 0;  // for a text or blob; SQLite allows at most 2^31 - 1 bytes
    union {
      std::int64_t integer = 0;
      double real;
      std::uint64_t offset;
    };
  };
  static_assert(sizeof(Cell) == 16);

  ValueView view(const Cell& cell) const {
    ValueView v;
    v.type = cell.type;
    switch (cell.type) {
      case ValueType::null: break;
      case ValueType::integer: v.integer = cell.integer; break;
      case ValueType::real: v.real = cell.real; break;
      case ValueType::text:
      case ValueType::blob: v.bytes = std::string_view(arena_).substr(cell.offset, cell.length); break;
    }
    return v;
  }

  std::vector<std::string> column_names_;
  std::size_t columns_ = 0;
  std::vector<Cell> cells_;
  std::string arena_;
};

}  // namespace trustsql
