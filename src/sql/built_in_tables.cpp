#include "sql/built_in_tables.hpp"

#include <algorithm>
#include <vector>

#include "base/text.hpp"

namespace trustsql {

namespace {

// Columns separated by blanks; '*' marks the hidden ones, which are a table-valued function's arguments.
struct Outline {
  std::string_view name;
  std::string_view columns;
};

constexpr Outline table_functions[] = {
    {"json_each", "key value type atom id parent fullkey path *json *root"},
    {"json_tree", "key value type atom id parent fullkey path *json *root"},
    {"pragma_analysis_limit", "analysis_limit"},
    {"pragma_application_id", "application_id"},
    {"pragma_auto_vacuum", "auto_vacuum *schema"},
    {"pragma_automatic_index", "automatic_index"},
    {"pragma_busy_timeout", "timeout"},
    {"pragma_cache_size", "cache_size *schema"},
    {"pragma_cache_spill", "cache_spill *schema"},
    {"pragma_cell_size_check", "cell_size_check"},
    {"pragma_checkpoint_fullfsync", "checkpoint_fullfsync"},
    {"pragma_collation_list", "seq name"},
    {"pragma_compile_options", "compile_options"},
    {"pragma_count_changes", "count_changes"},
    {"pragma_data_version", "data_version"},
    {"pragma_database_list", "seq name file"},
    {"pragma_default_cache_size", "cache_size *schema"},
    {"pragma_defer_foreign_keys", "defer_foreign_keys"},
    {"pragma_empty_result_callbacks", "empty_result_callbacks"},
    {"pragma_encoding", "encoding"},
    {"pragma_foreign_key_check", "table rowid parent fkid *arg *schema"},
    {"pragma_foreign_key_list", "id seq table from to on_update on_delete match *arg *schema"},
    {"pragma_foreign_keys", "foreign_keys"},
    {"pragma_freelist_count", "freelist_count"},
    {"pragma_full_column_names", "full_column_names"},
    {"pragma_fullfsync", "fullfsync"},
    {"pragma_function_list", "name builtin type enc narg flags"},
    {"pragma_hard_heap_limit", "hard_heap_limit"},
    {"pragma_ignore_check_constraints", "ignore_check_constraints"},
    {"pragma_index_info", "seqno cid name *arg *schema"},
    {"pragma_index_list", "seq name unique origin partial *arg *schema"},
    {"pragma_index_xinfo", "seqno cid name desc coll key *arg *schema"},
    {"pragma_integrity_check", "integrity_check *arg *schema"},
    {"pragma_journal_mode", "journal_mode *schema"},
    {"pragma_journal_size_limit", "journal_size_limit *schema"},
    {"pragma_legacy_alter_table", "legacy_alter_table"},
    {"pragma_locking_mode", "locking_mode *schema"},
    {"pragma_max_page_count", "max_page_count *schema"},
    {"pragma_module_list", "name"},
    {"pragma_optimize", "optimize *arg"},
    {"pragma_page_count", "page_count *schema"},
    {"pragma_page_size", "page_size *schema"},
    {"pragma_pragma_list", "name"},
    {"pragma_query_only", "query_only"},
    {"pragma_quick_check", "quick_check *arg *schema"},
    {"pragma_read_uncommitted", "read_uncommitted"},
    {"pragma_recursive_triggers", "recursive_triggers"},
    {"pragma_reverse_unordered_selects", "reverse_unordered_selects"},
    {"pragma_schema_version", "schema_version"},
    {"pragma_secure_delete", "secure_delete"},
    {"pragma_short_column_names", "short_column_names"},
    {"pragma_soft_heap_limit", "soft_heap_limit"},
    {"pragma_synchronous", "synchronous *schema"},
    {"pragma_table_info", "cid name type notnull dflt_value pk *arg *schema"},
    {"pragma_table_list", "schema name type ncol wr strict *arg"},
    {"pragma_table_xinfo", "cid name type notnull dflt_value pk hidden *arg *schema"},
    {"pragma_temp_store", "temp_store"},
    {"pragma_threads", "threads"},
    {"pragma_trusted_schema", "trusted_schema"},
    {"pragma_user_version", "user_version"},
    {"pragma_writable_schema", "writable_schema"},
};

Table table_function(const Outline& outline) {
  Table table;
  table.schema = "main";
  table.name = outline.name;
  table.kind = Table::Kind::virtual_table;
  for (std::string_view name : split(outline.columns, ' ')) {
    Column& column = table.columns.emplace_back();
    column.hidden = name.front() == '*';
    if (column.hidden) {
      name.remove_prefix(1);
      column.affinity = Affinity::numeric;  // of their declared type, HIDDEN
    }
    column.name = name;
  }
  return table;
}

Table schema_table(std::string_view schema, std::string_view name) {
  Table table;
  table.schema = schema;
  table.name = name;
  for (const std::string_view column_name : {"type", "name", "tbl_name", "rootpage", "sql"}) {
    Column& column = table.columns.emplace_back();
    column.name = column_name;
    column.declared_type = column_name == "rootpage" ? "INT" : "TEXT";
    column.affinity = affinity_of_type(column.declared_type);
  }
  return table;
}

const std::vector<Table>& built_in_tables() {
  static const std::vector<Table> tables = [] {
    std::vector<Table> all = {schema_table("main", "sqlite_schema"), schema_table("temp", "sqlite_temp_schema")};
    for (const auto& outline : table_functions) all.push_back(table_function(outline));
    return all;
  }();
  return tables;
}

bool is_any_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::any_of(names.begin(), names.end(),
                     [&](std::string_view candidate) { return equals_ignore_case(name, candidate); });
}

// Finds sqlite_schema of main and of attached databases, and sqlite_temp_schema of temp, where the name sqlite_schema
// is accepted as well.
const Table* find_schema_table(const Catalog& catalog, std::string_view schema, std::string_view name) {
  const bool is_general = is_any_of(name, {"sqlite_schema", "sqlite_master"});
  const bool is_temporary = is_any_of(name, {"sqlite_temp_schema", "sqlite_temp_master"});
  const bool in_temp = equals_ignore_case(schema, "temp");
  if (is_temporary ? !schema.empty() && !in_temp : !is_general) return nullptr;
  const bool wants_temp = is_temporary || in_temp;
  if (schema.empty()) schema = wants_temp ? "temp" : "main";
  const Table* listed = catalog.find(schema, wants_temp ? "sqlite_temp_schema" : "sqlite_schema");
  if (listed != nullptr) return listed;
  return wants_temp ? &built_in_tables()[1] : equals_ignore_case(schema, "main") ? &built_in_tables()[0] : nullptr;
}

}  // namespace

std::string_view name_in_sqlite(const Table& table) {
  if (table.name == "sqlite_schema") return "sqlite_master";
  return table.name == "sqlite_temp_schema" ? std::string_view("sqlite_temp_master") : std::string_view(table.name);
}

const Table* find_table(const Catalog& catalog, std::string_view schema, std::string_view name) {
  if (const Table* table = find_schema_table(catalog, schema, name)) return table;
  if (const Table* table = schema.empty() ? catalog.find(name) : catalog.find(schema, name)) return table;
  for (const auto& table : built_in_tables()) {
    if (table.kind == Table::Kind::virtual_table && equals_ignore_case(table.name, name)) return &table;
  }
  return nullptr;
}

}  // namespace trustsql
