#include "ext/services/host_dialect.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "base/text.hpp"
#include "db/catalog/catalog_reader.hpp"
#include "db/sqlite/connection.hpp"
#include "db/sqlite/host_functions.hpp"
#include "ext/adaptor/wrong_place.hpp"
#include "ext/registry.hpp"

namespace trustsql::ext {

namespace {

SqlFunction to_sql_function(const HostFunction& host, std::string_view name) {
  using Kind = SqlFunction::Kind;
  SqlFunction function{.name = name,
                       .min_arguments = std::max(host.arguments, 0),
                       .max_arguments = host.arguments,
                       .deterministic = false};
  function.kind = host.kind == HostFunction::Kind::scalar      ? Kind::scalar
                  : host.kind == HostFunction::Kind::aggregate ? Kind::aggregate
                                                               : Kind::window_aggregate;
  return function;
}

// Whether SQLite prepares the query. Errors: those that are none of the query.
Result<bool> accepts(sqlite3* db, std::string_view sql) {
  const auto statement = prepare(db, sql);
  if (!statement.ok() && statement.error().code != ErrorCode::query_failed) return statement.error();
  return statement.ok();
}

// Whether WITHIN GROUP may follow a call of the aggregate. Precondition: SQLite has the clause.
Result<bool> is_ordered_set(sqlite3* db, const HostFunction& function) {
  if (function.kind == HostFunction::Kind::scalar || function.arguments == 0) return false;
  std::string sql = "SELECT " + quote_identifier(function.name) + "(";
  for (int i = 1; i < function.arguments; ++i) sql += i == 1 ? "NULL" : ", NULL";
  return accepts(db, sql + ") WITHIN GROUP (ORDER BY NULL)");
}

// What the running SQLite has, as a private connection without anything of the host's tells. Built once, when it is
// first needed, and never changed.
class Library {
 public:
  // Throws if there is not enough memory to find out.
  Library() {
    const auto connection = Connection::open_memory();
    if (!connection.ok()) throw std::bad_alloc();
    sqlite3* db = connection->handle();
    // Where SQLite has WITHIN GROUP, WITHIN is no alias behind a call.
    ordered_sets = !or_throw(accepts(db, "SELECT max(1) within"));
    read_functions_of(db);
    rowid_in_views = or_throw(accepts(db, "SELECT rowid FROM (SELECT 1)"));
    collates_by_single_item = or_throw(query_integer(db, "SELECT 'X' IN ('x' COLLATE NOCASE)")) != 0;
    empty_in_is_truth = or_throw(query_integer(db, "SELECT 'x' IS (1 IN ())")) != 0;
    read_merged_columns_of(db);
    for (const std::string_view name : {"jsonb_each", "jsonb_tree"}) {
      auto table = read_eponymous_table(db, name);
      if (table.ok() && *table) tables_.push_back(*std::move(*table));
    }
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  static const Library& running() {
    static const Library library;
    return library;
  }

  FunctionTable functions{{}};
  bool ordered_sets = false;    // SQLITE_ENABLE_ORDERED_SET_AGGREGATES
  bool rowid_in_views = false;  // SQLITE_ALLOW_ROWID_IN_VIEW, which 3.40 does not list among its options
  bool collates_by_single_item = true;
  bool empty_in_is_truth = true;
  std::optional<bool> merged_name_is_typed;  // unset where SQLite has no FULL JOIN
  std::optional<bool> merged_side_is_typed;

  // The table-valued functions that not all supported versions have.
  const Table* find_eponymous(std::string_view name) const {
    const auto found =
        std::ranges::find_if(tables_, [&](const Table& table) { return equals_ignore_case(table.name, name); });
    return found == tables_.end() ? nullptr : &*found;
  }

 private:
  template <class T>
  static T or_throw(const Result<T>& result) {
    if (!result.ok()) throw std::bad_alloc();
    return *result;
  }

  // Whether 'a' in a merged column equals 'A', by the collation of the first of its columns.
  void read_merged_columns_of(sqlite3* db) {
    if (sqlite3_libversion_number() < 3'039'000) return;
    const std::string from = " FROM (SELECT 'a' COLLATE NOCASE AS w) FULL JOIN (SELECT 0 AS w) USING (w)";
    merged_name_is_typed = or_throw(query_integer(db, "SELECT count(*)" + from + " WHERE w = 'A'")) != 0;
    merged_side_is_typed =
        or_throw(query_integer(db, "SELECT count(*)" + from + " JOIN (SELECT 'A' AS w) USING (w)")) != 0;
  }

  // Those functions of this version that were compiled in, and built-in ones that are newer than the table of
  // functions. Without PRAGMA function_list (SQLITE_OMIT_INTROSPECTION_PRAGMAS): those of this version.
  void read_functions_of(sqlite3* db) {
    const FunctionTable usual = FunctionTable::built_in(sqlite3_libversion_number());
    auto listed = read_functions(db);
    if (!listed.ok() && listed.error().code == ErrorCode::out_of_memory) throw std::bad_alloc();
    if (!listed.ok() || listed->empty()) {
      functions = usual;
      return;
    }
    std::set<std::string_view> present = {"match"};  // which is not listed
    // Up to 3.37, JSON's functions are listed as an automatic extension's.
    const bool all_marked = sqlite3_libversion_number() >= 3038000;
    for (const auto& function : *listed)
      if (function.built_in || !all_marked) present.insert(function.name);
    std::vector<SqlFunction> available;
    for (const auto& function : usual.all())
      if (present.contains(function.name)) available.push_back(function);
    names_.reserve(listed->size());  // no reallocation: the functions refer to the names
    for (const auto& function : *listed) {
      if (!function.built_in || usual.has(function.name)) continue;
      available.push_back(to_sql_function(function, names_.emplace_back(to_lower_ascii(function.name))));
      available.back().ordered_set = ordered_sets && or_throw(is_ordered_set(db, function));
    }
    functions = FunctionTable(std::move(available));
  }

  std::vector<std::string> names_;
  std::vector<Table> tables_;
};

// Whether the host has `name` only to say that it is used wrongly.
bool is_function_of_ours_in_the_wrong_place(std::string_view name, bool as_table) {
  for (const auto& family : families())
    for (const auto& spec : family.functions)
      if (is_wrong_place(spec, name, as_table)) return true;
  return false;
}

// Whether the columns of * get their full names (https://sqlite.org/pragma.html#pragma_full_column_names).
Result<bool> names_columns_in_full(sqlite3* host) {
  const auto is_on = [host](const char* pragma) -> Result<bool> {
    const auto value = query_integer(host, pragma);
    if (!value.ok() && value.error().code == ErrorCode::query_failed) return false;
    TRUSTSQL_RETURN_IF_ERROR(value);
    return *value != 0;
  };
  TRUSTSQL_ASSIGN_OR_RETURN(const bool full, is_on("PRAGMA full_column_names"));
  if (!full) return false;
  TRUSTSQL_ASSIGN_OR_RETURN(const bool abbreviated, is_on("PRAGMA short_column_names"));
  return !abbreviated;
}

const FunctionTable& built_in_functions() { return Library::running().functions; }

}  // namespace

ResolveOptions built_in_dialect() {
  const Library& library = Library::running();
  return {.functions = &library.functions,
          .rowid_in_views = library.rowid_in_views,
          .collates_by_single_item = library.collates_by_single_item,
          .empty_in_is_truth = library.empty_in_is_truth,
          .merged_name_is_typed = library.merged_name_is_typed,
          .merged_side_is_typed = library.merged_side_is_typed,
          .version = sqlite3_libversion_number(),
          .ordered_sets = library.ordered_sets,
          .find_eponymous = [&library](std::string_view name) { return library.find_eponymous(name); }};
}

Result<const ComparisonDialect*> ComparisonDialect::of(sqlite3* host, StatementScope& scope) {
  auto& dialect = scope.shared<ComparisonDialect>();
  if (!dialect.replaced_) {
    TRUSTSQL_ASSIGN_OR_RETURN(dialect.names_in_full_, names_columns_in_full(host));
    TRUSTSQL_ASSIGN_OR_RETURN(dialect.replaced_, read_replaced_functions(host));
  }
  return &dialect;
}

ResolveOptions ComparisonDialect::options() const {
  ResolveOptions options = built_in_dialect();
  if (replaced_) options.replaced_functions = *replaced_;
  options.names_columns_in_full = names_in_full_;
  return options;
}

Result<HostDialect> HostDialect::read(sqlite3* host) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto listed, read_functions(host));
  HostDialect dialect;
  dialect.host_ = host;
  TRUSTSQL_ASSIGN_OR_RETURN(dialect.collations_, read_collations(host));
  const auto built_in = built_in_functions().all();
  std::vector<SqlFunction> functions(built_in.begin(), built_in.end());
  dialect.names_.reserve(listed.size());  // no reallocation: the functions refer to the names
  for (const auto& function : listed) {
    if (built_in_functions().has(function.name)) continue;
    if (is_function_of_ours_in_the_wrong_place(function.name, false)) continue;
    functions.push_back(to_sql_function(function, dialect.names_.emplace_back(to_lower_ascii(function.name))));
    if (Library::running().ordered_sets) {
      TRUSTSQL_ASSIGN_OR_RETURN(functions.back().ordered_set, is_ordered_set(host, function));
    }
  }
  dialect.functions_ = FunctionTable(std::move(functions));
  return dialect;
}

const Table* HostDialect::find_eponymous(std::string_view name) {
  for (const auto& table : tables_) {
    if (equals_ignore_case(table.name, name)) return &table;
  }
  if (is_function_of_ours_in_the_wrong_place(name, true)) return nullptr;
  auto table = read_eponymous_table(host_, name);
  if (!table.ok()) {
    failure_ = std::move(table).error();
    return nullptr;
  }
  return *table ? &tables_.emplace_back(*std::move(*table)) : nullptr;
}

ResolveOptions HostDialect::options() {
  ResolveOptions options = built_in_dialect();
  options.functions = &functions_;
  options.collations = collations_;
  options.find_eponymous = [this](std::string_view name) { return find_eponymous(name); };
  return options;
}

}  // namespace trustsql::ext
