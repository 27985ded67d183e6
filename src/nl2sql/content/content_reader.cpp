#include "nl2sql/content/content_reader.hpp"

#include <algorithm>
#include <optional>
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

}  // namespace

ContentLimits ContentLimits::of(std::size_t ranked_rows) {
  constexpr std::size_t rows_per_ms = 50;
  ContentLimits limits;
  limits.ranked_rows = ranked_rows;
  limits.time += std::chrono::milliseconds(ranked_rows / rows_per_ms);
  return limits;
}

Result<ContentReader> ContentReader::open(SandboxSource& source, const Catalog& catalog, ContentCache& cache,
                                          std::function<bool()> stop, const ContentLimits& limits) {
  TRUSTSQL_ASSIGN_OR_RETURN(auto lease, source.lease());
  const auto clock = std::make_shared<Clock>(Clock{.deadline = std::chrono::steady_clock::now() + limits.time});
  lease->set_stop([clock, stop = std::move(stop)] {
    clock->stopped = clock->stopped || (stop && stop());
    return clock->stopped || std::chrono::steady_clock::now() > clock->deadline;
  });
  TRUSTSQL_ASSIGN_OR_RETURN(auto transaction, ReadTransaction::begin(*lease));
  return ContentReader(std::move(lease), std::move(transaction), source.identity(), catalog, cache, clock, limits);
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
  auto execution = std::chrono::steady_clock::now() > clock_->deadline
                       ? Execution(Error{ErrorCode::interrupted, {}})
                       : cache_.results().run(*lease_, source_identity_, version(), sql);
  if (execution.ok()) {
    read.rows = *execution;
    read.total = static_cast<std::int64_t>(read.rows->row_count());
  } else if (execution.error().code == ErrorCode::interrupted) {
    if (clock_->stopped) return std::move(execution).error();
    read.error = "no time was left to read it";
  } else if (execution.error().code == ErrorCode::out_of_memory) {
    return std::move(execution).error();
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

// At most half of the rows that are read, so that a big table is recognised in time.
std::size_t ContentReader::page_size() const {
  return std::min(limits_.page_rows, limits_.ranked_rows - limits_.ranked_rows / 2);
}

RowPages ContentReader::pages(std::size_t table) const {
  RowPages pages;
  pages.table_ = table;
  pages.sequential_ = limits_.ranked_rows;
  return pages;
}

Result<RowPage> ContentReader::next_page(RowPages& pages) {
  const auto rowid = rowid_name(catalog_.tables()[pages.table_]);
  if (pages.read_ < pages.sequential_) {
    const auto count = std::to_string(std::min(page_size(), pages.sequential_ - pages.read_));
    const auto condition =
        pages.last_rowid_ ? " WHERE " + std::string(*rowid) + " > " + std::to_string(*pages.last_rowid_) : "";
    const auto offset = !rowid && pages.read_ > 0 ? " OFFSET " + std::to_string(pages.read_) : std::string();
    const bool is_first = pages.read_ == 0;
    TRUSTSQL_ASSIGN_OR_RETURN(auto page, read_page(pages, condition, " LIMIT " + count + offset));
    if (is_first) TRUSTSQL_RETURN_IF_ERROR(look_at_size(pages, page));
    if (!page.rows->empty() || pages.places_.empty()) return page;
  }
  while (pages.next_place_ < pages.places_.size()) {
    const auto& place = pages.places_[pages.next_place_++];
    const auto id = std::string(*rowid);
    auto condition = " WHERE " + id + " >= " + std::to_string(place.from);
    if (place.until) condition += " AND " + id + " < " + std::to_string(*place.until);
    TRUSTSQL_ASSIGN_OR_RETURN(auto page, read_page(pages, condition, " LIMIT " + std::to_string(place.rows)));
    if (!page.rows->empty()) return page;
  }
  return RowPage{std::make_shared<const ResultSet>(), {}};
}

// Reads the rows where `condition` holds, in the order of the table. A failure ends the pages.
Result<RowPage> ContentReader::read_page(RowPages& pages, const std::string& condition, const std::string& bounds) {
  const auto& table = catalog_.tables()[pages.table_];
  const auto rowid = rowid_name(table);
  RowPage page;
  page.query = "SELECT " + select_list(table) + (rowid ? ", " + std::string(*rowid) : std::string()) + " FROM " +
               from(table) + condition + in_order(table) + bounds;
  TRUSTSQL_ASSIGN_OR_RETURN(auto rows, read(page.query));
  page.rows = std::move(rows.rows);
  pages.read_ += page.rows->row_count();
  if (rowid && !page.rows->empty())
    pages.last_rowid_ = page.rows->at(page.rows->row_count() - 1, page.rows->column_count() - 1).integer;
  if (!rows.error.empty()) {
    pages.error = std::move(rows.error);
    pages.has_all = false;
    pages.sequential_ = 0;
    pages.places_.clear();
  }
  return page;
}

// Finds out how many rows the table has, and plans the pages of a big one.
Status ContentReader::look_at_size(RowPages& pages, const RowPage& first) {
  pages.total = static_cast<std::int64_t>(first.rows->row_count());
  if (first.rows->row_count() < page_size() || !pages.error.empty()) return ok_status();
  const auto& table = catalog_.tables()[pages.table_];
  const auto most = std::max(limits_.counted, static_cast<std::int64_t>(limits_.ranked_rows));
  TRUSTSQL_ASSIGN_OR_RETURN(const auto counted, read("SELECT count(*) FROM (SELECT 1 FROM " + from(table) + " LIMIT " +
                                                     std::to_string(most + 1) + ")"));
  const bool is_counted = counted.error.empty() && !counted.rows->empty();
  if (is_counted) pages.total = std::min(counted.rows->at(0, 0).integer, most);
  pages.total_is_exact = is_counted && counted.rows->at(0, 0).integer <= most;
  pages.has_all = pages.total_is_exact && pages.total <= static_cast<std::int64_t>(limits_.ranked_rows);
  return pages.has_all || !rowid_name(table) ? ok_status() : add_places(pages);
}

// Replaces the second half of the rows that are read by rows at random positions after the first half.
Status ContentReader::add_places(RowPages& pages) {
  constexpr std::size_t least_places = 50;
  const std::size_t half = limits_.ranked_rows / 2;
  const std::size_t rows = std::clamp<std::size_t>(half / least_places, 1, limits_.page_rows);
  const std::size_t count = half / rows;
  if (count == 0) return ok_status();

  const auto& table = catalog_.tables()[pages.table_];
  const std::string id(*rowid_name(table));
  const std::size_t after_half = limits_.ranked_rows - half;
  TRUSTSQL_ASSIGN_OR_RETURN(
      const auto range, read("SELECT (SELECT " + id + " FROM " + from(table) + " ORDER BY " + id + " LIMIT 1 OFFSET " +
                             std::to_string(after_half) + "), (SELECT max(" + id + ") FROM " + from(table) + ")"));
  if (range.rows->empty() || range.rows->type_at(0, 0) != ValueType::integer ||
      range.rows->type_at(0, 1) != ValueType::integer)
    return ok_status();
  const auto low = static_cast<std::uint64_t>(range.rows->at(0, 0).integer);
  const auto width = static_cast<std::uint64_t>(range.rows->at(0, 1).integer) - low;

  // One random position in each of `count` equal parts of the range; the same positions each time.
  Random random(0);
  const std::uint64_t step = std::max<std::uint64_t>(1, width / count);
  for (std::uint64_t i = 0; i < count && i <= width / step; ++i) {
    RowPages::Range place{
        .from = static_cast<std::int64_t>(low + i * step + random.below(step)), .until = {}, .rows = rows};
    if (!pages.places_.empty()) pages.places_.back().until = place.from;
    pages.places_.push_back(place);
  }
  pages.sequential_ = after_half;
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
