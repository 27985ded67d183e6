#include "equiv/refuter/script.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/sql_keyword.hpp"
#include "base/text.hpp"

namespace trustsql::equiv {

namespace {

// Quotes the name if necessary.
std::string name_text(std::string_view name) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto is_plain = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); };
  if (!name.empty() && is_letter(name.front()) && std::ranges::all_of(name, is_plain) &&
      find_keyword(name) == Keyword::None)
    return std::string(name);
  return quote_identifier(name);
}

std::string table_name(const Table& table) {
  return (equals_ignore_case(table.schema, "main") ? std::string() : name_text(table.schema) + ".") +
         name_text(table.name);
}

void append_rows(std::string& script, const TableModel& table, const std::vector<DataRow>& rows) {
  if (rows.empty()) return;
  const std::string into = "INSERT INTO " + table_name(*table.table);
  if (table.columns.empty()) {
    for (std::size_t i = 0; i < rows.size(); ++i) script += into + " DEFAULT VALUES;\n";
    return;
  }
  script += into + "(";
  for (std::size_t c = 0; c < table.columns.size(); ++c)
    script += (c == 0 ? "" : ", ") +
              name_text(table.table->columns[static_cast<std::size_t>(table.columns[c].position)].name);
  script += ") VALUES";
  for (std::size_t r = 0; r < rows.size(); ++r) {
    script += r == 0 ? (rows.size() == 1 ? " (" : "\n  (") : ",\n  (";
    for (std::size_t c = 0; c < rows[r].size(); ++c) script += (c == 0 ? "" : ", ") + literal_text(rows[r][c]);
    script += ")";
  }
  script += ";\n";
}

}  // namespace

std::string literal_text(const Value& value) {
  const auto value_view = view(value);
  switch (value_view.type) {
    case ValueType::null: return "NULL";
    case ValueType::integer:
      // The digits of the smallest integer alone would be a real.
      if (value_view.integer == std::numeric_limits<std::int64_t>::min()) return "(-9223372036854775807-1)";
      return std::to_string(value_view.integer);
    case ValueType::real:
      if (std::isinf(value_view.real)) return value_view.real > 0 ? "9e999" : "-9e999";
      return format_real(value_view.real);
    case ValueType::text:
      if (value_view.bytes.find('\0') == std::string_view::npos && is_valid_utf8(value_view.bytes))
        return quote_string(value_view.bytes);
      return "CAST(" + format_value(ValueView::of_blob(value_view.bytes)) + " AS TEXT)";
    case ValueType::blob: return format_value(value_view);
  }
  return "NULL";
}

std::string data_script(const SchemaDefinition& definition, const DataModel& model,
                        const std::vector<std::array<std::string, 3>>& reads, const Instance& instance,
                        const std::vector<std::string_view>& queries) {
  const auto is_object = [](std::string_view schema, std::string_view name, const SchemaObject& object,
                            const std::string& object_name) {
    return equals_ignore_case(schema, object.schema) && equals_ignore_case(name, object_name);
  };
  std::string attach;
  std::set<std::string> attached;
  std::string script;
  for (const auto& object : definition.objects) {
    const auto& owner = object.kind == SchemaObject::Kind::index ? object.table : object.name;
    bool included = false;
    if (object.kind == SchemaObject::Kind::view) {
      included =
          std::ranges::any_of(reads, [&](const auto& read) { return is_object(read[0], read[1], object, owner); });
    } else {
      for (const auto& table : model.tables) {
        if (!is_object(table.table->schema, table.table->name, object, owner)) continue;
        included = object.kind == SchemaObject::Kind::table ||
                   std::ranges::any_of(queries,
                                       [&](std::string_view sql) { return contains_ignore_case(sql, object.name); }) ||
                   std::ranges::any_of(table.table->keys,
                                       [&](const Key& key) { return equals_ignore_case(key.index, object.name); });
      }
    }
    if (!included) continue;
    script += object.sql + ";\n";
    if (equals_ignore_case(object.schema, "main") || equals_ignore_case(object.schema, "temp")) continue;
    if (attached.insert(to_lower_ascii(object.schema)).second)
      attach += "ATTACH ':memory:' AS " + name_text(object.schema) + ";\n";
  }
  for (std::size_t t = 0; t < model.tables.size(); ++t) append_rows(script, model.tables[t], instance.tables[t]);
  return attach + script;
}

std::string as_comment(std::string_view label, std::string_view sql) {
  std::string comment = "-- " + std::string(label) + ":";
  const auto lines = split(trim(sql), '\n');
  if (lines.size() > 1) comment += "\n--  ";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    comment += (i == 0 ? " " : "\n--   ");
    // Some programs treat a lone carriage return as the end of the line.
    for (const char c : lines[i]) comment += c == '\r' ? ' ' : c;
  }
  return comment + "\n";
}

}  // namespace trustsql::equiv
