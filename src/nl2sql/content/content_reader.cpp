#include "nl2sql/content/content_reader.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

#include "base/random.hpp"
#include "base/text.hpp"

namespace trustsql::nl2sql {

namespace {

std::string from(const Table& table) { return quote_identifier(table.schema) + "." + quote_identifier(table.name); }

// A name under which the rowid can be read; nullopt if there is none.
std::optional<std::string_view> rowid_name(const Table& table) {
  if (!table.has_rowid() || table.kind != Table::Kind::table) return std::nullopt;
  for (const std::string_view name : {"rowid", "_rowid_", "oid"})
    if (!table.find_column(name)) return name;
  return std::nullopt;
}

std::string in_order(const Table& table) {
  const auto rowid = rowid_name(table);
  return rowid ? " ORDER BY " + std::string(*rowid) : std::string();
}

// The first `count` rows of `first`, then all rows of `second`.
std::shared_ptr<const ResultSet> joined(const ResultSet& first, std::size_t count, const ResultSet& second) {
  auto joined_rows = std::make_shared<ResultSet>(first.column_names());
  const auto add = [&](const ResultSet& rows, std::size_t end) {
    for (std::size_t i = 0; i < end; ++i)
      for (std::size_t j = 0; j < rows.column_count(); ++j) joined_rows->append(rows.at(i, j));
  };
  add(first, std::min(count, first.row_count()));
  add(second, second.row_count());
  return joined_rows;
}

}  // namespace

Result<ContentReader> ContentReader::open(SandboxSource& source, const Catalog& catalog, ContentCache& cache,
                                          std::function<bool()> stop, const ContentLimits& limits) {
  TRUSTSQL_ASSIGN_OR_RETURN(auto lease, source.lease());
  const auto stopped = std::make_shared<bool>(false);
  lease->set_stop([stopped, stop = std::move(stop), deadline = std::chrono::steady_clock::now() + limits.time] {
    *stopped = *stopped || (stop && stop());
    return *stopped || std::chrono::steady_clock::now() > deadline;
  });
  TRUSTSQL_ASSIGN_OR_RETURN(auto transaction, ReadTransaction::begin(*lease));
  return ContentReader(std::move(lease), std::move(transaction), source.identity(), catalog, cache, stopped, limits);
}

std::vector<std::size_t> ContentReader::columns(std::size_t table) const {
  std::vector<std::size_t> visible;
  const auto& columns = catalog_.tables()[table].columns;
  for (std::size_t c = 0; c < columns.size(); ++c)
    if (!columns[c].hidden) visible.push_back(c);
  return visible;
}

// All visible columns; long texts and blobs are cut before they are copied.
std::string ContentReader::select_list(const Table& table) const {
  std::string list;
  for (const auto& column : table.columns) {
    if (column.hidden) continue;
    const auto name = quote_identifier(column.name);
    if (!list.empty()) list += ", ";
    list += "CASE WHEN typeof(" + name + ") IN ('text', 'blob') THEN substr(" + name + ", 1, " +
            std::to_string(limits_.text_length) + ") ELSE " + name + " END";
  }
  return list;
}

Result<TableRows> ContentReader::read(const std::string& sql) {
  TableRows read;
  read.rows = std::make_shared<const ResultSet>();
  auto execution = std::chrono::steady_clock::now() > deadline_
                       ? Execution(Error{ErrorCode::interrupted, {}})
                       : cache_.results().run(*lease_, source_identity_, version(), sql);
  if (execution.ok()) {
    read.rows = *execution;
    read.total = static_cast<std::int64_t>(read.rows->row_count());
  } else if (execution.error().code == ErrorCode::interrupted) {
    if (*stopped_) return std::move(execution).error();
    read.error = "no time was left to read it";
  } else {
    read.error = execution.error().message;
  }
  return read;
}

Result<TableRows> ContentReader::first_rows(std::size_t index, std::size_t count) {
  const auto& table = catalog_.tables()[index];
  return read("SELECT " + select_list(table) + " FROM " + from(table) + in_order(table) + " LIMIT " +
              std::to_string(count));
}

Result<TableRows> ContentReader::candidates(std::size_t index) {
  const auto& table = catalog_.tables()[index];
  TRUSTSQL_ASSIGN_OR_RETURN(auto rows, first_rows(index, limits_.candidates + 1));
  if (rows.rows->row_count() <= limits_.candidates) return rows;

  TRUSTSQL_ASSIGN_OR_RETURN(const auto counted, read("SELECT count(*) FROM (SELECT 1 FROM " + from(table) + " LIMIT " +
                                                     std::to_string(limits_.counted + 1) + ")"));
  if (counted.error.empty() && !counted.rows->empty()) rows.total = counted.rows->at(0, 0).integer;
  rows.total_is_exact = counted.error.empty() && rows.total <= limits_.counted;
  if (!rows.total_is_exact) rows.total = std::min(rows.total, limits_.counted);
  TRUSTSQL_RETURN_IF_ERROR(add_probes(table, rows));
  return rows;
}

// Replaces the second half of the candidates by rows at random positions after the first half.
Status ContentReader::add_probes(const Table& table, TableRows& rows) {
  const std::size_t half = limits_.candidates / 2;
  auto kept = std::make_shared<ResultSet>(*rows.rows);
  kept->truncate(limits_.candidates);
  rows.rows = kept;
  const auto rowid = rowid_name(table);
  if (!rowid || half == 0) return ok_status();

  const std::string id(*rowid);
  TRUSTSQL_ASSIGN_OR_RETURN(
      const auto range, read("SELECT (SELECT " + id + " FROM " + from(table) + " ORDER BY " + id + " LIMIT 1 OFFSET " +
                             std::to_string(half) + "), (SELECT max(" + id + ") FROM " + from(table) + ")"));
  if (range.rows->empty() || range.rows->type_at(0, 0) != ValueType::integer ||
      range.rows->type_at(0, 1) != ValueType::integer)
    return ok_status();
  const auto low = static_cast<std::uint64_t>(range.rows->at(0, 0).integer);
  const auto width = static_cast<std::uint64_t>(range.rows->at(0, 1).integer) - low;

  // One random position in each of `half` equal parts of the range; the same positions each time.
  Random random(0);
  std::set<std::int64_t> places;
  const std::uint64_t step = std::max<std::uint64_t>(1, width / half);
  for (std::uint64_t i = 0; i < half && i <= width / step; ++i)
    places.insert(static_cast<std::int64_t>(low + i * step + random.below(step)));
  std::string values;
  for (const auto place : places) values += (values.empty() ? "(" : ", (") + std::to_string(place) + ")";
  const std::string ids = "SELECT (SELECT min(" + id + ") FROM " + from(table) + " WHERE " + id +
                          " >= p.column1) FROM (VALUES " + values + ") AS p";
  TRUSTSQL_ASSIGN_OR_RETURN(const auto probed, read("SELECT " + select_list(table) + " FROM " + from(table) +
                                                    " WHERE " + id + " IN (" + ids + ") ORDER BY " + id));
  if (probed.error.empty()) rows.rows = joined(*kept, half, *probed.rows);
  return ok_status();
}

Result<std::vector<std::vector<Value>>> ContentReader::distinct_values(std::size_t index, std::size_t count) {
  // For most columns the first rows contain enough values; only the others are searched one by one.
  constexpr std::size_t first_row_count = 100;
  const auto& table = catalog_.tables()[index];
  const auto visible = columns(index);
  std::vector<std::vector<Value>> values(visible.size());
  TRUSTSQL_ASSIGN_OR_RETURN(const auto first, first_rows(index, first_row_count));
  const auto add = [&](std::vector<Value>& distinct, ValueView value) {
    if (value.is_null() || distinct.size() >= count) return;
    if (std::none_of(distinct.begin(), distinct.end(), [&](const Value& v) { return equal(view(v), value); }))
      distinct.push_back(to_value(value));
  };
  for (std::size_t row = 0; row < first.rows->row_count(); ++row)
    for (std::size_t column = 0; column < visible.size(); ++column) add(values[column], first.rows->at(row, column));
  if (first.rows->row_count() < first_row_count) return values;

  for (std::size_t column = 0; column < visible.size(); ++column) {
    if (values[column].size() >= count) continue;
    const auto name = quote_identifier(table.columns[visible[column]].name);
    const auto bytes = std::to_string(limits_.text_length);
    TRUSTSQL_ASSIGN_OR_RETURN(
        const auto values_read,
        read("SELECT DISTINCT CASE WHEN typeof(x) IN ('text', 'blob') THEN substr(x, 1, " + bytes +
             ") ELSE x END FROM (SELECT " + name + " AS x FROM " + from(table) + in_order(table) + " LIMIT " +
             std::to_string(limits_.distinct_scanned) + ") WHERE x IS NOT NULL LIMIT " + std::to_string(count)));
    for (std::size_t row = 0; row < values_read.rows->row_count(); ++row)
      add(values[column], values_read.rows->at(row, 0));
  }
  return values;
}

}  // namespace trustsql::nl2sql
