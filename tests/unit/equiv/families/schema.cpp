#include "unit/equiv/families/schema.hpp"

#include <algorithm>
#include <array>

namespace trustsql::families {

namespace {

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

const char* const types[] = {"INT", "INT", "INTEGER", "TEXT", "TEXT", "REAL", "NUMERIC", "BLOB", "", "", "VARCHAR(10)"};
const char* const strict_types[] = {"INT", "INTEGER", "TEXT", "REAL", "BLOB", "ANY"};

class TableMaker {
 public:
  TableMaker(Picker& picker, const Schema& schema, std::string name) : picker_(picker), schema_(schema) {
    table_.name = std::move(name);
  }

  Table make() {
    static constexpr std::array names = {"a", "b", "c"};
    plain_ = picker_.chance(40);
    table_.strict = !plain_ && picker_.chance(15);
    const std::size_t count = 2 + picker_.below(2);
    for (std::size_t i = 0; i < count; ++i) add_column(names[i]);
    if (!plain_) {
      add_keys();
      add_foreign_key();
    }
    std::string ddl = "CREATE TABLE " + table_.name + "(";
    for (std::size_t i = 0; i < parts_.size(); ++i) ddl += (i > 0 ? ", " : "") + parts_[i];
    ddl += ")";
    if (without_rowid_) ddl += " WITHOUT ROWID";
    if (table_.strict) ddl += without_rowid_ ? ", STRICT" : " STRICT";
    table_.ddl = ddl + ";";
    if (!index_.empty()) table_.ddl += " " + index_ + ";";
    return table_;
  }

 private:
  void add_column(const std::string& name) {
    Column column{name, table_.strict ? picker_.of(strict_types) : picker_.of(types), false};
    std::string text = name + (column.type.empty() ? "" : " " + column.type);
    const bool last = name == "c";
    if (!plain_) {
      if (picker_.chance(15)) text += std::string(" COLLATE ") + (picker_.chance(60) ? "NOCASE" : "RTRIM");
      if (last && picker_.chance(20)) {
        static const char* const generated[] = {"a", "a + 0", "a || ''", "+b", "coalesce(a, b)", "a = b", "abs(a)"};
        text += std::string(" AS (") + picker_.of(generated) + ")" + (picker_.chance(50) ? " STORED" : "");
        column.generated = true;
      } else {
        if (picker_.chance(20)) text += " NOT NULL";
        if (picker_.chance(12)) text += " UNIQUE";
        static const char* const checks[] = {"$ > 0",         "typeof($) = 'integer'", "$ <> ''",
                                             "$ IS NOT NULL", "$ IN (1, 2, 'a')",      "length($) < 3"};
        if (picker_.chance(8)) {
          std::string check = picker_.of(checks);
          for (auto at = check.find('$'); at != std::string::npos; at = check.find('$')) check.replace(at, 1, name);
          text += " CHECK (" + check + ")";
        }
      }
    }
    table_.columns.push_back(std::move(column));
    parts_.push_back(std::move(text));
  }

  std::vector<std::string> stored_columns() {
    std::vector<std::string> names;
    for (const auto& column : table_.columns) {
      if (!column.generated) names.push_back(column.name);
    }
    if (picker_.chance(50)) std::swap(names.front(), names.back());
    return names;
  }

  void add_keys() {
    const auto names = stored_columns();
    const auto first_columns = [&] {
      return std::vector<std::string>(names.begin(), names.begin() + (picker_.chance(50) ? 1 : 2));
    };
    const auto kind = picker_.below(10);
    if (kind < 2) {
      parts_.front() = "a INTEGER PRIMARY KEY";
      table_.columns.front().type = "INTEGER";
      table_.primary_key = {"a"};
    } else if (kind < 7) {
      table_.primary_key = first_columns();
      parts_.push_back("PRIMARY KEY (" + joined(table_.primary_key) + ")");
      without_rowid_ = picker_.chance(30);
    } else if (kind == 7) {
      parts_.push_back("UNIQUE (" + joined(first_columns()) + ")");
    }
    if (picker_.chance(15)) {
      const bool unique = picker_.chance(50);
      index_ = std::string("CREATE ") + (unique ? "UNIQUE " : "") + "INDEX i" + table_.name + " ON " + table_.name +
               "(" + names.front() + (picker_.chance(30) ? " COLLATE NOCASE" : "") + ")" +
               (picker_.chance(30) ? " WHERE " + names.back() + " > 0" : "");
    }
  }

  void add_foreign_key() {
    if (!picker_.chance(40)) return;
    std::vector<const Table*> parents;
    for (const auto& table : schema_.tables) {
      if (!table.primary_key.empty()) parents.push_back(&table);
    }
    if (parents.empty()) return;
    const auto& parent = *picker_.of(parents);
    const auto names = stored_columns();
    if (names.size() < parent.primary_key.size()) return;
    ForeignKey key{{names.begin(), names.begin() + static_cast<std::ptrdiff_t>(parent.primary_key.size())},
                   parent.name,
                   parent.primary_key};
    parts_.push_back("FOREIGN KEY (" + joined(key.columns) + ") REFERENCES " + parent.name + "(" +
                     joined(key.parent_columns) + ")");
    table_.foreign_keys.push_back(std::move(key));
  }

  Picker& picker_;
  const Schema& schema_;
  Table table_;
  std::vector<std::string> parts_;
  std::string index_;
  bool plain_ = true;
  bool without_rowid_ = false;
};

}  // namespace

std::string Schema::ddl() const {
  std::string text = encoding == "UTF-8" ? "" : "PRAGMA encoding = '" + encoding + "';\n";
  for (const auto& table : tables) text += table.ddl + "\n";
  return text;
}

const Table* Schema::find(const std::string& name) const {
  const auto table = std::ranges::find(tables, name, &Table::name);
  return table == tables.end() ? nullptr : &*table;
}

Schema random_schema(Picker& picker) {
  Schema schema;
  for (const char* name : {"t", "u", "v"}) schema.tables.push_back(TableMaker(picker, schema, name).make());
  if (picker.chance(25)) schema.encoding = picker.chance(75) ? "UTF-16le" : "UTF-16be";
  return schema;
}

std::vector<std::string> random_values(Picker& picker) {
  static const std::vector<std::vector<std::string>> themes = {
      {"1", "2", "3", "0"},
      {"1", "1.0", "'1'", "X'31'", "'1.0'", "0"},
      {"0", "-0.0", "0.0", "'0'", "''", "'-0'"},
      {"1", "1.5", "'1.5'", "2", "-1"},
      {"'a'", "'A'", "'a '", "'b'", "''", "X'61'"},
      {"'a'", "'b'", "1", "'1'", "2.5"},
      {"''", "' '", "'1 '", "'1'", "1", "X''"},
      {"'1e2'", "100", "100.0", "'100'", "' 100'"},
      {"9007199254740993", "9007199254740992", "9007199254740992.0", "'9007199254740993'", "1"},
      {"9223372036854775807", "9.2233720368547758e18", "'9223372036854775807'", "-9223372036854775807",
       "9223372036854775806"},
      {"4611686018427387904", "4611686018427387905", "4.6116860184273879e18", "'4611686018427387904'", "2"},
      {"'[1]'", "'{}'", "1", "'1'", "'\"a\"'"},
      {"9e999", "-9e999", "0", "1", "'9e999'"},
      {"1e20", "1.0", "9e999", "'1.0e+20'", "'I'"},
      {"0", "1", "'0'", "'1'", "'true'", "0.5"},
      // Their order depends on the encoding: U+0133, U+0161, U+FB00, U+1F600.
      {"'z'", "'3'", "'\u0133'", "'\u0161'", "'a'"},
      {"'z'", "'\ufb00'", "'\U0001f600'", "'z\u0133'", "'za'"},
  };
  auto values = picker.of(themes);
  while (values.size() > 4) values.erase(values.begin() + static_cast<std::ptrdiff_t>(picker.below(values.size())));
  if (picker.chance(30)) values.push_back(picker.of(picker.of(themes)));
  return values;
}

}  // namespace trustsql::families
