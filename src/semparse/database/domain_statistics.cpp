// Domain: what the columns hold.

#include <algorithm>

#include "base/text.hpp"
#include "semparse/database/data_kind.hpp"
#include "semparse/database/domain.hpp"

namespace trustsql::semparse {

Status Domain::read_statistics(Sandbox& sandbox, const DomainOptions& options) {
  constexpr std::size_t columns_at_once = 50;
  constexpr std::size_t statistics = 7;  // of a column
  constexpr std::string_view none = "max(lower(";
  constexpr std::string_view parts[] = {"count(", "sum(typeof(", "min(", "max(", "count(DISTINCT ", "total(", none};
  constexpr std::int64_t least_values = 3;   // to say that they do not tell rows apart
  constexpr std::int64_t enough_values = 8;  // to say that they repeat
  for (auto& table : tables_) {
    for (auto begin = table.first_column; begin < table.last_column; begin += static_cast<int>(columns_at_once)) {
      const auto end = std::min(table.last_column, begin + static_cast<int>(columns_at_once));
      std::string list;
      std::string sql = "SELECT ";
      for (ColumnId id = begin; id < end; ++id) {
        const auto name = quote_identifier(column(id).name);
        for (const auto part : parts) {
          if (sql.back() == ')') sql += ", ";
          sql += part;
          sql += name;
          sql += part.starts_with("sum")     ? ") IN ('integer', 'real'))"
                 : part.starts_with("total") ? " = '')"
                 : part == none ? ") IN ('none', 'n/a', 'na', 'null', 'nil', '-', 'no', 'n', 'false', 'never'))"
                                : ")";
        }
        list += (list.empty() ? "" : ", ") + name;
      }
      sql += ", count(*) FROM (SELECT " + list + " FROM " + quote_identifier(table.schema) + "." +
             quote_identifier(table.name) + " LIMIT " + std::to_string(options.max_rows) + ")";
      const auto result = sandbox.run(sql);
      if (!result.ok()) {
        if (ends_the_call(result.error().code)) return result.error();
        continue;
      }
      if (result->row_count() != 1) continue;
      const auto rows = result->at(0, static_cast<std::size_t>(end - begin) * statistics).integer;
      for (ColumnId id = begin; id < end; ++id) {
        auto& column = columns_[static_cast<std::size_t>(id)];
        const auto base = static_cast<std::size_t>(id - begin) * statistics;
        const auto values = result->at(0, base).integer;
        const auto numbers = result->at(0, base + 1);
        const auto low = result->at(0, base + 2);
        const auto high = result->at(0, base + 3);
        column.has_nulls = values < rows;
        column.has_blanks = result->at(0, base + 5).real > 0;
        column.has_none = !result->at(0, base + 6).is_null() && result->at(0, base + 6).integer > 0;
        const auto declared = column.kind;
        const auto found = kind_of(column, {}, low, high, numbers.is_null() ? 0 : numbers.integer, values);
        if (values > 0 && declared != DataKind::date && declared != DataKind::boolean) column.kind = found;
        column.min = number_of(low);
        column.max = number_of(high);
        column.has_text_numbers = column.kind == DataKind::number && low.type == ValueType::text;
        column.is_binary = low.type == ValueType::integer && high.type == ValueType::integer && low.integer == 0 &&
                           high.integer == 1 && result->at(0, base + 4).integer == 2;
        column.shared = values >= least_values && result->at(0, base + 4).integer < values;
        column.repeats = values >= enough_values && result->at(0, base + 4).integer * 2 < values;
        const bool texts = low.type == ValueType::text && high.type == ValueType::text;
        column.has_iso_dates =
            column.kind == DataKind::date && texts && is_iso_date_text(low.bytes) && is_iso_date_text(high.bytes);
        column.has_unsorted_dates = texts && !column.has_iso_dates && ends_with_year(low.bytes) &&
                                    ends_with_year(high.bytes) &&
                                    (column.kind == DataKind::date || says_date(column.words));
        column.has_times = column.has_iso_dates && high.bytes.size() > iso_date_size;
      }
    }
  }
  return read_text_numbers(sandbox, options);
}

Status Domain::read_text_numbers(Sandbox& sandbox, const DomainOptions& options) {
  for (auto& column : columns_) {
    if (!column.has_text_numbers) continue;
    const auto& of = table(column.table);
    const auto name = quote_identifier(column.name);
    // What lies between the lowest and the highest text may be no number: '10 years' between '1' and '5'.
    std::string sql = "SELECT sum(";
    sql.append(name).append(" GLOB '*[^-+0-9.eE ]*'), min(length(").append(name).append(")), max(length(");
    sql.append(name).append(")) FROM (SELECT ").append(name).append(" FROM ");
    sql.append(quote_identifier(of.schema)).append(".").append(quote_identifier(of.name)).append(" WHERE ");
    sql.append(name).append(" <> '' LIMIT ").append(std::to_string(options.max_rows)).append(")");
    const auto result = sandbox.run(sql);
    if (!result.ok()) {
      if (ends_the_call(result.error().code)) return result.error();
      continue;
    }
    if (result->row_count() != 1 || result->at(0, 1).is_null()) continue;
    if (result->at(0, 0).integer > 0) column.kind = DataKind::text;
    if (result->at(0, 1).integer == result->at(0, 2).integer) column.text_length = result->at(0, 1).integer;
  }
  return ok_status();
}

}  // namespace trustsql::semparse
