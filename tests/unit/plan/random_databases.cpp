#include "unit/plan/random_databases.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "plan/walk.hpp"

namespace trustsql::testing_support {

using namespace plan;

ValueHints::ColumnKey ValueHints::root(ColumnKey key) const {
  for (auto at = parents_.find(key); at != parents_.end(); at = parents_.find(key)) key = at->second;
  return key;
}

void ValueHints::join(const trustsql::Table& a, int column_a, const trustsql::Table& b, int column_b) {
  const auto from = root({a.name, column_a});
  const auto to = root({b.name, column_b});
  if (from == to) return;
  parents_[from] = to;
  auto moved = std::move(constants_[from]);
  constants_.erase(from);
  auto& list = constants_[to];
  list.insert(list.end(), moved.begin(), moved.end());
}

void ValueHints::learn_pair(const Expr& a, const Expr& b, const Plan& plan) {
  const auto* left = column_id(a);
  if (left == nullptr) {
    if (column_id(b) != nullptr && literal_value(a) != nullptr) learn_pair(b, a, plan);
    return;
  }
  const auto& attribute = plan.attributes[*left];
  if (attribute.table == nullptr || attribute.position < 0) return;
  if (const auto* value = literal_value(b)) {
    auto& list = constants_[root({attribute.table->name, attribute.position})];
    if (list.size() < 12 && std::find(list.begin(), list.end(), *value) == list.end()) list.push_back(*value);
  } else if (const auto* right = column_id(b)) {
    const auto& other = plan.attributes[*right];
    if (other.table != nullptr && other.position >= 0) join(*attribute.table, attribute.position, *other.table, other.position);
  }
}

void ValueHints::learn_expr(const Expr& expr, const Plan& plan) {
  if (const auto* n = expr.as<Compare>()) learn_pair(*n->left, *n->right, plan);
  if (const auto* n = expr.as<Like>()) learn_pair(*n->operand, *n->pattern, plan);
  if (const auto* n = expr.as<InList>()) {
    for (const auto& item : n->items) learn_pair(*n->operand, item, plan);
  }
  if (const auto* n = expr.as<Between>()) {
    learn_pair(*n->operand, *n->low, plan);
    learn_pair(*n->operand, *n->high, plan);
  }
  if (const auto* n = expr.as<InSubquery>(); n != nullptr && n->operands.size() == 1) {
    const auto ids = outputs(*n->rel);
    if (ids.size() == 1) learn_pair(n->operands.front(), column(ids.front()), plan);
  }
}

void ValueHints::learn(const Plan& plan) {
  const auto visit_rel = [&](const auto& self, const Rel& rel) -> void {
    const auto visit_expr = [&](const auto& inner, const Expr& expr) -> void {
      learn_expr(expr, plan);
      for_each_expr(expr, [&](const Expr& operand) { inner(inner, operand); });
      for_each_rel(expr, [&](const Rel& subquery) { self(self, subquery); });
    };
    for_each_rel(rel, [&](const Rel& input) { self(self, input); });
    for_each_expr(rel, [&](const Expr& expr) { visit_expr(visit_expr, expr); });
    if (const auto* set = rel.as<SetOp>()) {
      const auto first = outputs(set->inputs.front());
      for (const auto& input : set->inputs) {
        const auto ids = outputs(input);
        for (std::size_t i = 0; i < ids.size(); ++i) learn_pair(column(first[i]), column(ids[i]), plan);
      }
    }
  };
  visit_rel(visit_rel, plan.root);
}

std::vector<Value> ValueHints::values(const trustsql::Table& table, int column) const {
  std::vector<Value> pool;
  const auto found = constants_.find(root({table.name, column}));
  if (found != constants_.end()) {
    for (const auto& value : found->second) {
      pool.push_back(value);
      if (const auto* integer = std::get_if<std::int64_t>(&value)) {
        if (*integer < (std::int64_t{1} << 60)) pool.push_back(*integer + 1);
        if (*integer > -(std::int64_t{1} << 60)) pool.push_back(*integer - 1);
        pool.push_back(static_cast<double>(*integer) + 0.5);
        pool.push_back(std::to_string(*integer));
      }
      if (const auto* real = std::get_if<double>(&value)) pool.push_back(*real + 0.5);
      if (const auto* text = std::get_if<std::string>(&value)) {
        std::string bare = *text;
        std::erase(bare, '%');
        pool.push_back(bare);
        auto lower = to_lower_ascii(bare);
        if (lower != bare) pool.push_back(lower);
        pool.push_back(bare + "x");
      }
    }
  }
  return pool;
}

std::vector<std::string> ddl_of(sqlite3* db) {
  std::vector<std::string> statements;
  sqlite3_stmt* statement = nullptr;
  sqlite3_prepare_v2(
      db, "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND type <> 'trigger' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid", -1,
      &statement, nullptr);
  while (sqlite3_step(statement) == SQLITE_ROW) statements.emplace_back(reinterpret_cast<const char*>(sqlite3_column_text(statement, 0)));
  sqlite3_finalize(statement);
  return statements;
}

namespace {

class Filler {
 public:
  Filler(sqlite3* db, const Catalog& catalog, const ValueHints& hints, Manner manner, std::uint64_t seed)
      : db_(db), catalog_(catalog), hints_(hints), manner_(manner), random_(seed) {
    null_share_ = std::array{0.0, 0.1, 0.3}[pick(3)];
    size_ = std::array<std::size_t, 3>{3, 6, 9}[pick(3)];
  }

  void fill() {
    for (const auto& table : catalog_.tables()) fill(table);
  }

 private:
  std::size_t pick(std::size_t n) { return static_cast<std::size_t>(random_() % n); }
  bool chance(double p) { return static_cast<double>(random_() >> 11) * 0x1p-53 < p; }

  void fill(const trustsql::Table& table) {
    if (table.kind != trustsql::Table::Kind::table || table.is_internal() || table.schema != "main" || !filled_.insert(table.name).second) return;
    for (const auto& key : table.foreign_keys) {
      if (const auto* parent = catalog_.parent(table, key)) fill(*parent);
    }
    std::vector<int> columns;
    std::string names;
    std::string places;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      if (table.columns[i].generated != trustsql::Column::Generated::no) continue;
      columns.push_back(static_cast<int>(i));
      std::string quoted = "\"";
      for (const char c : table.columns[i].name) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
      names += (names.empty() ? "" : ", ") + quoted + "\"";
      places += places.empty() ? "?" : ", ?";
    }
    std::string quoted = "\"";
    for (const char c : table.name) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    quoted += "\"";
    sqlite3_stmt* insert = nullptr;
    sqlite3_prepare_v2(db_, ("INSERT OR IGNORE INTO main." + quoted + "(" + names + ") VALUES (" + places + ")").c_str(), -1, &insert, nullptr);
    if (insert == nullptr) return;
    std::vector<std::vector<Value>> rows;
    const auto wanted = chance(0.1) ? 0 : pick(size_);
    for (std::size_t i = 0; i < wanted; ++i) {
      auto row = !rows.empty() && chance(0.3) ? variation(table, columns, rows[pick(rows.size())]) : fresh_row(table, columns);
      if (!row) continue;
      for (std::size_t c = 0; c < columns.size(); ++c) bind(insert, static_cast<int>(c) + 1, (*row)[c]);
      sqlite3_step(insert);
      sqlite3_reset(insert);
      rows.push_back(std::move(*row));
    }
    sqlite3_finalize(insert);
    read_back(table, quoted);
  }

  void read_back(const trustsql::Table& table, const std::string& quoted) {
    auto& rows = rows_[table.name];
    sqlite3_stmt* select = nullptr;
    sqlite3_prepare_v2(db_, ("SELECT * FROM main." + quoted).c_str(), -1, &select, nullptr);
    while (sqlite3_step(select) == SQLITE_ROW) {
      std::vector<Value> row;
      for (int i = 0; i < sqlite3_column_count(select); ++i) {
        switch (sqlite3_column_type(select, i)) {
          case SQLITE_INTEGER: row.emplace_back(std::int64_t{sqlite3_column_int64(select, i)}); break;
          case SQLITE_FLOAT: row.emplace_back(sqlite3_column_double(select, i)); break;
          case SQLITE_TEXT: row.emplace_back(std::string(reinterpret_cast<const char*>(sqlite3_column_text(select, i)))); break;
          default: row.emplace_back(); break;
        }
      }
      rows.push_back(std::move(row));
    }
    sqlite3_finalize(select);
  }

  static void bind(sqlite3_stmt* statement, int at, const Value& value) {
    const auto shown = view(value);
    switch (shown.type) {
      case ValueType::null: sqlite3_bind_null(statement, at); break;
      case ValueType::integer: sqlite3_bind_int64(statement, at, shown.integer); break;
      case ValueType::real: sqlite3_bind_double(statement, at, shown.real); break;
      case ValueType::text: sqlite3_bind_text(statement, at, shown.bytes.data(), static_cast<int>(shown.bytes.size()), SQLITE_TRANSIENT); break;
      case ValueType::blob: sqlite3_bind_blob(statement, at, shown.bytes.data(), static_cast<int>(shown.bytes.size()), SQLITE_TRANSIENT); break;
    }
  }

  Value cell(const trustsql::Table& table, int at) {
    const auto& column = table.columns[static_cast<std::size_t>(at)];
    const bool never_null = column.not_null || (manner_ == Manner::orderly && column.primary_key_position > 0);
    if (chance(never_null ? (manner_ == Manner::wild ? 0.02 : 0) : null_share_)) return {};
    const bool orderly = manner_ == Manner::orderly;
    const auto fits = [&](const Value& value) {
      if (!orderly) return true;
      switch (column.affinity) {
        case Affinity::integer: return std::holds_alternative<std::int64_t>(value);
        case Affinity::real:
        case Affinity::numeric: return std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value);
        default: return std::holds_alternative<std::string>(value);
      }
    };
    if (chance(0.65)) {
      auto pool = hints_.values(table, at);
      std::erase_if(pool, [&](const Value& value) { return !fits(value); });
      if (!pool.empty()) return pool[pick(pool.size())];
    }
    if (!orderly && chance(0.12)) {
      static const std::vector<Value> odd = {std::string("10"), std::string("A"), std::string("a "), 2.5, 2.0, std::string(""),
                                             std::int64_t{10},  Blob{"a"},        std::string("2.0")};
      return odd[pick(odd.size())];
    }
    static const std::vector<Value> texts = {std::string("a"), std::string("b"), std::string("A"), std::string("1")};
    static const std::vector<Value> reals = {1.5, 2.0, 2.5, 0.0};
    if (column.affinity == Affinity::text || (column.affinity == Affinity::blob && chance(0.5))) return texts[pick(texts.size())];
    if (column.affinity == Affinity::real && chance(0.5)) return reals[pick(reals.size())];
    return static_cast<std::int64_t>(pick(4));
  }

  // nullopt: no row that keeps the foreign keys can be had.
  std::optional<std::vector<Value>> fresh_row(const trustsql::Table& table, const std::vector<int>& columns) {
    std::vector<Value> row;
    for (const int column : columns) row.push_back(cell(table, column));
    if (!keep_foreign_keys(table, columns, row)) return std::nullopt;
    return row;
  }

  std::optional<std::vector<Value>> variation(const trustsql::Table& table, const std::vector<int>& columns, std::vector<Value> row) {
    const auto changes = chance(0.5) ? 1 : 2;
    for (int i = 0; i < changes; ++i) {
      const auto at = pick(row.size());
      row[at] = cell(table, columns[at]);
    }
    // Where a key is in the way, give the row another one.
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (table.columns[static_cast<std::size_t>(columns[i])].primary_key_position > 0) row[i] = cell(table, columns[i]);
    }
    if (!keep_foreign_keys(table, columns, row)) return std::nullopt;
    return row;
  }

  bool keep_foreign_keys(const trustsql::Table& table, const std::vector<int>& columns, std::vector<Value>& row) {
    for (const auto& key : table.foreign_keys) {
      const auto* parent = catalog_.parent(table, key);
      if (parent == nullptr || key.parent_columns.size() != key.columns.size()) continue;
      if (manner_ == Manner::wild && chance(0.3)) continue;
      const auto& rows = rows_[parent->name];
      const bool no_parent = rows.empty() || parent == &table;
      const std::size_t chosen = no_parent ? 0 : pick(rows.size());
      for (std::size_t i = 0; i < key.columns.size(); ++i) {
        const auto own = std::find(columns.begin(), columns.end(), key.columns[i]);
        const auto theirs = parent->find_column(key.parent_columns[i]);
        if (own == columns.end() || !theirs) continue;
        auto& value = row[static_cast<std::size_t>(own - columns.begin())];
        if (std::holds_alternative<std::monostate>(value)) continue;
        const auto& column = table.columns[static_cast<std::size_t>(*own)];
        const bool nullable = !column.not_null && (manner_ == Manner::wild || column.primary_key_position == 0);
        if (!no_parent) {
          value = rows[chosen][*theirs];
        } else if (nullable) {
          value = {};
        } else if (manner_ == Manner::orderly) {
          return false;
        }
      }
    }
    return true;
  }

  sqlite3* db_;
  const Catalog& catalog_;
  const ValueHints& hints_;
  Manner manner_;
  std::mt19937_64 random_;
  double null_share_ = 0;
  std::size_t size_ = 3;
  std::set<std::string> filled_;
  std::map<std::string, std::vector<std::vector<Value>>> rows_;
};

}  // namespace

Database random_database(const std::vector<std::string>& ddl, const Catalog& catalog, const ValueHints& hints, Manner manner, std::uint64_t seed) {
  sqlite3* db = nullptr;
  sqlite3_open(":memory:", &db);
  Database database(db);
  sqlite3_exec(db, "BEGIN", nullptr, nullptr, nullptr);
  for (const auto& statement : ddl) sqlite3_exec(db, statement.c_str(), nullptr, nullptr, nullptr);
  Filler(db, catalog, hints, manner, seed).fill();
  sqlite3_exec(db, "COMMIT", nullptr, nullptr, nullptr);
  return database;
}

}  // namespace trustsql::testing_support
