// schema_elements: the columns of a schema with their properties, and a few of their values.

#include "base/json_writer.hpp"
#include "base/text.hpp"
#include "db/results/result_set.hpp"
#include "ext/adaptor/table.hpp"
#include "ext/options/schema_options.hpp"
#include "ext/registry.hpp"
#include "link/element.hpp"

namespace trustsql::ext {

namespace {

constexpr Option<std::int64_t> sample_option = {
    .key = "sample", .description = "Distinct values of each column.", .default_value = 3, .min = 0, .max = 100};
constexpr auto element_options = option_table(sample_option, schema_option);

constexpr int sampled_rows = 1000;  // rows that are read for distinct values
constexpr int sampled_bytes = 200;  // maximum length of one value

// The first table and column that a foreign key leads to from this column, if any.
std::optional<std::string> reference_of(const Catalog& catalog, const Table& table, std::size_t column) {
  for (const auto& key : table.foreign_keys) {
    for (std::size_t i = 0; i < key.columns.size() && i < key.parent_columns.size(); ++i) {
      const Table* parent = catalog.parent(table, key);
      if (parent != nullptr && static_cast<std::size_t>(key.columns[i]) == column)
        return parent->name + "." + key.parent_columns[i];
    }
  }
  return std::nullopt;
}

// "primary" for a part of the primary key, "unique" if the column alone is a key, else empty.
std::string_view key_of(const Table& table, std::size_t column) {
  if (table.columns[column].primary_key_position > 0) return "primary";
  for (const auto& key : table.keys)
    if (key.parts.size() == 1 && key.parts[0].column == static_cast<int>(column) && !key.is_partial &&
        !key.has_expression)
      return "unique";
  return {};
}

// A JSON array of at most `count` distinct values; nullopt if they cannot be read in the sandbox.
Result<std::optional<std::string>> sample_of(Sandbox& sandbox, const Table& table, const Column& column,
                                             std::int64_t count) {
  const std::string name = quote_identifier(column.name);
  const std::string query = "SELECT DISTINCT CASE typeof(" + name + ") WHEN 'text' THEN substr(" + name + ", 1, " +
                            std::to_string(sampled_bytes) + ") WHEN 'blob' THEN NULL ELSE " + name +
                            " END AS v FROM (SELECT " + name + " FROM " + quote_identifier(table.schema) + "." +
                            quote_identifier(table.name) + " WHERE " + name + " IS NOT NULL LIMIT " +
                            std::to_string(sampled_rows) + ") WHERE v IS NOT NULL LIMIT " + std::to_string(count);
  auto rows = sandbox.run(query);
  if (!rows.ok()) {
    const auto code = rows.error().code;
    if (code == ErrorCode::interrupted || code == ErrorCode::io || code == ErrorCode::out_of_memory ||
        code == ErrorCode::limit_exceeded)
      return std::move(rows).error();
    return std::optional<std::string>();  // a view on a missing table, a virtual table
  }
  JsonWriter values;
  values.begin_array();
  for (std::size_t r = 0; r < rows->row_count(); ++r) {
    const ValueView value = rows->at(r, 0);
    if (value.type == ValueType::integer) values.value(value.integer);
    if (value.type == ValueType::real) values.value(value.real);
    if (value.type == ValueType::text) values.value(value.bytes);
  }
  return std::optional(std::move(values.end_array()).text());
}

Result<ResultSet> schema_elements(Session& session, const SharedScope& scope,
                                  const OptionalArg<std::string_view>& database, const Options& options) {
  const auto schema = options.get(schema_option);
  if (database.has_value() && schema) return invalid_argument("give either database or schema, not both");
  TRUSTSQL_ASSIGN_OR_RETURN(const auto source,
                            schema ? session.database().open_schema(*schema, session.settings())
                                   : session.database().open(database.value, session.settings(), scope.get()));
  TRUSTSQL_ASSIGN_OR_RETURN(const auto catalog, source->catalog());
  const std::int64_t sample = options.get(sample_option);
  TRUSTSQL_ASSIGN_OR_RETURN(const auto sandbox, source->lease());
  sandbox->set_stop([&session] { return session.database().interrupted(); });
  ResultSet rows({"tbl", "col", "type", "key", "refs", "nullable", "sample"});
  const auto text_or_null = [](std::string_view text) {
    return text.empty() ? ValueView::null() : ValueView::of_text(text);
  };
  for (const auto& table : catalog->tables()) {
    if (!link::is_user_table(table)) continue;
    const std::string prefix = link::database_of(table).empty() ? "" : link::database_of(table) + ".";
    bool slow = false;  // if one column of a table or view takes too long, the others would, too
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      const Column& column = table.columns[c];
      if (column.hidden) continue;
      rows.append(ValueView::of_text(prefix + table.name));
      rows.append(ValueView::of_text(column.name));
      rows.append(text_or_null(column.declared_type));
      rows.append(text_or_null(key_of(table, c)));
      const auto reference = reference_of(*catalog, table, c);
      rows.append(reference ? ValueView::of_text(prefix + *reference) : ValueView::null());
      rows.append(ValueView::of_integer(column.not_null ? 0 : 1));
      std::optional<std::string> values;
      if (sample > 0 && !schema && !slow) {
        auto read = sample_of(*sandbox, table, column, sample);
        slow = !read.ok() && read.error().code == ErrorCode::limit_exceeded;
        if (!slow) {
          TRUSTSQL_ASSIGN_OR_RETURN(values, std::move(read));
        }
      }
      rows.append(values ? ValueView::of_text(*values) : ValueView::null());
    }
  }
  return rows;
}

}  // namespace

std::span<const FunctionSpec> schema_elements_functions() {
  static constexpr FunctionSpec functions[] = {
      table<schema_elements>(
          {.name = "schema_elements",
           .signature = "schema_elements([database] [, opts])",
           .summary = "Every column of the user's tables and views: declared type; key (primary, unique or NULL); "
                      "refs, the \"table.column\" that a foreign key refers to; nullable, 0 if SQLite excludes NULL; "
                      "sample, a JSON array of distinct values from the first rows (texts truncated to 200 characters, "
                      "no blobs). tbl is prefixed with the database if that is an attached one.",
           .example = "SELECT col, key FROM schema_elements('{\"schema\":\"CREATE TABLE t(id INTEGER PRIMARY KEY, name "
                      "TEXT)\"}') LIMIT 1; -- id | primary",
           .columns = "tbl TEXT, col TEXT, type TEXT, key TEXT, refs TEXT, nullable INTEGER, sample TEXT",
           .options = element_options,
           .entry_point = EntryPoint::offline,
           .effect = Effect::state}),
  };
  return functions;
}

}  // namespace trustsql::ext
