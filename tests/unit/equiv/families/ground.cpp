#include "unit/equiv/families/ground.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "base/text.hpp"
#include "db/catalog/catalog_reader.hpp"
#include "equiv/refuter/data_model.hpp"

namespace trustsql::families {

namespace {

constexpr int patience_of_replays = 5000;  // counterexamples may have groups of a hundred rows
constexpr std::size_t max_rows = 3000;

Value value_at(sqlite3_stmt* statement, int column) {
  const auto bytes = [&](const void* data) {
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, column));
    return size == 0 ? std::string() : std::string(static_cast<const char*>(data), size);
  };
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER: return sqlite3_column_int64(statement, column);
    case SQLITE_FLOAT: return sqlite3_column_double(statement, column);
    case SQLITE_TEXT: return bytes(sqlite3_column_text(statement, column));
    case SQLITE_BLOB: return Blob{bytes(sqlite3_column_blob(statement, column))};
    default: return {};
  }
}

std::uint64_t hash_at(sqlite3_stmt* statement, int column) {
  const auto bytes = [&](const void* data, std::uint64_t seed) {
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, column));
    return size == 0 ? seed : hash_bytes({static_cast<const char*>(data), size}, seed);
  };
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER: return mix64(static_cast<std::uint64_t>(sqlite3_column_int64(statement, column)) ^ 0x11);
    case SQLITE_FLOAT: {
      const double value = sqlite3_column_double(statement, column);
      return mix64(std::bit_cast<std::uint64_t>(value == 0 ? 0.0 : value) ^ 0x2222);
    }
    case SQLITE_TEXT: return bytes(sqlite3_column_text(statement, column), 0x333333);
    case SQLITE_BLOB: return bytes(sqlite3_column_blob(statement, column), 0x44444444);
    default: return 0x5555555555;
  }
}

// Stops a query that takes too long.
class Patience {
 public:
  Patience(sqlite3* db, int patience) : db_(db), left_(patience) {
    sqlite3_progress_handler(
        db, 1000, [](void* left) { return --*static_cast<int*>(left) < 0 ? 1 : 0; }, &left_);
  }
  Patience(const Patience&) = delete;
  Patience& operator=(const Patience&) = delete;
  ~Patience() { sqlite3_progress_handler(db_, 0, nullptr, nullptr); }

 private:
  sqlite3* db_;
  int left_;
};

// What a column with this declared type should hold; empty: anything.
std::set<ValueType> declared(const std::string& type) {
  if (type == "INT" || type == "INTEGER") return {ValueType::integer};
  if (type == "REAL") return {ValueType::real};
  if (type == "NUMERIC") return {ValueType::integer, ValueType::real};
  if (type == "TEXT" || type == "VARCHAR(10)") return {ValueType::text};
  return {};
}

ValueType type_of_literal(const std::string& literal) {
  if (literal == "NULL") return ValueType::null;
  if (literal[0] == '\'') return ValueType::text;
  if (literal[0] == 'X') return ValueType::blob;
  return literal.find_first_of(".e") == std::string::npos ? ValueType::integer : ValueType::real;
}

class FillingMaker {
 public:
  FillingMaker(const Schema& schema, const std::vector<std::string>& values, Picker& picker)
      : schema_(schema), pool_(values), picker_(picker) {
    typed_ = picker.chance(50);
    null_percent_ = picker.chance(50) ? 0 : picker.chance(50) ? 15 : 35;
    null_keys_ = picker.chance(40);
    orphans_ = picker.chance(60);
    empty_percent_ = picker.chance(50) ? 0 : 25;
    max_rows_ = 1 + picker.below(4);
    while (pool_.size() > 2 && picker.chance(40))
      pool_.erase(pool_.begin() + static_cast<std::ptrdiff_t>(picker.below(pool_.size())));
  }

  Filling make() {
    Filling filling;
    for (const auto& table : schema_.tables) {
      if (picker_.chance(empty_percent_)) continue;
      const std::size_t rows = 1 + picker_.below(max_rows_);
      for (std::size_t i = 0; i < rows; ++i) filling.push_back(row_of(table));
      if (picker_.chance(15)) filling.push_back(filling.back());
    }
    return filling;
  }

 private:
  std::string value_of(const Table& table, const Column& column) {
    const bool is_key = std::ranges::find(table.primary_key, column.name) != table.primary_key.end();
    if (picker_.chance(null_percent_) && (!is_key || null_keys_)) return "NULL";
    // In an INTEGER PRIMARY KEY too, which would reject most values.
    const auto types = declared(column.type);
    if (types.empty() || (!typed_ && !table.strict && !(is_key && column.type == "INTEGER"))) return picker_.of(pool_);
    std::vector<std::string> fitting;
    for (const auto& value : pool_) {
      if (types.contains(type_of_literal(value)) ||
          (column.type == "REAL" && type_of_literal(value) == ValueType::integer))
        fitting.push_back(value);
    }
    if (types.contains(ValueType::text)) {
      for (const auto* usual : {"'a'", "'1'"}) fitting.emplace_back(usual);
    } else {
      for (const auto* usual : {"1", "2"}) fitting.emplace_back(usual);
    }
    return picker_.of(fitting);
  }

  std::string row_of(const Table& table) {
    std::map<std::string, std::string> row;
    for (const auto& column : table.columns) {
      if (!column.generated) row[column.name] = value_of(table, column);
    }
    if (!orphans_) {
      for (const auto& key : table.foreign_keys) {
        const auto& parents = rows_[key.parent];
        if (parents.empty()) {
          row[key.columns.front()] = "NULL";
          continue;
        }
        const auto& parent = picker_.of(parents);
        for (std::size_t i = 0; i < key.columns.size(); ++i) row[key.columns[i]] = parent.at(key.parent_columns[i]);
      }
    }
    rows_[table.name].push_back(row);
    std::string names;
    std::string values;
    for (const auto& [name, value] : row) {
      names += (names.empty() ? "" : ", ") + name;
      values += (values.empty() ? "" : ", ") + value;
    }
    return "INSERT OR IGNORE INTO " + table.name + "(" + names + ") VALUES (" + values + ")";
  }

  const Schema& schema_;
  std::vector<std::string> pool_;
  Picker& picker_;
  std::map<std::string, std::vector<std::map<std::string, std::string>>> rows_;
  bool typed_ = false;
  bool null_keys_ = false;
  bool orphans_ = false;
  int null_percent_ = 0;
  int empty_percent_ = 0;
  std::size_t max_rows_ = 1;
};

}  // namespace

std::vector<Filling> random_fillings(const Schema& schema, const std::vector<std::string>& values, int count,
                                     Picker& picker) {
  std::vector<Filling> fillings;
  for (int i = 0; i < count; ++i) fillings.push_back(FillingMaker(schema, values, picker).make());
  return fillings;
}

std::unique_ptr<Ground> Ground::create(const Schema& schema) { return replay(schema, schema.ddl()); }

std::unique_ptr<Ground> Ground::replay(const Schema& schema, const std::string& script) {
  sqlite3* opened = nullptr;
  sqlite3_open(":memory:", &opened);
  testing_support::Database db(opened);
  if (sqlite3_exec(opened, script.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) return nullptr;
  auto catalog = read_catalog(opened);
  if (!catalog.ok()) return nullptr;
  std::unique_ptr<Ground> ground(new Ground(schema, std::move(db), *std::move(catalog)));
  ground->patience_ = patience_of_replays;
  return ground;
}

Prepared Ground::prepare(const std::string& sql) const {
  sqlite3_stmt* statement = nullptr;
  sqlite3_prepare_v2(db_.get(), sql.c_str(), -1, &statement, nullptr);
  return Prepared(statement);
}

Filling Ground::fill(const Filling& filling) {
  Filling stored;
  sqlite3_exec(db_.get(), "BEGIN", nullptr, nullptr, nullptr);
  for (const auto& table : schema_.tables)
    sqlite3_exec(db_.get(), ("DELETE FROM " + table.name).c_str(), nullptr, nullptr, nullptr);
  for (const auto& insert : filling) {
    const int before = sqlite3_total_changes(db_.get());
    sqlite3_exec(db_.get(), insert.c_str(), nullptr, nullptr, nullptr);
    if (sqlite3_total_changes(db_.get()) != before) stored.push_back(insert);
  }
  sqlite3_exec(db_.get(), "COMMIT", nullptr, nullptr, nullptr);
  return stored;
}

Departures Ground::departures() const {
  std::set<std::string> all;
  for (const auto& table : schema_.tables) {
    for (const auto& column : table.columns) all.insert(table.name + "." + column.name);
  }
  return departures(all);
}

Departures Ground::departures(const std::set<std::string>& columns) const {
  Departures departures;
  for (const auto& table : schema_.tables) {
    const auto all = run("SELECT * FROM " + table.name);
    departures.empty_table = departures.empty_table || (all.ok && all.rows.empty());
    for (const auto& row : all.rows) {
      for (std::size_t i = 0; i < row.size() && i < table.columns.size(); ++i) {
        const auto type = view(row[i]).type;
        const auto& column = table.columns[i];
        if (!columns.contains(table.name + "." + column.name)) continue;
        const bool is_key = std::ranges::find(table.primary_key, column.name) != table.primary_key.end();
        if (type == ValueType::null) {
          departures.null = true;
          departures.null_in_primary_key = departures.null_in_primary_key || is_key;
          continue;
        }
        if (const auto types = declared(column.type); !types.empty() && !types.contains(type))
          departures.other_type = true;
        for (const auto& [reading, others] : {std::pair(plan::Reading::as_number, &departures.not_numbers),
                                              std::pair(plan::Reading::as_integer, &departures.not_integers),
                                              std::pair(plan::Reading::as_date, &departures.not_dates),
                                              std::pair(plan::Reading::as_datetime, &departures.not_datetimes)}) {
          if (!equiv::is_read_as(row[i], reading)) others->insert(table.name + "." + column.name);
        }
      }
    }
  }
  const auto check = run("PRAGMA foreign_key_check");
  departures.orphan = !check.ok || !check.rows.empty();
  std::map<std::string, std::string> by_lower;
  for (const auto& text : texts()) {
    const auto [entry, is_new] = by_lower.try_emplace(to_lower_ascii(text), text);
    departures.case_variants = departures.case_variants || entry->second != text;
  }
  return departures;
}

std::vector<std::vector<Value>> Ground::contents() const {
  std::vector<std::vector<Value>> all;
  for (const auto& table : schema_.tables) {
    for (auto& row : run("SELECT * FROM " + table.name).rows) {
      row.insert(row.begin(), table.name);
      all.push_back(std::move(row));
    }
  }
  return all;
}

std::vector<std::string> Ground::texts() const {
  std::vector<std::string> all;
  for (const auto& row : contents()) {
    for (std::size_t i = 1; i < row.size(); ++i) {
      if (const auto* text = std::get_if<std::string>(&row[i])) all.push_back(*text);
    }
  }
  return all;
}

Outcome Ground::outcome(sqlite3_stmt* statement) const {
  Outcome outcome;
  const Patience patience(db_.get(), patience_);
  std::vector<std::uint64_t> rows;
  int rc = SQLITE_OK;
  const int columns = sqlite3_column_count(statement);
  while ((rc = sqlite3_step(statement)) == SQLITE_ROW && rows.size() < max_rows) {
    std::uint64_t row = 0;
    for (int i = 0; i < columns; ++i) row = mix64(row + hash_at(statement, i));
    rows.push_back(row);
    outcome.list = mix64(outcome.list * 31 + row);
    outcome.bag += mix64(row ^ 0x9e3779b97f4a7c15ULL);
  }
  outcome.ok = rc == SQLITE_DONE;
  sqlite3_reset(statement);
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  for (const auto row : rows) outcome.set += mix64(row);
  return outcome;
}

namespace {

// Rows that an order leaves tied come in another order from each of these indexes.
void index_more(sqlite3* db, const Schema& schema, bool make) {
  for (const auto& table : schema.tables) {
    for (std::size_t first = 0; first < table.columns.size(); ++first) {
      const std::string index = "more_" + table.name + "_" + std::to_string(first);
      std::string sql = "DROP INDEX IF EXISTS " + index;
      if (make) {
        sql = "CREATE INDEX IF NOT EXISTS " + index + " ON " + table.name + "(" + table.columns[first].name;
        for (std::size_t i = table.columns.size(); i-- > 0;)
          if (i != first) sql += ", " + table.columns[i].name + " DESC";
        sql += ")";
      }
      sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr);
    }
  }
}

}  // namespace

Rows Ground::run(const std::string& sql, Way way) const {
  auto* db = db_.get();
  if (way.more_indexes) index_more(db, schema_, true);
  sqlite3_test_control(SQLITE_TESTCTRL_OPTIMIZATIONS, db, way.no_optimisations ? ~0U : 0U);
  if (way.reverse_scans) sqlite3_exec(db, "PRAGMA reverse_unordered_selects = 1", nullptr, nullptr, nullptr);
  if (way.no_automatic_index) sqlite3_exec(db, "PRAGMA automatic_index = 0", nullptr, nullptr, nullptr);
  Rows result;
  if (const auto statement = prepare(sql)) {
    const Patience patience(db, patience_);
    int rc = SQLITE_OK;
    while ((rc = sqlite3_step(statement.get())) == SQLITE_ROW && result.rows.size() < max_rows) {
      std::vector<Value> row;
      for (int i = 0; i < sqlite3_column_count(statement.get()); ++i) row.push_back(value_at(statement.get(), i));
      result.rows.push_back(std::move(row));
    }
    result.ok = rc == SQLITE_DONE;
  }
  if (way.reverse_scans) sqlite3_exec(db, "PRAGMA reverse_unordered_selects = 0", nullptr, nullptr, nullptr);
  if (way.no_automatic_index) sqlite3_exec(db, "PRAGMA automatic_index = 1", nullptr, nullptr, nullptr);
  sqlite3_test_control(SQLITE_TESTCTRL_OPTIMIZATIONS, db, 0U);
  if (way.more_indexes) index_more(db, schema_, false);
  return result;
}

}  // namespace trustsql::families
