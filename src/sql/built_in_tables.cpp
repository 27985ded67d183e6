#include "sql/built_in_tables.hpp"

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

CatalogTable table_function(const Outline& outline) {
  CatalogTable table{.name = std::string(outline.name), .kind = CatalogTable::Kind::virtual_table};
  for (std::string_view column : split(outline.columns, ' ')) {
    const bool hidden = column.front() == '*';
    if (hidden) column.remove_prefix(1);
    table.columns.push_back({.name = std::string(column), .hidden = hidden});
  }
  return table;
}

// sqlite_schema, which SQLite itself calls by its old name.
CatalogTable schema_table(std::string_view name) {
  CatalogTable table{.name = std::string(name)};
  for (const std::string_view column : {"type", "name", "tbl_name", "rootpage", "sql"}) {
    const bool is_root = column == "rootpage";
    table.columns.push_back(
        {.name = std::string(column), .declared_type = is_root ? "INT" : "TEXT", .affinity = is_root ? Affinity::integer : Affinity::text});
  }
  return table;
}

const Catalog& built_in_tables() {
  static const Catalog catalog = [] {
    CatalogSchema main{.name = "main"};
    main.tables.push_back(schema_table("sqlite_master"));
    for (const auto& outline : table_functions) main.tables.push_back(table_function(outline));
    CatalogSchema temp{.name = "temp"};
    temp.tables.push_back(schema_table("sqlite_temp_master"));
    return Catalog{{std::move(main), std::move(temp)}};
  }();
  return catalog;
}

bool is_any_of(std::string_view name, std::initializer_list<std::string_view> names) {
  for (const auto candidate : names) {
    if (equals_ignore_case(name, candidate)) return true;
  }
  return false;
}

FoundTable find_schema_table(const Catalog& catalog, std::string_view schema, std::string_view name) {
  const bool of_any = is_any_of(name, {"sqlite_master", "sqlite_schema"});
  const bool of_temp = is_any_of(name, {"sqlite_temp_master", "sqlite_temp_schema"});
  const bool in_temp = equals_ignore_case(schema, "temp");
  if (!of_any && !(of_temp && (schema.empty() || in_temp))) return {};
  const auto& main = built_in_tables().schemas[0];
  const auto& temp = built_in_tables().schemas[1];
  if (of_temp || in_temp) return {&temp, &temp.tables.front()};
  if (schema.empty() || equals_ignore_case(schema, "main")) return {&main, &main.tables.front()};
  const auto* attached = catalog.find_schema(schema);
  return attached != nullptr ? FoundTable{attached, &main.tables.front()} : FoundTable{};
}

}  // namespace

FoundTable find_table(const Catalog& catalog, std::string_view schema, std::string_view name) {
  const auto look_in = [&](const CatalogSchema& candidate) { return FoundTable{&candidate, candidate.find(name)}; };
  if (const auto found = find_schema_table(catalog, schema, name); found.table != nullptr) return found;
  if (!schema.empty()) {
    if (const auto* named = catalog.find_schema(schema)) {
      if (const auto found = look_in(*named); found.table != nullptr) return found;
    }
  } else {
    if (const auto* temp = catalog.find_schema("temp")) {
      if (const auto found = look_in(*temp); found.table != nullptr) return found;
    }
    for (const auto& candidate : catalog.schemas) {
      if (const auto found = look_in(candidate); found.table != nullptr) return found;
    }
  }
  const auto& main = built_in_tables().schemas.front();
  const auto found = look_in(main);
  const bool is_function = found.table != nullptr && found.table->kind == CatalogTable::Kind::virtual_table;
  return is_function ? found : FoundTable{};
}

}  // namespace trustsql
