#include "nl2sql/prompts/schema_text.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/text.hpp"
#include "nl2sql/prompts/prompt_text.hpp"

namespace trustsql::nl2sql {

namespace {

constexpr std::pair<std::string_view, SchemaStyle> styles[] = {
    {"Columns=[]+FK", SchemaStyle::columns_fk},
    {"CreateTable", SchemaStyle::create_table},
    {"CreateTable+SelectCol3", SchemaStyle::create_table_select_col3},
};

// A faster Catalog::find() for a text that needs every table; Catalog::find() itself is linear in their number.
class TableIndex {
 public:
  explicit TableIndex(const Catalog& catalog) {
    for (const auto& table : catalog.tables()) {
      const auto name = to_lower_ascii(table.name);
      first_.emplace(name, &table);  // the schemas are in the order of resolution
      in_schema_.emplace(to_lower_ascii(table.schema) + '\0' + name, &table);
    }
  }

  // As table_in_sql().
  std::string in_sql(const Table& table) const {
    const auto name = name_in_sql(table.name);
    return first_.at(to_lower_ascii(table.name)) == &table ? name : name_in_sql(table.schema) + "." + name;
  }
  // As Catalog::parent().
  const Table* parent(const Table& child, const ForeignKey& key) const {
    const auto parent = in_schema_.find(to_lower_ascii(child.schema) + '\0' + to_lower_ascii(key.parent_table));
    return parent == in_schema_.end() ? nullptr : parent->second;
  }

 private:
  std::unordered_map<std::string, const Table*> first_;
  std::unordered_map<std::string, const Table*> in_schema_;
};

class Writer {
 public:
  Writer(const Catalog& catalog, const SchemaSubset& subset) : catalog_(catalog), subset_(subset), index_(catalog) {}

  std::string columns_fk() const {
    std::string text;
    std::vector<std::string> keys;
    for (const auto& [index, columns] : subset_.columns) {
      const auto& table = catalog_.tables()[index];
      const auto name = index_.in_sql(table);
      text += "Table " + name + ", columns = [*";
      for (const auto column : columns) text += ", " + name_in_sql(table.columns[column].name);
      text += "]\n";
      for (const auto& key : table.foreign_keys) {
        const auto parent = shown_parent(table, columns, key);
        if (!parent) continue;
        const auto parent_name = index_.in_sql(*parent);
        for (std::size_t i = 0; i < key.columns.size(); ++i)
          keys.push_back(name + "." + column_name(table, key.columns[i]) + " = " + parent_name + "." +
                         name_in_sql(key.parent_columns[i]));
      }
    }
    return text + "Foreign_keys = [" + join(keys, ", ") + "]";
  }

  std::string create_tables(const ColumnValues* values) const {
    std::string text;
    for (const auto& [index, columns] : subset_.columns) {
      const auto& table = catalog_.tables()[index];
      if (!text.empty()) text += "\n\n";
      text += table.kind == Table::Kind::view ? create_view(table, columns) : create_table(table, columns);
      if (values != nullptr)
        if (const auto table_values = values->find(index); table_values != values->end())
          text += values_comment(table, columns, table_values->second);
    }
    return text;
  }

 private:
  using Columns = std::set<std::size_t>;

  static std::string column_name(const Table& table, int column) {
    return name_in_sql(table.columns[static_cast<std::size_t>(column)].name);
  }

  // The table that `key` refers to, if it and all columns on both sides are shown.
  const Table* shown_parent(const Table& table, const Columns& columns, const ForeignKey& key) const {
    if (key.parent_columns.size() != key.columns.size()) return nullptr;
    if (!std::all_of(key.columns.begin(), key.columns.end(),
                     [&](int c) { return columns.count(static_cast<std::size_t>(c)) != 0; }))
      return nullptr;
    const auto* parent = index_.parent(table, key);
    if (parent == nullptr) return nullptr;
    const auto shown = subset_.columns.find(static_cast<std::size_t>(parent - catalog_.tables().data()));
    if (shown == subset_.columns.end()) return nullptr;
    for (const auto& name : key.parent_columns) {
      const auto column = parent->find_column(name);
      if (!column || shown->second.count(*column) == 0) return nullptr;
    }
    return parent;
  }

  std::string create_table(const Table& table, const Columns& columns) const {
    std::vector<std::size_t> primary;  // the shown columns of the key, by position
    std::size_t parts = 0;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      if (table.columns[c].primary_key_position == 0) continue;
      ++parts;
      if (columns.count(c) != 0) primary.push_back(c);
    }
    if (primary.size() != parts) primary.clear();
    std::sort(primary.begin(), primary.end(), [&](std::size_t a, std::size_t b) {
      return table.columns[a].primary_key_position < table.columns[b].primary_key_position;
    });

    std::vector<std::string> lines;
    for (const auto index : columns) {
      const auto& column = table.columns[index];
      auto line = name_in_sql(column.name);
      if (!column.declared_type.empty()) line += " " + visible_text(column.declared_type);
      const bool is_key = primary.size() == 1 && primary.front() == index;
      if (is_key) line += " PRIMARY KEY";
      if (column.not_null && !is_key) line += " NOT NULL";
      lines.push_back(std::move(line));
    }
    if (primary.size() > 1) {
      std::vector<std::string> names;
      for (const auto column : primary) names.push_back(name_in_sql(table.columns[column].name));
      lines.push_back("PRIMARY KEY (" + join(names, ", ") + ")");
    }
    for (const auto& key : table.foreign_keys) {
      const auto* parent = shown_parent(table, columns, key);
      if (parent == nullptr) continue;
      std::vector<std::string> from;
      std::vector<std::string> to;
      for (const int column : key.columns) from.push_back(column_name(table, column));
      for (const auto& name : key.parent_columns) to.push_back(name_in_sql(name));
      lines.push_back("FOREIGN KEY (" + join(from, ", ") + ") REFERENCES " + index_.in_sql(*parent) + " (" +
                      join(to, ", ") + ")");
    }
    return "CREATE TABLE " + index_.in_sql(table) + " (\n  " + join(lines, ",\n  ") + "\n);";
  }

  std::string create_view(const Table& table, const Columns& columns) const {
    std::vector<std::string> names;
    for (const auto column : columns) names.push_back(name_in_sql(table.columns[column].name));
    return "CREATE VIEW " + index_.in_sql(table) + " (" + join(names, ", ") + ");";
  }

  static std::string values_comment(const Table& table, const Columns& columns,
                                    const std::map<std::size_t, std::vector<std::string>>& values) {
    std::string lines;
    for (const auto column : columns) {
      const auto column_values = values.find(column);
      if (column_values == values.end() || column_values->second.empty()) continue;
      lines += name_in_sql(table.columns[column].name) + ": " + join(column_values->second, ", ") + "\n";
    }
    if (lines.empty()) return {};
    return "\n/* Some values of each column:\n" + in_comment(lines) + "*/";
  }

  const Catalog& catalog_;
  const SchemaSubset& subset_;
  TableIndex index_;
};

}  // namespace

Result<SchemaStyle> parse_schema_style(std::string_view name) {
  std::vector<std::string_view> names;
  for (const auto& [known, style] : styles) {
    if (equals_ignore_case(known, name)) return style;
    names.push_back(known);
  }
  return invalid_argument("there is no schema style " + quote_for_message(name) + "; there are " + join(names, ", "));
}

Result<ColumnValues> read_column_values(ContentReader& reader, const SchemaSubset& subset, std::size_t count) {
  ColumnValues values;
  for (const auto& [table, columns] : subset.columns) {
    TRUSTSQL_ASSIGN_OR_RETURN(const auto distinct, reader.distinct_values(table, count));
    const auto read = reader.columns(table);
    for (std::size_t i = 0; i < read.size(); ++i) {
      if (columns.count(read[i]) == 0) continue;
      auto& literals = values[table][read[i]];
      for (const auto& value : distinct[i]) literals.push_back(cell_literal(view(value)));
    }
  }
  return values;
}

std::string schema_text(const Catalog& catalog, const SchemaSubset& subset, SchemaStyle style,
                        const ColumnValues* values) {
  const Writer writer(catalog, subset);
  switch (style) {
    case SchemaStyle::columns_fk: return writer.columns_fk();
    case SchemaStyle::create_table: return writer.create_tables(nullptr);
    case SchemaStyle::create_table_select_col3: return writer.create_tables(values);
  }
  return {};
}

}  // namespace trustsql::nl2sql
